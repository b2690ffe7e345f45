import { expect, test } from "vitest";
import { changeLines, changesBetween } from "../../../cli/rooms/changes.ts";
import { harmOf, type Crowd } from "../../../cli/rooms/harm.ts";

const NOBODY: Crowd = { waiting: 0, called: 0, visiting: 0 };
const CROWDS: readonly Exclude<Crowd, null>[] = [
  { waiting: 1, called: 0, visiting: 0 },
  { waiting: 0, called: 1, visiting: 0 },
  { waiting: 0, called: 0, visiting: 1 },
];

const of = (path: string, from: unknown, to: unknown, crowd: Crowd, by: "file" | "command") =>
  harmOf([{ path, from, to }], crowd, by).map((harm) => harm.of);

test.each([
  [20, 99, false],
  [20, 100, true],
  [1, 5, true],
  [100, 20, false],
])("[ASK-2] total_active_users from %i to %i: asked %s, also with nobody there", (from, to, is) => {
  expect(of("total_active_users", from, to, NOBODY, "file")).toHaveLength(is ? 1 : 0);
});

const GROUND = [
  "host",
  "path",
  "additional_routes",
  "cookie_suffix",
  "queueing_method",
  "seiriken.permit",
  "seiriken.cookie_domain",
  "seiriken.origin",
  "seiriken.client_key",
];

test.each(GROUND)("[ASK-2] %s is asked about under anybody, and under nobody not", (path) => {
  for (const crowd of [...CROWDS, null]) expect(of(path, "a", "b", crowd, "file")).toEqual([path]);
  expect(of(path, "a", "b", NOBODY, "file")).toEqual([]);
});

test("[ASK-2] [ASK-5] suspending a room with people in it is asked about, whoever does it", () => {
  for (const crowd of [...CROWDS, null])
    expect(of("suspended", false, true, crowd, "command")).toEqual(["suspended"]);
  expect(of("suspended", false, true, NOBODY, "command")).toEqual([]);
});

test.each([
  ["queue_all", true, false],
  ["queue_all", false, true],
  ["suspended", true, false],
  ["seiriken.closed", "Sold out", null],
  ["seiriken.message", null, "Doors at ten"],
])(
  "[ASK-2] [ASK-5] a file that sets %s from %j to %j is asked about, a command not",
  (path, from, to) => {
    expect(of(path, from, to, NOBODY, "file")).toEqual([path]);
    expect(of(path, from, to, CROWDS[0]!, "command")).toEqual([]);
  },
);

test("[ASK-2] what hurts nobody is not asked about", () => {
  for (const path of ["description", "new_users_per_minute", "seiriken.strict", "session_duration"])
    expect(of(path, 1, 1_000, CROWDS[0]!, "file")).toEqual([]);
});

test("[ASK-2] the question says who is there", () => {
  const [harm] = harmOf(
    [{ path: "host", from: "a", to: "b" }],
    { waiting: 12, called: 1, visiting: 3 },
    "file",
  );
  expect(harm?.sentence).toContain("12 wait, 1 are called, 3 are in");
});

test("[ASK-1] fields are shown as old → new, lists by what is added and taken out", () => {
  const before = {
    id: "x",
    modified_on: "1",
    total_active_users: 20,
    description: "same",
    additional_routes: [{ host: "a", path: "/1" }, { path: "/2" }],
    seiriken: { message: null, strict: false, client_key: { from: "address" } },
  };
  const after = {
    id: "y",
    modified_on: "2",
    total_active_users: 50,
    description: "same",
    additional_routes: [{ path: "/1", host: "a" }, { path: "/3" }],
    seiriken: { message: "Hi", strict: false, client_key: null },
  };
  expect(changeLines(changesBetween(before, after))).toEqual([
    "total_active_users   20 → 50",
    'additional_routes    - {"path":"/2"}',
    '                     + {"path":"/3"}',
    'seiriken.message     none → "Hi"',
    'seiriken.client_key  {"from":"address"} → none',
  ]);
});

test("[ASK-1] what nobody reads is cut", () => {
  const [line] = changeLines([{ path: "logo", from: null, to: "x".repeat(20_000) }]);
  expect(line!.length).toBeLessThan(300);
  expect(line).toContain("20002 characters");
});
