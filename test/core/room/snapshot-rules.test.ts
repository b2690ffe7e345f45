import { describe, expect, test } from "vitest";
import { ticketNumber } from "../../../src/core/ids.ts";
import { EndedVisits } from "../../../src/core/room/ended.ts";
import type { EndedVisit } from "../../../src/core/snapshot.ts";
import { instant } from "../../../src/core/time.ts";
import { World } from "./world.ts";

const names = (w: World, since: Parameters<World["snapshot"]>[0]) => {
  const { ended, endedSince } = w.snapshot(since);
  return [ended.map(({ visit }) => visit), endedSince];
};

describe("visits that ended before their passes", () => {
  const four = () => {
    const w = new World({ permitsMax: 4, leaseMs: 60_000 });
    w.crowd(4);
    for (let number = 1; number <= 4; number += 1) w.visit(number);
    return w;
  };

  test("[SNAPSHOT-1] a snapshot without a version names them all, until no pass can live", () => {
    const w = four();
    w.end(2);
    w.now += 1_000;
    w.renew(3);
    w.end(3);
    expect(names(w, null)).toEqual([[2, 3], null]);
    w.now += 58_999;
    expect(names(w, null)).toEqual([[2, 3], null]);
    w.now += 1;
    expect(names(w, null)).toEqual([[3], null]);
    w.now += 1_000;
    expect(names(w, null)).toEqual([[], null]);
  });

  test("[SNAPSHOT-2] with a version it names only those that ended since", () => {
    const w = four();
    w.end(2);
    const { version } = w.snapshot();
    expect(names(w, version)).toEqual([[], version.ended]);
    w.end(4);
    w.end(1);
    expect(names(w, version)).toEqual([[4, 1], version.ended]);
    expect(names(w, w.snapshot().version)[0]).toEqual([]);
  });

  test("[SNAPSHOT-3] a version of another start is void: everything is named again", () => {
    const w = four();
    w.end(2);
    const { version } = w.snapshot();
    w.crash();
    expect(names(w, version)).toEqual([[2], null]);
    expect(w.snapshot().version.boot).not.toBe(version.boot);
  });

  test("[SNAPSHOT-3] what ended before several starts is named until its own pass has run out", () => {
    const w = four();
    for (const visit of [1, 2]) {
      w.end(visit);
      w.crash();
    }
    w.now += 30_000;
    w.join();
    w.visit(5);
    w.run({ type: "revoke-all" });
    w.crash();
    expect(names(w, null)).toEqual([[1, 2, 3, 4, 5], null]);
    w.tick(30_000);
    w.crash();
    expect(names(w, null)).toEqual([[5], null]);
  });

  test("[SNAPSHOT-4] a visit whose passes have all run out is not named", () => {
    const w = four();
    w.tick(60_000);
    expect(names(w, null)).toEqual([[], null]);
  });

  test("[SNAPSHOT-4] nor is one whose pass was shorter than that of one that ended before", () => {
    const w = four();
    w.end(1);
    w.configure({ leaseMs: 10_000 });
    w.join();
    w.visit(5);
    w.end(5);
    w.now += 9_999;
    expect(names(w, null)).toEqual([[1, 5], null]);
    w.now += 1;
    expect(names(w, null)).toEqual([[1], null]);
  });

  test("[SNAPSHOT-4] one that was renewed for longer than a pass lives is named only so long", () => {
    const w = new World({ leaseMs: 900_000 });
    w.join();
    w.visit(1);
    w.end(1);
    w.now += 299_999;
    expect(names(w, null)).toEqual([[1], null]);
    w.now += 1;
    expect(names(w, null)).toEqual([[], null]);
  });
});

test("[SNAPSHOT-2] a delta that says again what was known adds nothing", () => {
  const entry = (version: number): EndedVisit => ({
    visit: ticketNumber(version + 10),
    version,
    passesUntil: instant(1_000),
  });
  const ended = new EndedVisits();
  ended.follow([entry(1), entry(2)], 2);
  ended.follow([entry(2), entry(3)], 3);
  expect(ended.since(null, instant(0)).map(({ visit }) => visit)).toEqual([11, 12, 13]);
  expect([ended.version, ended.since(2, instant(0))]).toEqual([3, [entry(3)]]);
});

describe("counts", () => {
  test("[SNAPSHOT-5] it tells what an edge may know of the room, as of the room's clock", () => {
    const w = new World({ permitsMax: 2, message: "hello", lobbiesMin: 2 });
    w.crowd(5);
    w.visit(1);
    w.away(5);
    expect(w.snapshot()).toMatchObject({
      at: w.now,
      mode: "queues",
      epoch: 1,
      message: "hello",
      closed: null,
      lobbiesOpen: [0, 1],
      waiting: 2,
      called: 1,
      visiting: 1,
      permitsMax: 2,
      issued: 5,
      entriesPerMinute: 0,
    });
    expect(w.snapshot().startsLastMinute).toEqual([...new Array<number>(59).fill(0), 1]);
    expect(new World().snapshot()).toMatchObject({ issued: 0, waiting: 0, mode: "open" });
  });
});
