import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";
import { chromiumPath } from "../../scripts/browser.ts";

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
