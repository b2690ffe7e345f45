import { describe, expect, test } from "vitest";
import {
  bytesOf,
  RECORD_BYTES_MAX,
  RECORDS_MAX,
  Shelf,
  type AnswerContent,
  type AnswerRecord,
} from "../../../src/core/locks/answers.ts";
import type { Fence } from "../../../src/core/locks/lock.ts";
import { instant } from "../../../src/core/time.ts";
import { granted, nameOf, World } from "./world.ts";

const PERIOD = 600_000;
const content: AnswerContent = {
  status: 200,
  headers: [
    ["content-type", "text/plain"],
    ["etag", '"17"'],
  ],
  body: new Uint8Array(1_000),
};
const record = (until: number, bytes: number): AnswerRecord => ({
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
    expect(new Shelf([{ until: instant(PERIOD), count, bytes }]).isFull).toBe(isFull);
  });

  test("[IDEM-9] what is put, taken and dropped counts with its bytes", () => {
    const shelf = new Shelf([]);
    const half = RECORD_BYTES_MAX / 2;
    shelf.put(record(PERIOD, half));
    shelf.put(record(2 * PERIOD, half - 1));
    expect([shelf.count, shelf.isFull]).toEqual([2, false]);
    shelf.put(record(PERIOD, 1));
    expect(shelf.isFull).toBe(true);
    shelf.take(record(PERIOD, 1));
    expect([shelf.count, shelf.isFull]).toEqual([2, false]);
    shelf.put(record(2 * PERIOD, 1));
    expect(shelf.isFull).toBe(true);
    shelf.drop(instant(2 * PERIOD));
    expect([shelf.count, shelf.isFull]).toEqual([1, false]);
    shelf.put(record(PERIOD, half - 1));
    expect(shelf.isFull).toBe(false);
    shelf.put(record(PERIOD, 1));
    expect(shelf.isFull).toBe(true);
  });

  test("[IDEM-8] the period that ends first goes first; an empty one is not waited for", () => {
    const stock = (until: number) => ({ until: instant(until), count: 1, bytes: 5 });
    const shelf = new Shelf([stock(3 * PERIOD), stock(PERIOD), stock(2 * PERIOD)]);
    expect(shelf.nextAt()).toBe(PERIOD);
    shelf.take(record(PERIOD, 5));
    expect(shelf.nextAt()).toBe(2 * PERIOD);
    shelf.drop(instant(2 * PERIOD));
    expect([shelf.nextAt(), shelf.count]).toEqual([3 * PERIOD, 1]);
    shelf.take(record(3 * PERIOD, 5));
    expect([shelf.nextAt(), shelf.count]).toEqual([null, 0]);
  });

  test("[IDEM-8] what has gone with its period cannot be taken again", () => {
    const shelf = new Shelf([{ until: instant(PERIOD), count: 1, bytes: 5 }]);
    shelf.drop(instant(PERIOD));
    shelf.drop(instant(PERIOD));
    shelf.take(record(PERIOD, 5));
    expect([shelf.count, shelf.nextAt()]).toEqual([0, null]);
  });

  test("[IDEM-9] a run that ends counts as much as its answer takes, until it is forgotten", () => {
    const world = new World();
    const { fence } = granted(world.begin("k", "a"));
    const bytes = RECORD_BYTES_MAX - bytesOf(content);
    world.state.shelf.put({ ...record(world.now + 86_400_000, bytes) });
    expect(world.begin("l", "a").kind).toBe("granted");
    world.finish("k", "a", fence, { kind: "keep", content });
    expect(world.begin("m", "a")).toMatchObject({ kind: "refused", refusal: "table-full" });
    expect(world.begin("m", "a")).toMatchObject({ retryAfterMs: 10_000 });
    expect(world.record("k")).toMatchObject({ bytes: bytesOf(content), status: 200 });
  });
});
