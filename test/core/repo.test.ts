import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { buildSettings, withErrors } from "../../scripts/build-docs.ts";
import { buildOpenApi } from "../../scripts/build-openapi.ts";
import { VERSION } from "../../src/api/version.ts";

/** Rules of the house that no linter knows. Each lists every place that breaks it. */

/** Tracked files, and new ones that git would take. */
const files = (...paths: string[]): string[] =>
  execFileSync("git", ["ls-files", "-co", "--exclude-standard", "--deduplicate", "--", ...paths], {
    encoding: "utf8",
  })
    .split("\n")
    .filter((file) => file !== "" && !file.startsWith("test/canary/"));

const read = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // deleted, but not yet committed
  }
};

/** `file:line` of each line that matches. */
const linesWith = (pattern: RegExp, ...paths: string[]): string[] =>
  files(...paths).flatMap((file) =>
    read(file)
      .split("\n")
      .flatMap((text, i) => (pattern.test(text) ? [`${file}:${i + 1} ${text.trim()}`] : [])),
  );

/** Written apart, so that this file does not break the rule it holds. */
const words = (...parts: string[]): RegExp => new RegExp(`\\b(${parts.join("|")})\\b`, "i");

test("one file, one idea: none in src and cli is longer than 350 lines", () => {
  const long = files("src", "cli")
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".gen.ts"))
    .map((file) => `${file} ${read(file).split("\n").length - 1}`)
    .filter((entry) => Number(entry.split(" ")[1]) > 350);
  expect(long).toEqual([]);
});

test("nothing says that it is unfinished", () => {
  const unfinished = words(
    "TO" + "DO",
    "FIX" + "ME",
    "XXX",
    "not " + "implemented",
    "place" + "holder",
    "stub out",
    "stubbed out",
    "for " + "now",
  );
  expect(linesWith(unfinished, "src", "cli", "static", "scripts")).toEqual([]);
});

test("no test is switched off or narrowed", () => {
  const off = /\b(it|test|describe)\.(skip|only|todo|fails|skipIf|runIf)\b/;
  expect(linesWith(off, "test/**/*.ts", "src", "bench")).toEqual([]);
});

test("no test is tried twice: what fails once, fails", () => {
  expect(linesWith(/\bretry: *[\w(]/, "test/**/*.test.ts", "vitest.config.ts")).toEqual([]);
});

test("the core makes a Date only from an instant", () => {
  expect(linesWith(/\bnew Date\(\s*\)|\bDate\(\s*\)/, "src/core")).toEqual([]);
});

test("every rule of docs/SPEC.md is quoted by a test, and every quoted rule is there", () => {
  const spec = new Set(read("docs/SPEC.md").match(/\b[A-Z]{3,}-[0-9]+\b/g) ?? []);
  const quoted = new Set(
    files("test/**/*.ts").flatMap((file) =>
      [...read(file).matchAll(/\[([A-Z]{3,}-[0-9]+)\]/g)].map((match) => match[1] ?? ""),
    ),
  );
  expect(
    [...spec].filter((rule) => !quoted.has(rule)),
    "rules that no test quotes",
  ).toEqual([]);
  expect(
    [...quoted].filter((rule) => !spec.has(rule)),
    "quoted, but no rule",
  ).toEqual([]);
  expect(spec.size).toBeGreaterThan(0);
});

test("a rule is written once", () => {
  const defined = [...read("docs/SPEC.md").matchAll(/^- \*\*([A-Z]{3,}-[0-9]+)\*\*/gm)].map(
    (match) => match[1] ?? "",
  );
  expect(defined.filter((rule, i) => defined.indexOf(rule) !== i)).toEqual([]);
});

test("[ROOM-23] docs/settings.md is what the schemas say: npm run docs makes it anew", () => {
  expect(read("docs/settings.md")).toBe(buildSettings());
});

test("[OPENAPI-1] openapi.json is what the schemas say: npm run docs makes it anew", () => {
  expect(read("src/worker/operators/openapi.gen.ts")).toBe(buildOpenApi());
});

test("[DOCS-3] docs/API.md has every error code of the source: npm run docs", () => {
  expect(read("docs/API.md")).toBe(withErrors(read("docs/API.md")));
});

test("the version stands in package.json, in the lock file, and with its date in CHANGELOG.md", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const lock = JSON.parse(read("package-lock.json")) as { version: string };
  expect(lock.version).toBe(version);
  expect(VERSION).toBe(version);
  const released = [...read("CHANGELOG.md").matchAll(/^## (\d\S*) - \d{4}-\d\d-\d\d$/gm)];
  expect(released[0]?.[1]).toBe(version);
});

test("each dependency has its reason in CONTRIBUTING.md", () => {
  const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<
    "dependencies" | "devDependencies",
    Record<string, string>
  >;
  const told = read("CONTRIBUTING.md");
  const names = [...Object.keys(dependencies), ...Object.keys(devDependencies)];
  expect(names.filter((name) => !told.includes(`\`${name}\``))).toEqual([]);
});

test("every version is exact, so that each clone runs the same", () => {
  const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<
    "dependencies" | "devDependencies",
    Record<string, string>
  >;
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  );
  expect(loose).toEqual([]);
});

test("install scripts run for node, esbuild and workerd only", () => {
  const { allowScripts } = JSON.parse(read("package.json")) as { allowScripts: object };
  expect(allowScripts).toEqual({ esbuild: true, node: true, workerd: true });
});
