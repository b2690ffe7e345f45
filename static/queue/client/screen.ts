import { numberWidth } from "../../../src/worker/page/number-width.ts";
import type { PageView } from "../../../src/page/view.ts";

export const element = (id: string): HTMLElement => document.getElementById(id)!;

/** Only what differs is touched: a screen reader's place and a selection stay where they are. */
const write = (id: string, text: string): void => {
  const target = element(id);
  if (target.textContent !== text) target.textContent = text;
};

/** The drawing is as wide as its number, and scaled to the ticket. */
const fitNumber = (number: string): void => {
  const width = String(numberWidth(number));
  element("face").setAttribute("viewBox", `0 0 ${width} 76`);
  element("number").setAttribute("textLength", width);
};

const writeNotices = (notices: readonly string[]): void => {
  const list = element("notices");
  if (list.textContent === notices.join("")) return;
  list.textContent = "";
  notices.forEach((notice) => {
    list.appendChild(document.createElement("li")).textContent = notice;
  });
};

const mark = (attribute: string, isSo: boolean): void => {
  if (isSo) document.body.setAttribute(attribute, "");
  else document.body.removeAttribute(attribute);
};

/** @param title what the tab is called, which may change while the page does not */
export const name = (title: string): void => {
  if (document.title !== title) document.title = title;
};

export const show = (view: PageView): void => {
  document.body.setAttribute("data-phase", view.phase);
  mark("data-paused", view.paused);
  mark("data-ticket", view.number !== "");
  // Texts of the view have elements of their names.
  (Object.keys(view) as (keyof PageView)[]).forEach((id) => {
    const text = view[id];
    if (typeof text === "string" && element(id) !== null) write(id, text);
  });
  fitNumber(view.number);
  element("messageBox").hidden = view.message === "";
  element("line").parentElement!.hidden = !view.placed;
  writeNotices(view.notices);
};
