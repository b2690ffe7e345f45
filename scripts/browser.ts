import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/** Chromium's engine without the windows around it, which nobody sees in a test: a third of the work. */
const SHELL_NAMES = ["chromium-headless-shell", "chrome-headless-shell", "headless_shell"];
const MAC_PATHS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

const HOW = `No Chromium was found, and the browser tests need one. Any of these will do:
  - install it with your system's packages (Debian: apt-get install chromium)
  - npx playwright-core install chromium
  - set CHROMIUM_PATH to the program`;

const runs = (path: string): boolean =>
  path !== "" &&
  existsSync(path) &&
  spawnSync(path, ["--version"], { timeout: 20_000 }).status === 0;

const installedAs = (names: readonly string[]): string[] => {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin", "/snap/bin"];
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
};

const candidates = (): string[] => [...installedAs(NAMES), ...MAC_PATHS, chromium.executablePath()];

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

const findShell = (): string | null =>
  [process.env["HEADLESS_SHELL_PATH"] ?? "", ...installedAs(SHELL_NAMES)].find(runs) ?? null;

/** Where Chromium's headless shell is; where there is none, Chromium itself does the same, slower. */
export const headlessShellPath = (): string => findShell() ?? chromiumPath();

const attempt = (command: string, args: readonly string[]): void => {
  console.log(`> ${command} ${args.join(" ")}`);
  spawnSync(command, args, { stdio: "inherit", timeout: 600_000 });
};

const canInstallPackages = (): boolean =>
  process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

const installPackages = (names: readonly string[]): void => {
  attempt("apt-get", ["update"]);
  attempt("apt-get", ["install", "-y", "--no-remove", "--no-install-recommends", ...names]);
};

/**
 * The variables that name both to the tests. Tries to install what is missing first: Playwright's
 * download, then Debian's packages. The shell takes over a minute off a whole run, but nobody needs it.
 */
export const ensureBrowsers = (): Readonly<Record<string, string>> => {
  if (findChromium() === null) {
    attempt(process.execPath, ["node_modules/playwright-core/cli.js", "install", "chromium"]);
  }
  const missing = [
    ...(findChromium() === null ? ["chromium"] : []),
    ...(findShell() === null ? ["chromium-headless-shell"] : []),
  ];
  if (missing.length > 0 && canInstallPackages()) installPackages(missing);
  return { CHROMIUM_PATH: chromiumPath(), HEADLESS_SHELL_PATH: headlessShellPath() };
};
