import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";
import { chromiumPath, headlessShellPath } from "../../scripts/browser.ts";
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

/** On a machine that names no locale, files that the browser saves would lose the letters of their names. */
const BROWSER_ENV = { ...process.env, LANG: "C.UTF-8", LC_ALL: "C.UTF-8" } as Record<
  string,
  string
>;

const shared = new Map<string, Promise<Browser>>();

const openShared = async (path: string): Promise<Browser> => {
  const opening =
    shared.get(path) ??
    chromium.launch({ executablePath: path, args: BROWSER_FLAGS, env: BROWSER_ENV });
  shared.set(path, opening);
  const browser = await opening;
  if (!browser.isConnected()) {
    shared.delete(path);
    return openShared(path);
  }
  browser.close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  };
  return browser;
};

/**
 * One browser for all test files of a process: to start it takes as long as many a test. Visitors are
 * contexts with nothing in common, and those that a file leaves open end with `close`. It is Chromium's
 * headless shell where there is one: the same engine, without the windows that nobody sees.
 */
export const openBrowser = (): Promise<Browser> => openShared(headlessShellPath());

/** Chromium as people have it: for what its windows decide, such as which tab is seen. */
export const openWholeBrowser = (): Promise<Browser> => openShared(chromiumPath());

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
