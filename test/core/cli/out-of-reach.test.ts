import { expect, test } from "vitest";
import { lineOfValue } from "../../../src/core/json/line-of-value.ts";
import { guardedUrls, outOfReach, strayPorts } from "../../../cli/launch/out-of-reach.ts";
import type { PlacedRoom, ReachedBy } from "../../../cli/launch/out-of-reach.ts";

const HERE: ReachedBy = {
  url: "http://127.0.0.1:8787",
  ownNames: ["127.0.0.1", "localhost", "[::1]"],
  servesOthers: false,
};
const room = (host: string, ...more: string[]): PlacedRoom => ({
  name: "shop",
  host,
  path: "/tickets",
  additional_routes: more.map((other) => ({ host: other, path: "/more" })),
});

const TEXT = `[
  { "name": "other", "host": "*", "a": ["host", { "host": ": \\" {" }] },
  {
    "name": "shop",
    "seiriken": { "host": 1 },
    "host": "shop.example",
    "additional_routes": [
      { "path": "/x" },
      { "path": "/more",
        "host": "www.example" }
    ]
  }
]
`;

test.each([
  [[0, "host"], 2],
  [[0, "a", 1, "host"], 2],
  [[1, "host"], 6],
  [[1, "additional_routes", 1, "host"], 10],
  [[1, "additional_routes", 0, "host"], null],
  [[1, "nothing"], null],
  [[2], null],
])("[RUN-15] the value at %j begins on line %j", (keys, line) => {
  expect(lineOfValue(TEXT, keys)).toBe(line);
});

test("[RUN-15] rooms on hosts that this machine has not: a warning with the line to change", () => {
  const file = { path: "rooms.json", text: JSON.stringify([room("shop.example")], null, 2) };
  const told = outOfReach([room("shop.example")], HERE, file);
  expect(told?.event).toBe("warning");
  expect(told?.message.split("\n")).toEqual([
    expect.stringContaining("no room guards http://127.0.0.1:8787"),
    'to try it here, rooms.json line 4: "host": "*" in place of "host": "shop.example"',
    expect.stringContaining('curl -H "Host: shop.example" http://127.0.0.1:8787/tickets'),
  ]);
});

test("[RUN-15] a room that is in no file is named, and of many hosts the first three", () => {
  const told = outOfReach([room("a", "b", "c", "d")], HERE, null);
  expect(told?.message).toContain("(a, b, c, …)");
  expect(told?.message).toContain('to try room shop here: "host": "*" in place of "host": "a"');
});

test("[RUN-15] where others come under the rooms' names it is no more than a hint", () => {
  const told = outOfReach([room("shop.example")], { ...HERE, servesOthers: true }, null);
  expect(told).toMatchObject({ event: "hint" });
  expect(told?.message).toContain("under shop.example;");
});

test.each([
  ["no room at all", []],
  ["a room of every host", [room("shop.example"), room("*")]],
  ["a room of this machine's", [room("shop.example", "localhost")]],
  ["a room of this machine's, with a port", [room("localhost:8787")]],
  ["a room of a name that leads here", [room("shop.localhost")]],
])("[RUN-15] %s: there is nothing to say", (_what, rooms) => {
  expect(outOfReach(rooms, HERE, null)).toBeNull();
});

test("[RUN-21] a host with another port than ours is told with its line; with ours it is not", () => {
  const rooms = [room("localhost:3000", "localhost:8787")];
  const file = { path: "rooms.json", text: JSON.stringify(rooms, null, 2) };
  expect(strayPorts(rooms, HERE.url, file)).toEqual([
    expect.stringMatching(/^rooms\.json line 4: the port of "host": "localhost:3000" .*8787/),
  ]);
  expect(strayPorts([room("localhost")], HERE.url, null)).toEqual([]);
});

test("[RUN-21] what a room guards is told as it is opened here", () => {
  expect(guardedUrls(room("*", "shop.example"), HERE)).toBe(
    "http://127.0.0.1:8787/tickets, shop.example/more",
  );
});
