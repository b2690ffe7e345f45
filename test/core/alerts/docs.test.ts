import { expect, test } from "vitest";
import { ALERT_TYPES } from "../../../src/core/alerts/alert.ts";
import { read } from "../../support/docs.ts";

/** The table of the page: a type, when it is told, and its data. */
const rows = [
  ...read("docs/alerts.md").matchAll(/^\| `([a-z_]+\.[a-z_]+)` \| (.+?) \| ?(.*?) ?\|$/gm),
];

test("[ALERT-12] the page has every type of alert, in the order of the source", () => {
  expect(rows.map(([, type]) => type)).toEqual([...ALERT_TYPES]);
  for (const [, type, when] of rows) expect([type, (when ?? "").length > 10]).toEqual([type, true]);
});
