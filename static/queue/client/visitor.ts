import type { Words } from "../../../src/page/words.ts";
import { element } from "./screen.ts";

export interface VisitorPorts {
  readonly words: Words;
  number(): string;
  giveUp(): void;
  /** To be taken in, seen or not: turned on or off. */
  takeIn(): void;
  again(): void;
}

/** The buttons. Giving up is asked once more, in place, and Escape takes it back. */
export const listenToVisitor = ({ words, number, giveUp, takeIn, again }: VisitorPorts): void => {
  const opener = element("giveUp");
  const box = element("giveUpBox");

  const ask = (isOpen: boolean): void => {
    box.hidden = !isOpen;
    opener.setAttribute("aria-expanded", String(isOpen));
    (isOpen ? element("giveUpNo") : opener).focus();
  };
  const act = (wish: () => void): void => {
    wish();
    element("headline").focus();
  };

  opener.onclick = () => {
    element("giveUpAsk").textContent = words.say("giveUpAsk", { number: number() });
    ask(box.hidden as boolean);
  };
  element("takeIn").onclick = takeIn;
  element("giveUpNo").onclick = () => ask(false);
  box.onkeydown = (event) => {
    if (event.key === "Escape") ask(false);
  };
  element("giveUpYes").onclick = () => {
    ask(false);
    act(giveUp);
  };
  element("again").onclick = () => act(again);
};
