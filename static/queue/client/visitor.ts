import type { Words } from "../../../src/worker/page/words.ts";
import { element } from "./screen.ts";

export interface Wishes {
  readonly words: Words;
  number(): string;
  giveUp(): void;
  again(): void;
}

/** The buttons. Giving up is asked once more, in place, and Escape takes it back. */
export const listenToVisitor = ({ words, number, giveUp, again }: Wishes): void => {
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
    ask(box.hidden);
  };
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
