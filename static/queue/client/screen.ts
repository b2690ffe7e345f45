import type { PageView } from "../../../src/worker/page/view.ts";

export const element = (id: string): HTMLElement => document.getElementById(id)!;

/** Only what differs is touched: a screen reader's place and a selection stay where they are. */
const write = (id: string, text: string): void => {
  const target = element(id);
  if (target.textContent !== text) target.textContent = text;
};

const NUMBER_LENGTH_MAX = 11;

const writeNotices = (notices: readonly string[]): void => {
  const list = element("notices");
  if (list.textContent === notices.join("")) return;
  list.textContent = "";
  notices.forEach((notice) => {
    list.appendChild(document.createElement("li")).textContent = notice;
  });
};

export const show = (view: PageView): void => {
  document.body.setAttribute("data-phase", view.phase);
  if (view.held) document.body.setAttribute("data-held", "");
  else document.body.removeAttribute("data-held");
  if (document.title !== view.title) document.title = view.title;
  const { headline, lead, number, ahead, wait, taken, progress, heard, message, again } = view;
  const texts = { headline, lead, number, ahead, wait, taken, progress, heard, message, again };
  (Object.keys(texts) as (keyof typeof texts)[]).forEach((id) => write(id, texts[id]));
  const { length } = number;
  element("number").setAttribute(
    "data-length",
    length > NUMBER_LENGTH_MAX ? "many" : String(length),
  );
  element("messageBox").hidden = message === "";
  writeNotices(view.notices);
};
