import { describe, expect, test } from "vitest";
import {
  bytesOf,
  CLIENT_BYTES_MAX,
  RECORD_BYTES_MAX,
  RECORDS_MAX,
  AnswerRetention,
  type AnswerContent,
  type AnswerRecord,
} from "../../../src/core/locks/answers.ts";
import type { Fence } from "../../../src/core/locks/lock.ts";
import { instant } from "../../../src/core/time.ts";
import { clientOf, granted, nameOf, World } from "./world.ts";

const PERIOD = 600_000;
const content: AnswerContent = {
  status: 200,
  headers: [
    ["content-type", "text/plain"],
    ["etag", '"17"'],
  ],
  body: new Uint8Array(1_000),
};
const record = (until: number, bytes: number, client = 0): AnswerRecord => ({
  client: clientOf(client),
  name: nameOf("k"),
  fingerprint: "f",
  fence: 1 as Fence,
  until: instant(until),
  state: "finished",
  status: 200,
  bytes,
});

describe("what is on record", () => {
  test("[IDEM-9] an answer takes its body, its headers and what its row takes beside them", () => {
    expect(bytesOf(content)).toBe(1_000 + 12 + 10 + 4 + 4 + 512);
  });

  test.each([
    [RECORDS_MAX - 1, 0, false],
    [RECORDS_MAX, 0, true],
    [1, RECORD_BYTES_MAX - 1, false],
    [1, RECORD_BYTES_MAX, true],
  ])("[IDEM-9] %i records of %i bytes together fill it: %s", (count, bytes, isFull) => {
    expect(
      new AnswerRetention([{ until: instant(PERIOD), client: clientOf(0), count, bytes }]).isFull,
    ).toBe(isFull);
  });

  test("[IDEM-9] what is put, taken and dropped counts with its bytes", () => {
    const retention = new AnswerRetention([]);
    const half = RECORD_BYTES_MAX / 2;
    retention.put(record(PERIOD, half));
    retention.put(record(2 * PERIOD, half - 1));
    expect([retention.count, retention.isFull]).toEqual([2, false]);
    retention.put(record(PERIOD, 1));
    expect(retention.isFull).toBe(true);
    retention.take(record(PERIOD, 1));
    expect([retention.count, retention.isFull]).toEqual([2, false]);
    retention.put(record(2 * PERIOD, 1));
    expect(retention.isFull).toBe(true);
    retention.drop(instant(2 * PERIOD));
    expect([retention.count, retention.isFull]).toEqual([1, false]);
    retention.put(record(PERIOD, half - 1));
    expect(retention.isFull).toBe(false);
    retention.put(record(PERIOD, 1));
    expect(retention.isFull).toBe(true);
  });

  test("[IDEM-8] the period that ends first goes first; an empty one is not waited for", () => {
    const stock = (until: number) => ({
      until: instant(until),
      client: clientOf(0),
      count: 1,
      bytes: 5,
    });
    const retention = new AnswerRetention([stock(3 * PERIOD), stock(PERIOD), stock(2 * PERIOD)]);
    expect(retention.nextAt()).toBe(PERIOD);
    retention.take(record(PERIOD, 5));
    expect(retention.nextAt()).toBe(2 * PERIOD);
    retention.drop(instant(2 * PERIOD));
    expect([retention.nextAt(), retention.count]).toEqual([3 * PERIOD, 1]);
    retention.take(record(3 * PERIOD, 5));
    expect([retention.nextAt(), retention.count]).toEqual([null, 0]);
  });

  test("[IDEM-8] what has gone with its period cannot be taken again", () => {
    const retention = new AnswerRetention([
      { until: instant(PERIOD), client: clientOf(0), count: 1, bytes: 5 },
    ]);
    retention.drop(instant(PERIOD));
    retention.drop(instant(PERIOD));
    retention.take(record(PERIOD, 5));
    expect([retention.count, retention.nextAt()]).toEqual([0, null]);
  });

  test("[IDEM-9] a run that ends counts as much as its answer takes, until it is forgotten", () => {
    const world = new World();
    const { fence } = granted(world.begin("k", "a"));
    const bytes = RECORD_BYTES_MAX - bytesOf(content);
    world.state.retention.put({ ...record(world.now + 86_400_000, bytes) });
    expect(world.begin("l", "a").kind).toBe("granted");
    world.finish("k", "a", fence, { kind: "keep", content });
    expect(world.begin("m", "a")).toMatchObject({ kind: "refused", refusal: "table-full" });
    expect(world.begin("m", "a")).toMatchObject({ retryAfterMs: 10_000 });
    expect(world.record("k")).toMatchObject({ bytes: bytesOf(content), status: 200 });
  });

  test.each([
    [RECORDS_MAX / 5 - 1, 0, false],
    [RECORDS_MAX / 5, 0, true],
    [1, CLIENT_BYTES_MAX, false],
    [1, CLIENT_BYTES_MAX + 1, true],
  ])(
    "[IDEM-18] a client alone with %i records of %i bytes has its share: %s",
    (count, bytes, is) => {
      const retention = new AnswerRetention([
        { until: instant(PERIOD), client: clientOf(7), count, bytes },
      ]);
      expect([retention.isFullFor(clientOf(7)), retention.isFullFor(clientOf(8))]).toEqual([
        is,
        false,
      ]);
    },
  );

  test("[IDEM-18] the more others have, the smaller a share is, and it is never nothing", () => {
    const retention = new AnswerRetention([]);
    for (let client = 1; client <= 8; client += 1) {
      const stock = { until: instant(PERIOD), client: clientOf(client), bytes: 0 };
      let count = 0;
      while (!retention.isFullFor(clientOf(client))) {
        retention.put({ ...record(stock.until, 0, client) });
        count += 1;
      }
      expect(count).toBeGreaterThan(0);
    }
    expect(retention.isFull).toBe(false);
    retention.drop(instant(PERIOD));
    expect([retention.isFullFor(clientOf(1)), retention.count]).toEqual([false, 0]);
  });

  test("[IDEM-18] what goes with its period, or is taken, counts for its client no more", () => {
    const many = { count: RECORDS_MAX / 10, bytes: 0, client: clientOf(7) };
    const retention = new AnswerRetention([
      { ...many, until: instant(PERIOD) },
      { ...many, until: instant(2 * PERIOD) },
    ]);
    expect(retention.isFullFor(clientOf(7))).toBe(true);
    retention.take(record(PERIOD, 0, 7));
    expect(retention.isFullFor(clientOf(7))).toBe(false);
    retention.put(record(PERIOD, 0, 7));
    expect(retention.isFullFor(clientOf(7))).toBe(true);
    retention.drop(instant(PERIOD));
    expect(retention.isFullFor(clientOf(7))).toBe(false);
  });

  test("[IDEM-18] who has its share begins nothing new until some of it goes; others do", () => {
    const world = new World();
    const filler = { ...record(world.now + PERIOD, CLIENT_BYTES_MAX + 1, 1) };
    world.state.retention.put(filler);
    expect(world.begin("k", "a")).toMatchObject({ kind: "refused", refusal: "share-full" });
    expect(world.begin("k", "a")).toMatchObject({ retryAfterMs: PERIOD });
    expect(world.begin("k", "b", "f", 3_600_000, clientOf(2)).kind).toBe("granted");
    world.state.retention.take(filler);
    expect(world.begin("l", "a").kind).toBe("granted");
  });

  test("[IDEM-18] of an answer beyond its client's share only the status is kept", () => {
    for (const [room, state] of [
      [bytesOf(content), "finished"],
      [bytesOf(content) - 1, "not-kept"],
    ] as const) {
      const world = new World();
      const { fence } = granted(world.begin("k", "a"));
      world.state.retention.put(record(world.now + PERIOD, CLIENT_BYTES_MAX - room, 1));
      world.finish("k", "a", fence, { kind: "keep", content });
      expect(world.record("k")).toMatchObject({ state, status: 200, client: 1 });
    }
  });
});
