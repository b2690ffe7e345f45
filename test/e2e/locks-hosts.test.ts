/** A lock rule of one host, asked under other names of the same origin. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { lockStage } from "../support/lock-stage.ts";
import type { Sent } from "../support/lock-stage.ts";

const key = { from: "header", name: "X-Key" };
const stage = lockStage(
  [
    { name: "pay", host: "pay.example", path: "/pay", key },
    { name: "exact", host: "*", path: "/pay/by/hand", key },
  ],
  { env: { PASS_HOSTS: "*" } },
);

/** Asked of this server under that name; `null` is the server's own. */
const under = (host: string | null, path: string, id: string): Sent => [
  path,
  { headers: { "x-key": id, ...(host === null ? {} : { host }) } },
];

test.each([
  ["a host that PASS_HOSTS lets in", "any.example"],
  ["the launcher's own", null],
])("[HOST-5] %s leads to the same origin, and is under the same lock", async (_, host) => {
  for (const path of ["/pay", "/pay/1", "/PAY", "//pay"]) {
    const id = randomUUID();
    expect(await stage.beside(under("pay.example", "/pay", id), under(host, path, id))).toBe(
      "lock-conflict",
    );
  }
});

test("[HOST-5] the lock is one for both names, whichever comes first", async () => {
  const id = randomUUID();
  expect(await stage.beside(under(null, "/pay", id), under("pay.example", "/pay", id))).toBe(
    "lock-conflict",
  );
});

test("[HOST-5] another key, another path and a more specific rule are not under it", async () => {
  const id = randomUUID();
  const first = under("pay.example", "/pay", id);
  expect(await stage.beside(first, under("any.example", "/pay", randomUUID()))).toBe(201);
  expect(await stage.beside(first, under("any.example", "/other", id))).toBe(201);
  expect(await stage.beside(first, under("any.example", "/pay/by/hand", id))).toBe(201);
});
