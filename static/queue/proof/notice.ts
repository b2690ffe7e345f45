import { PUZZLE_PARTS } from "../../../src/core/strangers/puzzle.ts";

/** Where the page says that something goes before the ticket: politely, and with nothing to click. */
export interface Notice {
  show(): void;
  hide(): void;
  progress(parts: number): void;
  /** Where the widget stands. */
  readonly place: HTMLElement;
}

/** Where an operator's page wants it, behind the page's own words, or else at its end. */
const putIn = (box: HTMLElement): void => {
  const own = document.getElementById("seiriken-proof");
  const lead = document.getElementById("lead");
  if (own) own.appendChild(box);
  else if (lead) lead.parentNode!.insertBefore(box, lead.nextSibling);
  else document.body.appendChild(box);
};

export const createNotice = (text: string): Notice => {
  const box = document.createElement("div");
  const said = document.createElement("p");
  const bar = document.createElement("progress");
  const place = document.createElement("div");
  said.id = "proof";
  said.setAttribute("role", "status");
  bar.max = PUZZLE_PARTS;
  bar.style.width = "100%";
  bar.setAttribute("aria-labelledby", said.id);
  bar.hidden = true;
  [said, bar, place].forEach((element) => box.appendChild(element));
  putIn(box);
  return {
    place,
    show() {
      said.textContent = text;
    },
    hide() {
      said.textContent = "";
      bar.hidden = true;
    },
    progress(parts) {
      bar.hidden = false;
      bar.value = parts;
    },
  };
};
