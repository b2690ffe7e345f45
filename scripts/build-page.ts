/**
 * Builds the queue page: `static/queue` becomes one module of strings, which every bundler takes and
 * which needs no assets binding. Run `node scripts/build-page.ts` after a change in `static/queue`.
 */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { format } from "oxfmt";
import { minify as squeeze } from "terser";

const SOURCE = new URL("../static/queue/", import.meta.url);
const OWN = new URL("../static/own-page/", import.meta.url);
const TARGET = new URL("../src/worker/page/assets.gen.ts", import.meta.url);
const LANGUAGES = ["en", "de", "ja"];
/** The oldest browsers that run the page's script; older ones have the watchdog. */
const SCRIPT_TARGET = ["es2017"];
/** The script's own names for its parts: in no message, no storage and no interface of a browser. */
const INNER_NAMES = [
  "askAgainAt",
  "chime",
  "claimWithinMs",
  "disarm",
  "draw",
  "enter",
  "follow",
  "forgetReloads",
  "hush",
  "isBouncing",
  "isShown",
  "kind",
  "lateMs",
  "leave",
  "local",
  "missedCall",
  "noteGoingIn",
  "noteWait",
  "notices",
  "percent",
  "reloadDelay",
  "reloadNow",
  "remember",
  "retryMs",
  "say",
  "shown",
  "spreadMs",
  "startOver",
  "takeIn",
  "tell",
  "waitOf",
  "wake",
  "wayOf",
];
const STYLE_TARGET = ["chrome61", "safari11", "firefox60"];

const read = (path: string, from = SOURCE): Promise<string> =>
  readFile(new URL(path, from), "utf8");

const minify = async (code: string, loader: "css" | "js", target: string[]): Promise<string> =>
  (await transform(code, { loader, minify: true, target, legalComments: "none" })).code.trim();

/** @param events with what pages need that may see an event; the queue page is made in both ways */
const bundleScript = async (main: URL, events = false): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(main)],
    bundle: true,
    define: { EVENTS: String(events) },
    format: "iife",
    target: SCRIPT_TARGET,
    charset: "utf8",
    legalComments: "none",
    write: false,
  });
  // It makes the script a twentieth smaller than esbuild does, and the page has a limit.
  const { code } = await squeeze(outputFiles[0]!.text, {
    ecma: 2017,
    compress: { passes: 5, unsafe: true, unsafe_arrows: true, pure_getters: true },
    mangle: { properties: { builtins: true, regex: new RegExp(`^(${INNER_NAMES.join("|")})$`) } },
    format: { comments: false },
  });
  return (code ?? "").trim();
};

/** Inside a script element these would end it, or begin a comment that swallows its end. */
const assertInlines = (name: string, code: string): string => {
  if (/<\/script|<!--|<\/style/i.test(code)) throw new Error(`${name} can't be inlined`);
  return code;
};

/** Both pages begin alike. */
const template = async (name: string): Promise<string> => {
  const head = await read("head.html");
  return (await read(name)).replace("{{> head}}", () => head).replace(/\n+/g, "\n");
};

/** The text of `assets.gen.ts` as it should be. */
export const buildPage = async (): Promise<string> => {
  const parts = {
    template: await template("page.html"),
    errorTemplate: await template("error.html"),
    errorCss: assertInlines(
      "error.css",
      await minify(await read("error.css"), "css", STYLE_TARGET),
    ),
    css: assertInlines("queue.css", await minify(await read("queue.css"), "css", STYLE_TARGET)),
    watchdog: assertInlines("watchdog.js", await minify(await read("watchdog.js"), "js", ["es5"])),
    bellWorker: await minify(await read("bell-worker.js"), "js", SCRIPT_TARGET),
    proofScript: await bundleScript(new URL("proof/main.ts", SOURCE)),
    script: assertInlines("the script", await bundleScript(new URL("client/main.ts", SOURCE))),
    ownTemplate: (await read("script.html", OWN)).trim(),
    ownWatchdog: assertInlines(
      "the own page's watchdog.js",
      await minify(await read("watchdog.js", OWN), "js", ["es5"]),
    ),
    ownScript: assertInlines(
      "the own page's script",
      await bundleScript(new URL("client/main.ts", OWN), true),
    ),
    eventScript: assertInlines(
      "the script of events",
      await bundleScript(new URL("client/main.ts", SOURCE), true),
    ),
    eventCss: assertInlines(
      "event.css",
      await minify(await read("event.css"), "css", STYLE_TARGET),
    ),
  };
  // In its URL, so that a page of a newer deployment gets the newer one.
  const proofVersion = createHash("sha256").update(parts.proofScript).digest("hex").slice(0, 8);
  const catalogs = Object.fromEntries(
    await Promise.all(
      LANGUAGES.map(async (language) => [
        language,
        JSON.parse(await read(`messages/${language}.json`)) as unknown,
      ]),
    ),
  ) as unknown;
  const code = [
    "// Made by scripts/build-page.ts from static/queue. Edit there, then build again.",
    'import type { Catalogs } from "../../page/words.ts";',
    ...Object.entries(parts).map(
      ([name, text]) => `export const ${name} = ${JSON.stringify(text)};`,
    ),
    `export const proofVersion = "${proofVersion}";`,
    `export const catalogs: Catalogs = ${JSON.stringify(catalogs)};`,
  ].join("\n\n");
  return (await format("assets.gen.ts", code, { printWidth: 100 })).code;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(TARGET, await buildPage());
}
