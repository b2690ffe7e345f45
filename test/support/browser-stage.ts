import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { openBrowser } from "./browser.ts";
import { openVisit } from "./browser-visit.ts";
import type { BrowserVisit, BrowserVisitOptions } from "./browser-visit.ts";
import { reachedOrigin } from "./origin.ts";
import { startSeiriken } from "./seiriken.ts";
import type { Seiriken, SeirikenOptions } from "./seiriken.ts";

export interface BrowserStage {
  readonly seiriken: Seiriken;
  readonly browser: Browser;
  /** A new visitor, with cookies of their own, on the way to a path. */
  visit(path: string, options?: BrowserVisitOptions): Promise<BrowserVisit>;
  /** What reached the origin below a room's path: method, path and query. */
  reached(room: string): string[];
  /** Changes settings of a room as an operator does. */
  change(room: string, settings: object): Promise<void>;
}

/** One real browser before the real Worker and objects, for all tests of a file. */
export const browserStage = (
  options: SeirikenOptions,
  open: () => Promise<Browser> = openBrowser,
): BrowserStage => {
  let seiriken: Seiriken;
  let browser: Browser;
  beforeAll(async () => {
    seiriken = await startSeiriken({ runtime: "workerd", ...options });
    browser = await open();
  });
  afterAll(async () => {
    await browser?.close();
    await seiriken?.stop();
  });
  return {
    get seiriken() {
      return seiriken;
    },
    get browser() {
      return browser;
    },
    visit: (path, visitOptions) => openVisit(browser, seiriken.url + path, visitOptions),
    reached: (room) => reachedOrigin(seiriken.origin, room),
    async change(room, settings) {
      const answer = await seiriken.manage("PATCH", `/waiting_rooms/${room}`, settings);
      if (answer.status !== 200) throw new Error(`${room} was not changed: ${answer.text}`);
    },
  };
};
