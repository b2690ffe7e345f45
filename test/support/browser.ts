import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";

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

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** A fresh Chromium; the caller closes it. */
export const openBrowser = (): Promise<Browser> => {
  const executablePath = process.env["CHROMIUM_PATH"] ?? PLACES.find((place) => existsSync(place));
  if (executablePath === undefined)
    throw new Error("no Chromium found: install one, or name it in CHROMIUM_PATH");
  return chromium.launch({ executablePath, args: FLAGS });
};
