/**
 * Builds the queue page: `static/queue` becomes one module of strings, which every bundler takes and
 * which needs no assets binding. Run `node scripts/build-page.ts` after a change in `static/queue`.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import * as prettier from "prettier";

const SOURCE = new URL("../static/queue/", import.meta.url);
const TARGET = new URL("../src/worker/page/assets.gen.ts", import.meta.url);
const LANGUAGES = ["en", "de", "ja"];
/** The oldest browsers that run the page's script; older ones have the watchdog. */
const SCRIPT_TARGET = ["es2017"];
const STYLE_TARGET = ["chrome61", "safari11", "firefox60"];

const read = (path: string): Promise<string> => readFile(new URL(path, SOURCE), "utf8");

const minify = async (code: string, loader: "css" | "js", target: string[]): Promise<string> =>
  (await transform(code, { loader, minify: true, target, legalComments: "none" })).code.trim();

const bundleScript = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("client/main.ts", SOURCE))],
    bundle: true,
    format: "iife",
    minify: true,
    target: SCRIPT_TARGET,
    charset: "utf8",
    legalComments: "none",
    write: false,
  });
  return outputFiles[0]!.text.trim();
};

/** Inside a script element these would end it, or begin a comment that swallows its end. */
const assertInlines = (name: string, code: string): string => {
  if (/<\/script|<!--|<\/style/i.test(code)) throw new Error(`${name} can't be inlined`);
  return code;
};

/** The text of `assets.gen.ts` as it should be. */
export const buildPage = async (): Promise<string> => {
  const parts = {
    template: (await read("page.html")).replace(/\n+/g, "\n"),
    css: assertInlines("queue.css", await minify(await read("queue.css"), "css", STYLE_TARGET)),
    watchdog: assertInlines("watchdog.js", await minify(await read("watchdog.js"), "js", ["es5"])),
    script: assertInlines("the script", await bundleScript()),
  };
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
    'import type { Catalogs } from "./words.ts";',
    ...Object.entries(parts).map(
      ([name, text]) => `export const ${name} = ${JSON.stringify(text)};`,
    ),
    `export const catalogs: Catalogs = ${JSON.stringify(catalogs)};`,
  ].join("\n\n");
  return prettier.format(code, { parser: "typescript", printWidth: 100 });
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(TARGET, await buildPage());
}
