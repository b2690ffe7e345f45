import { numberWidth } from "../../../src/worker/page/number-width.ts";
import type { PageView } from "../../../src/page/view.ts";
import { createWords } from "../../../src/page/words.ts";
import type { Messages } from "../../../src/page/words.ts";
import { boot } from "./page.ts";

// The build has made places of the names that the script says (see `keyOf`).
export const words = createWords(boot.locale, boot.words as unknown as Messages);

export const element = (id: string): HTMLElement => document.getElementById(id)!;

/** Only what differs is touched: a screen reader's place and a selection stay where they are. */
export const write = (id: string, text: string): void => {
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

const { dataset } = document.body;

const mark = (name: "paused" | "ticket", isSo: boolean): void => {
  if (isSo) dataset[name] = "";
  else delete dataset[name];
};

export const press = (id: string, isOn: boolean | undefined | null): void =>
  element(id).setAttribute("aria-pressed", String(!!isOn));

export const show = (view: PageView): void => {
  dataset["phase"] = view.phase;
  mark("paused", view.paused);
  mark("ticket", view.number !== "");
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
