/**
 * Builds the queue page: `static/queue` becomes two modules of strings, which every bundler takes and
 * which need no assets binding. Run `node scripts/build-page.ts` after a change in `static/queue`.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import type { Plugin } from "esbuild";
import { format } from "oxfmt";
import { minify as squeeze } from "terser";
import { BELL_PATH } from "../src/worker/page/bell-path.ts";

const SOURCE = new URL("../static/queue/", import.meta.url);
const OWN = new URL("../static/own-page/", import.meta.url);
const TARGETS = new URL("../src/worker/page/", import.meta.url);
/** The oldest browsers that run the page's script; older ones have the watchdog. */
const SCRIPT_TARGET = ["es2017"];
/** The script's own names for its parts: in no message, no storage and no interface of a browser. */
const INNER_NAMES = [
  "say",
  "percent",
  "fill",
  "askAgainAt",
  "chime",
  "claimWithinMs",
  "count",
  "disarm",
  "down",
  "enter",
  "follow",
  "hear",
  "isShown",
  "lateMs",
  "leave",
  "milestone",
  "notices",
  "percent",
  "placed",
  "reloadNow",
  "retryMs",
  "returnAfterMs",
  "shown",
  "startOver",
  "takeIn",
  "tell",
  "update",
  "wake",
];
/**
 * What the tabs of one visitor tell each other, who may have pages of two versions: each of these is
 * the same letter in every build.
 */
const NAMES_AMONG_TABS = {
  asks: "A",
  endedAt: "E",
  heardAt: "H",
  inSight: "I",
  missedAt: "M",
  since: "S",
};
/** Classes that the browser gets as a letter: what no test and no script names. */
const CLASSES = [
  "act",
  "band",
  "choices",
  "crowd",
  "door",
  "face",
  "facts",
  "floor",
  "holds",
  "languages",
  "line",
  "rest",
  "say",
  "scriptless",
  "slot",
  "stub",
  "tear",
  "ticket",
  "top",
  "unseen",
  "you",
];
const STYLE_TARGET = ["chrome61", "safari11", "firefox60"];

const read = (path: string, from = SOURCE): Promise<string> =>
  readFile(new URL(path, from), "utf8");

/** The letters of the classes in a style, and of its custom properties: their first (see palette.ts). */
const shortStyle = (css: string): string =>
  css
    .replace(/\.([a-z]+)\b/g, (said, name: string) => `.${letterOf(name) ?? said.slice(1)}`)
    .replace(/--([a-z])[a-z]+/g, "--$1");

const shortClasses = (html: string): string =>
  html.replace(
    /class="([a-z ]+)"/g,
    (_, names: string) =>
      `class="${names
        .split(" ")
        .map((name) => letterOf(name) ?? name)
        .join(" ")}"`,
  );

const letterOf = (name: string): string | undefined =>
  CLASSES.includes(name) ? String.fromCodePoint(0x61 + CLASSES.indexOf(name)) : undefined;

const minify = async (code: string, loader: "css" | "js", target: string[]): Promise<string> =>
  (await transform(code, { loader, minify: true, target, legalComments: "none" })).code.trim();

/** Labels of the server's, which change with the phases of an event. */
const EVENT_LABELS = ["ahead", "among", "wait"];

/** Names of messages, and the two ways in which the script's source says one. */
const SAID = /\b(?:keyOf\("(\w+)"\)|(say\()"(\w+)")/g;

/** Puts each message's place in the list where the source has its name: `say("waiting")` is `say(18)`. */
const placesForNames = async (): Promise<Plugin> => {
  const english = JSON.parse(await read("messages/en.json")) as Record<"page" | "event", object>;
  // In the order in which `forEvent` (src/worker/page/index.ts) puts them.
  const names = [...Object.keys(english.page), ...Object.keys(english.event), ...EVENT_LABELS];
  const places = new Map(names.map((name, place) => [name, place]));
  const placed = (source: string): string =>
    source.replace(SAID, (said, name: string | undefined, say = "", told = "") => {
      const place = places.get(name ?? told);
      return place === undefined ? said : `${say}${place}`;
    });
  return {
    name: "places-for-names",
    setup: (building) =>
      building.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
        contents: placed(await readFile(path, "utf8")),
        loader: "ts",
      })),
  };
};

/** @param events with what pages need that may see an event; the queue page is made in both ways */
const bundleScript = async (main: URL, events = false, bootId = "boot"): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(main)],
    bundle: true,
    define: {
      EVENTS: String(events),
      BOOT_ID: JSON.stringify(bootId),
      BELL_PATH: JSON.stringify(BELL_PATH),
    },
    format: "esm",
    // Without the strictness of modules, which is 13 letters, nothing here means anything else.
    tsconfigRaw: { compilerOptions: { alwaysStrict: false } },
    target: SCRIPT_TARGET,
    charset: "utf8",
    plugins: [await placesForNames()],
    legalComments: "none",
    write: false,
  });
  // It makes the script a twentieth smaller than esbuild does, and the page has a limit.
  const { code = "" } = await squeeze(outputFiles[0]!.text, {
    ecma: 2017,
    toplevel: true,
    compress: {
      passes: 5,
      booleans_as_integers: true,
      inline: 1,
      pure_getters: true,
      unsafe: true,
      unsafe_arrows: true,
      unsafe_math: true,
    },
    mangle: {
      properties: {
        builtins: true,
        regex: new RegExp(`^(${[...INNER_NAMES, ...Object.keys(NAMES_AMONG_TABS)].join("|")})$`),
      },
    },
    nameCache: { props: { props: namesAmongTabs } },
    format: { comments: false },
  });
  return inBlock(code.trim());
};

/** As terser keeps the names that it has given. */
const namesAmongTabs = Object.fromEntries(
  Object.entries(NAMES_AMONG_TABS).map(([name, letter]) => [`$${name}`, letter]),
);

/** Only the block knows its names, and all of its variables are said with one word. */
const inBlock = (code: string): string =>
  `{${code
    .replace(/^var /, "let ")
    .replace(/\bconst(?=[ {[])/g, "let")
    .replace(/;$/, "")}}`;

/** Inside a script element these would end it, or begin a comment that swallows its end. */
const assertInlines = (name: string, code: string): string => {
  if (/<\/script|<!--|<\/style/i.test(code)) throw new Error(`${name} can't be inlined`);
  return code;
};

/** Our pages begin alike. In their bodies no line ends between two tags: blanks that count are written as such. */
const template = async (name: string): Promise<string> => {
  const start = await read("head.html");
  const page = (await read(name)).replace("{{> head}}", () => start).replace(/\n+/g, "\n");
  const [head = "", body = ""] = page.split("<body");
  return withoutOptionalTags(shortClasses(`${head}<body${body.replaceAll(">\n<", "><")}`));
};

/** HTML lets these be left out where something else begins or their parent ends. */
const withoutOptionalTags = (html: string): string =>
  html
    .replace(/<\/?head>\n|<\/body><\/html>\n*$/g, "")
    .replace(
      /<\/(dd|dt|li|p)>(?=<(?:(?:dd|div|dt|h2|li|p|section|ul)\b|\/(?:div|dl|section|ul)>))/g,
      "",
    );

const readCss = async (name: string): Promise<string> =>
  assertInlines(name, shortStyle(await minify(await read(name), "css", STYLE_TARGET)));

const NOTE = "// Made by scripts/build-page.ts from static/queue. Edit there, then build again.";

const moduleOf = async (name: string, constants: Readonly<Record<string, string>>) => {
  const lines = Object.entries(constants).map(
    ([typed, value]) => `export const ${typed} = ${value};`,
  );
  return (await format(name, [NOTE, ...lines].join("\n\n"), { printWidth: 100 })).code;
};

/** Names of files without their ending; English first, as it is everybody's last resort. */
const namesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(new URL(folder, SOURCE)))
    .map((file) => file.replace(/\.\w+$/, ""))
    .toSorted((a, b) => Number(b === "en") - Number(a === "en") || (a < b ? -1 : 1));

const scriptOf = (language: string): string => new Intl.Locale(language).maximize().script ?? "";

/** Every file is a language. Its texts stay JSON until somebody reads it: most isolates need few. */
const catalogs = async (): Promise<Readonly<Record<string, string>>> => {
  const languages: Record<string, object> = {};
  const texts: Record<string, string> = {};
  for (const language of await namesIn("messages/")) {
    const catalog = JSON.parse(await read(`messages/${language}.json`)) as Record<string, unknown>;
    const { name, dir } = catalog;
    languages[language] = { name, dir, script: scriptOf(language) };
    texts[language] = JSON.stringify(catalog);
  }
  const record = "Readonly<Record<string, string>>";
  return {
    'languages: Readonly<Record<string, Readonly<Record<"name" | "dir" | "script", string>>>>':
      JSON.stringify(languages),
    [`catalogTexts: ${record}`]: JSON.stringify(texts),
  };
};

/** What the letters of a script need besides the page's own style, by ISO 15924. */
const letterStyles = async (): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    await Promise.all(
      (await namesIn("letters/")).map(async (script) => [
        script,
        await readCss(`letters/${script}.css`),
      ]),
    ),
  ) as Readonly<Record<string, string>>;

/** The modules as they should be, by their names in src/worker/page. */
export const buildPage = async (): Promise<Readonly<Record<string, string>>> => {
  const parts = {
    template: await template("page.html"),
    errorTemplate: await template("error.html"),
    languagesTemplate: await template("languages.html"),
    errorCss: await readCss("error.css"),
    languagesCss: await readCss("languages.css"),
    css: await readCss("queue.css"),
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
      await bundleScript(new URL("client/main.ts", OWN), true, "seiriken-boot"),
    ),
    eventScript: assertInlines(
      "the script of events",
      await bundleScript(new URL("client/main.ts", SOURCE), true),
    ),
    eventCss: await readCss("event.css"),
  };
  // In its URL, so that a page of a newer deployment gets the newer one.
  const proofVersion = createHash("sha256").update(parts.proofScript).digest("hex").slice(0, 8);
  const assets = Object.fromEntries(
    Object.entries({ ...parts, proofVersion }).map(([name, text]) => [name, JSON.stringify(text)]),
  );
  const letters = JSON.stringify(await letterStyles());
  return {
    "assets.gen.ts": await moduleOf("assets.gen.ts", {
      ...assets,
      "letterCss: Readonly<Record<string, string>>": letters,
    }),
    "catalogs.gen.ts": await moduleOf("catalogs.gen.ts", await catalogs()),
  };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, code] of Object.entries(await buildPage()))
    await writeFile(new URL(name, TARGETS), code);
}
