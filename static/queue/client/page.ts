/** What the page was given, and what it knows now. */
import type { Boot, PageState } from "../../../src/page/state.ts";

/** Of the element with the page's data: the operator's own pages have a name that nobody else takes. */
declare const BOOT_ID: string;

export const boot = JSON.parse(document.getElementById(BOOT_ID)!.textContent || "") as Boot;

export let state: PageState = boot.state;

export const know = (change: Partial<PageState>, before = state): void => {
  state = Object.assign({}, before, change);
};

export const numberOf = ({ ticket }: PageState): number | null => (ticket ? ticket.number : null);

export const isShown = (): boolean => document.visibilityState === "visible";
