import { runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import type { AnswerContent, AnswerRecord } from "../../src/core/locks/answers.ts";
import type { Fence, Holder, SessionId } from "../../src/core/locks/lock.ts";
import { MemoryLocksStore } from "../../src/core/locks/memory-store.ts";
import type { LocksStore } from "../../src/core/locks/stored.ts";
import { instant } from "../../src/core/time.ts";
import { SqlLocksStore } from "../../src/durable/locks-store.ts";
import { locksObjects, nameOf, ownerOf } from "./locks-objects.ts";

type Use = (store: LocksStore) => void;

let stores = 0;
const inSqlite = (use: Use): Promise<void> => {
  stores += 1;
  const stub = locksObjects.getByName(`store-${stores}`);
  return runInDurableObject(stub as never, (_: unknown, state: DurableObjectState) => {
    const store = new SqlLocksStore(state.storage);
    store.prepare();
    use(store);
  });
};
const inMemory = (use: Use): Promise<void> => Promise.resolve(use(new MemoryLocksStore()));

const lease: Holder = {
  name: nameOf("17"),
  owner: ownerOf("a"),
  fence: 7 as Fence,
  grantedAt: instant(1_000),
  grip: { by: "lease", until: instant(31_000) },
};
const socket: Holder = {
  ...lease,
  name: nameOf("18 · 注文"),
  grip: { by: "socket", session: "s-1" as SessionId },
};
const record: AnswerRecord = {
  name: nameOf("17"),
  fingerprint: "f",
  fence: 7 as Fence,
  until: instant(600_000),
  state: "finished",
  status: 201,
  bytes: 600,
};
const content: AnswerContent = {
  status: 201,
  headers: [
    ["content-type", "application/json"],
    ["set-cookie", "a=1"],
    ["set-cookie", "b=2"],
  ],
  body: new Uint8Array([0, 255, 10, 13]),
};

describe.each([
  ["memory", inMemory],
  ["SQLite", inSqlite],
])("[LOCK-16] in %s", (_, within) => {
  test("nothing is there at first", () =>
    within((store) => {
      const { head, holders, stocks } = store.load();
      expect([head, [...holders], [...stocks]]).toEqual([null, [], []]);
      expect(store.record(nameOf("17"))).toBeNull();
      expect(store.content(nameOf("17"))).toBeNull();
    }));

  test("what was written is there, and the last of two is", () =>
    within((store) => {
      store.write([
        { put: "lock", holder: lease },
        { put: "lock", holder: socket },
        { put: "head", head: { fencesReserved: 1_024 as Fence, clock: instant(1_000) } },
      ]);
      const later: Holder = { ...lease, grip: { by: "lease", until: instant(61_000) } };
      store.write([{ put: "lock", holder: later }]);
      store.write([]);
      const { head, holders } = store.load();
      expect(head).toEqual({ fencesReserved: 1_024, clock: 1_000 });
      expect([...holders].toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([later, socket]);
    }));

  test("a lock that is dropped is gone, and dropping it again is nothing", () =>
    within((store) => {
      store.write([{ put: "lock", holder: lease }]);
      store.write([{ drop: "lock", name: lease.name }]);
      store.write([{ drop: "lock", name: lease.name }]);
      expect([...store.load().holders]).toEqual([]);
    }));

  test("an answer comes back byte for byte, and goes with its record", () =>
    within((store) => {
      store.write([{ put: "answer", record, content }]);
      expect(store.record(record.name)).toEqual(record);
      expect(store.content(record.name)).toEqual(content);
      store.write([{ put: "answer", record: { ...record, state: "not-kept" }, content: null }]);
      expect(store.content(record.name)).toBeNull();
      store.write([{ drop: "answer", name: record.name }]);
      expect(store.record(record.name)).toBeNull();
    }));

  test("answers are counted by when they go, and go together", () =>
    within((store) => {
      const put = (key: string, until: number) =>
        store.write([
          {
            put: "answer",
            record: { ...record, name: nameOf(key), until: instant(until) },
            content,
          },
        ]);
      put("a", 600_000);
      put("b", 600_000);
      put("c", 1_200_000);
      const stocks = [...store.load().stocks].toSorted((a, b) => a.until - b.until);
      expect(stocks).toEqual([
        { until: 600_000, count: 2, bytes: 1_200 },
        { until: 1_200_000, count: 1, bytes: 600 },
      ]);
      store.write([{ drop: "answers", until: instant(600_000) }]);
      expect(store.record(nameOf("a"))).toBeNull();
      expect(store.content(nameOf("b"))).toBeNull();
      expect(store.content(nameOf("c"))).toEqual(content);
    }));
});
