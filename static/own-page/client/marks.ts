/** The elements of an operator's page that this script fills, and those that act when they are clicked. */
import { textsOf } from "./facts.ts";
import type { Facts } from "./facts.ts";

const root = document.documentElement;

/** Older browsers have no `forEach` here. */
const marked = (selector: string): readonly Element[] =>
  Array.prototype.slice.call(document.querySelectorAll(selector));

export const isMarked = (name: string): boolean =>
  document.querySelector(`[data-seiriken="${name}"]`) !== null;

/** Only what differs is touched: a screen reader's place and a selection stay where they are. */
export const fill = (facts: Facts): void => {
  const texts = textsOf(facts, root.lang);
  root.setAttribute("data-seiriken-phase", facts.phase);
  if (facts.paused) root.setAttribute("data-seiriken-paused", "");
  else root.removeAttribute("data-seiriken-paused");
  marked("[data-seiriken]").forEach((element) => {
    const text = texts[element.getAttribute("data-seiriken") || ""];
    if (text !== undefined && element.textContent !== text) element.textContent = text;
  });
};

/** Clicks on `data-seiriken-do` elements, which the operator's page may make at any time. */
export const listenForClicks = (acts: Readonly<Record<string, () => void>>): void =>
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest("[data-seiriken-do]");
    if (!button) return;
    const act = acts[button.getAttribute("data-seiriken-do") || ""];
    if (act) act();
  });
