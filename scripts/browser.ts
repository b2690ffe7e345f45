import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MAC_PATHS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

const HOW = `No Chromium was found, and the browser tests need one. Any of these will do:
  - install it with your system's packages (Debian: apt-get install chromium)
  - npx playwright-core install chromium
  - set CHROMIUM_PATH to the program`;

const runs = (path: string): boolean =>
  existsSync(path) && spawnSync(path, ["--version"], { timeout: 20_000 }).status === 0;

const candidates = (): string[] => {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin", "/snap/bin"];
  const installed = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...installed, ...MAC_PATHS, chromium.executablePath()];
};

/** `CHROMIUM_PATH`, else the first that can be run of the system's and the one Playwright keeps. */
const findChromium = (): string | null => {
  const named = process.env["CHROMIUM_PATH"];
  if (named !== undefined && named !== "") {
    if (runs(named)) return named;
    throw new Error(`CHROMIUM_PATH is ${named}, but that can't be run.`);
  }
  return candidates().find(runs) ?? null;
};

/** Where Chromium is. Throws, and says how to get one, when there is none. */
export const chromiumPath = (): string => {
  const path = findChromium();
  if (path === null) throw new Error(HOW);
  return path;
};

const attempt = (command: string, args: readonly string[]): void => {
  console.log(`> ${command} ${args.join(" ")}`);
  spawnSync(command, args, { stdio: "inherit", timeout: 600_000 });
};

/** The same, but tries to install one first: Playwright's download, then Debian's package. */
export const ensureChromium = (): string => {
  if (findChromium() === null) {
    attempt(process.execPath, ["node_modules/playwright-core/cli.js", "install", "chromium"]);
  }
  if (findChromium() === null && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    attempt("apt-get", ["update"]);
    attempt("apt-get", ["install", "-y", "--no-install-recommends", "chromium"]);
  }
  return chromiumPath();
};
