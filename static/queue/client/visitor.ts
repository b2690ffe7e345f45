/** The buttons. Giving up is asked once more, in place, and Escape takes it back. */
import { numberOf, state } from "./page.ts";
import { element, words } from "./screen.ts";

export interface VisitorPorts {
  giveUp(): void;
  /** To be taken in, seen or not: turned on or off. */
  takeIn(): void;
  again(): void;
}

export const listenToVisitor = ({ giveUp, takeIn, again }: VisitorPorts): void => {
  const opener = element("giveUp");
  const box = element("giveUpBox");

  const ask = (isOpen: boolean): void => {
    box.hidden = !isOpen;
    opener.setAttribute("aria-expanded", String(!!isOpen));
    element(isOpen ? "giveUpNo" : "giveUp").focus();
  };

  opener.onclick = () => {
    const number = words.number(numberOf(state) || 0);
    element("giveUpAsk").textContent = words.say("giveUpAsk", { number });
    ask(!!box.hidden);
  };
  element("takeIn").onclick = takeIn;
  element("giveUpNo").onclick = () => ask(false);
  box.onkeydown = ({ key }) => {
    if (key === "Escape") ask(false);
  };
  element("giveUpYes").onclick = () => {
    ask(false);
    giveUp();
    element("headline").focus();
  };
  element("again").onclick = () => {
    again();
    element("headline").focus();
  };
};
