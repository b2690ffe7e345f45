import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { buildLogs } from "../../scripts/build-docs.ts";
import { LOG_EVENTS, type LogEventWords } from "../../src/core/log-events.ts";

const CATALOGS = ["src/core/log-events.ts", "src/core/object-log-events.ts"];
const sources = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "--", "src"], {
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".gen.ts") && !CATALOGS.includes(file));
const source = sources.map((file) => readFileSync(file, "utf8")).join("\n");
const events = Object.entries(LOG_EVENTS) as readonly [string, LogEventWords][];

test("[LOGLINE-1] docs/logs.md has every word that the log can have: npm run docs", () => {
  expect(readFileSync("docs/logs.md", "utf8")).toBe(buildLogs());
});

test("[LOGLINE-1] every word of it is logged somewhere", () => {
  expect(events.map(([event]) => event).filter((event) => !source.includes(`"${event}"`))).toEqual(
    [],
  );
});

test("[LOGLINE-1] words are logged at the level that it says", () => {
  const logged = [
    ...[...source.matchAll(/level: "(\w+)",\s*event: "([\w-]+)"/g)].map(([, level, event]) => [
      event,
      level,
    ]),
    ...[...source.matchAll(/logFailure\(\s*"([\w-]+)"/g)].map(([, event]) => [event, "error"]),
    ...[...source.matchAll(/logNews\(\s*"([\w-]+)"/g)].map(([, event]) => [event, "info"]),
    ...[...source.matchAll(/#log\("(\w+)", "([\w-]+)"/g)].map(([, level, event]) => [event, level]),
  ];
  expect(logged.length).toBeGreaterThan(45);
  const levels = new Map(events.map(([event, { level }]) => [event, level]));
  expect(logged.filter(([event = "", level]) => levels.get(event) !== level)).toEqual([]);
});

test("[LOGLINE-1] each says what it means and what to do, in sentences", () => {
  for (const [event, { says, do: what }] of events)
    for (const text of [says, what]) expect(text, event).toMatch(/^[A-Z`].{6,}\.$/);
});
