import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";
import { chromiumPath } from "../../scripts/browser.ts";
import type { Profiles } from "./browser-visit.ts";

/** Nothing here talks to anyone but the server under test. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A fresh Chromium; the caller closes it. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath(), args: FLAGS });

/** Browsers whose owner has switched cookies off, as Chromium's own settings do it. */
export const cookielessBrowsers: Profiles = {
  async newContext(options) {
    const folder = mkdtempSync(join(tmpdir(), "seiriken-cookieless-"));
    const settings = { profile: { default_content_setting_values: { cookies: 2 } } };
    mkdirSync(join(folder, "Default"));
    writeFileSync(join(folder, "Default/Preferences"), JSON.stringify(settings));
    const context = await chromium.launchPersistentContext(folder, {
      executablePath: chromiumPath(),
      args: FLAGS,
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
};
