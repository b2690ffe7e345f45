import { describe, expect, test } from "vitest";
import type { AnswerContent, AnswerRecord } from "../../../src/core/locks/answers.ts";
import type { Fence, Holder } from "../../../src/core/locks/lock.ts";
import type { LocksStore } from "../../../src/core/locks/stored.ts";
import { instant } from "../../../src/core/time.ts";
import { clientOf, nameOf, ownerOf, sessionOf } from "./world.ts";

const lease: Holder = {
  name: nameOf("17"),
  owner: ownerOf("a"),
  fence: 7 as Fence,
  grantedAt: instant(1_000),
  tenure: { by: "lease", until: instant(31_000) },
};
const socket: Holder = {
  ...lease,
  name: nameOf("18 · 注文"),
  tenure: { by: "socket", session: sessionOf("1") },
};
const record: AnswerRecord = {
  name: nameOf("17"),
  fingerprint: "f",
  fence: 7 as Fence,
  until: instant(600_000),
  state: "finished",
  status: 201,
  bytes: 600,
  client: clientOf(7),
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

/** Runs `use` on an empty store, wherever such a store can live. */
export type InStore = (use: (store: LocksStore) => void) => void | Promise<void>;

/** What a shard of locks asks of its store. */
export const locksStoreContract = (name: string, inStore: InStore): void => {
  describe(`[LOCK-16] the locks' store: ${name}`, () => {
    const rule = (title: string, use: (store: LocksStore) => void): void =>
      test(`${title}`, () => inStore(use));

    rule("nothing is there at first", (store) => {
      const { head, holders, stocks } = store.load();
      expect([head, [...holders], [...stocks]]).toEqual([null, [], []]);
      expect(store.record(nameOf("17"))).toBeNull();
      expect(store.content(nameOf("17"))).toBeNull();
    });

    rule("what was written is there, and the last of two is", (store) => {
      store.write([
        { put: "lock", holder: lease },
        { put: "lock", holder: socket },
        { put: "head", head: { fencesReserved: 1_024 as Fence, clock: instant(1_000) } },
      ]);
      const later: Holder = { ...lease, tenure: { by: "lease", until: instant(61_000) } };
      store.write([{ put: "lock", holder: later }]);
      store.write([]);
      const { head, holders } = store.load();
      expect(head).toEqual({ fencesReserved: 1_024, clock: 1_000 });
      expect([...holders].toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([later, socket]);
    });

    rule("which shards have moved is there, each once", (store) => {
      for (const shard of [7, 63, 7]) store.write([{ put: "moved", shard }]);
      expect([...store.load().moved].toSorted((a, b) => a - b)).toEqual([7, 63]);
    });

    rule("all answers can be read at once, with and without their content", (store) => {
      const bare: AnswerRecord = { ...record, name: nameOf("18"), state: "running" };
      store.write([
        { put: "answer", record, content },
        { put: "answer", record: bare, content: null },
      ]);
      const answers = [...store.answers()].toSorted((a) => (a.content === null ? 1 : -1));
      expect(answers).toEqual([
        { record, content },
        { record: bare, content: null },
      ]);
    });

    rule("many locks at once are written as one by one", (store) => {
      store.write([
        { put: "lock", holder: lease },
        { put: "lock", holder: socket },
      ]);
      store.write([
        { put: "lock", holder: { ...lease, fence: 8 as Fence } },
        { drop: "lock", name: socket.name },
      ]);
      expect([...store.load().holders]).toEqual([{ ...lease, fence: 8 }]);
    });

    rule("a lock that is dropped is gone, and dropping it again is nothing", (store) => {
      store.write([{ put: "lock", holder: lease }]);
      store.write([{ drop: "lock", name: lease.name }]);
      store.write([{ drop: "lock", name: lease.name }]);
      expect([...store.load().holders]).toEqual([]);
    });

    rule("an answer comes back byte for byte, and goes with its record", (store) => {
      store.write([{ put: "answer", record, content }]);
      expect(store.record(record.name)).toEqual(record);
      expect(store.content(record.name)).toEqual(content);
      store.write([{ put: "answer", record: { ...record, state: "not-kept" }, content: null }]);
      expect(store.content(record.name)).toBeNull();
      store.write([{ drop: "answer", name: record.name }]);
      expect(store.record(record.name)).toBeNull();
    });

    rule("answers are counted by whose they are and when they go, and go together", (store) => {
      const put = (key: string, until: number, client = 7) =>
        store.write([
          {
            put: "answer",
            record: {
              ...record,
              name: nameOf(key),
              until: instant(until),
              client: clientOf(client),
            },
            content,
          },
        ]);
      put("a", 600_000);
      put("b", 600_000);
      put("c", 1_200_000);
      put("d", 1_200_000, 8);
      const stocks = [...store.load().stocks].toSorted(
        (a, b) => a.until - b.until || a.client - b.client,
      );
      expect(stocks).toEqual([
        { until: 600_000, client: 7, count: 2, bytes: 1_200 },
        { until: 1_200_000, client: 7, count: 1, bytes: 600 },
        { until: 1_200_000, client: 8, count: 1, bytes: 600 },
      ]);
      store.write([{ drop: "answers", until: instant(600_000) }]);
      expect(store.record(nameOf("a"))).toBeNull();
      expect(store.content(nameOf("b"))).toBeNull();
      expect(store.content(nameOf("c"))).toEqual(content);
    });

    rule("what the shard changes later does not change what it has written", (store) => {
      const body = new Uint8Array([1]);
      store.write([{ put: "answer", record, content: { ...content, body } }]);
      body.fill(9);
      expect(store.content(record.name)?.body).toEqual(new Uint8Array([1]));
    });
  });
};
