import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext, BrowserContextOptions, Page, Response } from "playwright-core";
import { PATIENCE_MS } from "./eventually.ts";

/** A browser, or anything else that opens profiles. */
export interface Profiles {
  newContext(options: BrowserContextOptions): Promise<BrowserContext>;
}

export interface BrowserVisit extends AsyncDisposable {
  readonly page: Page;
  /** The answer to the first navigation. */
  readonly first: Response;
  /** Every title that the pages of this visitor had, in order, each change once. */
  readonly titles: readonly string[];
  /** Another tab of the same visitor. */
  tab(url: string): Promise<Page>;
  /** The text of one element of the queue page. */
  text(id: string): Promise<string>;
  phase(): Promise<string | null>;
}

export interface BrowserVisitOptions extends BrowserContextOptions {
  /** Before anything is loaded. */
  readonly prepare?: (page: Page) => unknown;
}

const CLOSES_WITHIN_MS = 15_000;

/** Titles change too fast, and with them whole pages, to be seen by asking. */
const noteTitles = (): void => {
  const note = () =>
    (window as { noteTitle?: (title: string) => void }).noteTitle?.(document.title);
  addEventListener("DOMContentLoaded", () => {
    note();
    new MutationObserver(note).observe(document.head, { subtree: true, childList: true });
  });
};

/**
 * One visitor with a browser profile of their own, on the way to `url`. What a page's script throws,
 * and what its own policy forbids it, fails the test at the end.
 */
export const openVisit = async (
  browser: Profiles,
  url: string,
  { prepare, ...options }: BrowserVisitOptions = {},
): Promise<BrowserVisit> => {
  const context = await browser.newContext({ locale: "en-GB", ...options });
  const wrongs: string[] = [];
  const titles: string[] = [];
  context.on("weberror", (error) => wrongs.push(String(error.error())));
  context.on("console", (message) => {
    if (/Content.Security.Policy/.test(message.text())) wrongs.push(message.text());
  });
  await context.exposeFunction("noteTitle", (title: string) => {
    if (titles.at(-1) !== title) titles.push(title);
  });
  await context.addInitScript(noteTitles);
  const page = await context.newPage();
  await prepare?.(page);
  const first = await page.goto(url);
  if (first === null) throw new Error(`${url} was not loaded`);
  return {
    page,
    first,
    titles,
    async tab(other) {
      const tab = await context.newPage();
      await tab.goto(other);
      return tab;
    },
    text: async (id) => (await page.locator(`#${id}`).textContent()) ?? "",
    phase: () => page.locator("body").getAttribute("data-phase"),
    async [Symbol.asyncDispose]() {
      // A browser that is to close a page in the middle of a navigation may never say that it has;
      // it goes with its browser.
      const closing = context.close();
      closing.catch(() => undefined);
      await Promise.race([closing, sleep(CLOSES_WITHIN_MS, null, { ref: false })]);
      if (wrongs.length > 0) throw new Error(`the page did wrong: ${wrongs.join("; ")}`);
    },
  };
};

export const phaseIs = async (
  page: Page,
  phase: string,
  { within = PATIENCE_MS } = {},
): Promise<void> => {
  await page.locator(`body[data-phase="${phase}"]`).waitFor({ timeout: within });
};
