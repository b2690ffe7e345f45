import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";
import { chromiumPath } from "../../scripts/browser.ts";
import type { Profiles } from "./browser-visit.ts";

/** Nothing here talks to anyone but the server under test. */
export const BROWSER_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let shared: Promise<Browser> | undefined;

/**
 * One Chromium for all test files of a process: to start it takes as long as many a test. Visitors are
 * contexts with nothing in common, and those that a file leaves open end with `close`.
 */
export const openBrowser = async (): Promise<Browser> => {
  shared ??= chromium.launch({ executablePath: chromiumPath(), args: BROWSER_FLAGS });
  const browser = await shared;
  if (!browser.isConnected()) {
    shared = undefined;
    return openBrowser();
  }
  browser.close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  };
  return browser;
};

/** Browsers in which their owner has changed Chromium's own settings, a new one for each profile. */
const browsersSetTo = (profile: object): Profiles => ({
  async newContext(options) {
    const folder = mkdtempSync(join(tmpdir(), "seiriken-profile-"));
    mkdirSync(join(folder, "Default"));
    writeFileSync(join(folder, "Default/Preferences"), JSON.stringify(profile));
    const context = await chromium.launchPersistentContext(folder, {
      executablePath: chromiumPath(),
      args: BROWSER_FLAGS,
      ...options,
    });
    const close = context.close.bind(context);
    // Not on its "close" event: the browser still writes to the folder then.
    context.close = async () => {
      await close();
      rmSync(folder, { recursive: true, force: true });
    };
    return context;
  },
});

/** Cookies are switched off. */
export const cookielessBrowsers = browsersSetTo({
  profile: { default_content_setting_values: { cookies: 2 } },
});

/** The letters are twice as large. */
export const largePrintBrowsers = browsersSetTo({
  webkit: { webprefs: { default_font_size: 32, default_fixed_font_size: 26 } },
});
