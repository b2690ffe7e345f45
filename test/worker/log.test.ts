import { expect, test } from "vitest";
import { quietLog, reasonOf, type LogLine } from "../../src/worker/platform/log.ts";

const heard = (now: () => number) => {
  const lines: LogLine[] = [];
  return { lines, log: quietLog((line) => lines.push(line), now) };
};

test.each([
  ["error", 1],
  ["warn", 1],
  ["info", 50],
] as const)("[FAIL-16] of a thousand lines at level %s a second %i are written", (level, most) => {
  let now = 0;
  const { lines, log } = heard(() => now);
  for (let n = 0; n < 1_000; n += 1) log({ level, event: "request", room: "shop" });
  expect(lines).toHaveLength(most);
  log({ level, event: "request", room: "other" });
  log({ level, event: "ticket-taken", room: "shop" });
  expect(lines).toHaveLength(most + 2);
  now = 1_000;
  log({ level, event: "request", room: "shop" });
  expect(lines.at(-1)).toEqual({ level, event: "request", room: "shop", unsaid: 1_000 - most });
});

test("[FAIL-15] a reason is one short line without queries", () => {
  const reason = reasonOf(
    new Error(`no\n\u001b[2J way to http://h/a?token=1 ${"x".repeat(1_000)}`),
  );
  expect(reason).toMatch(/^Error: no\\u\{0a\}\\u\{1b\}\[2J way to http:\/\/h\/a\?… x+$/);
  expect(reason.length).toBeLessThan(330);
});
