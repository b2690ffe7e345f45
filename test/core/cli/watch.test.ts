import { expect, test } from "vitest";
import { Failure } from "../../../cli/launch/failure.ts";
import { watchRoom } from "../../../cli/rooms/watch.ts";
import type { RoomStatusResource } from "../../../src/api/rooms/status.ts";

const STATUS = {} as RoomStatusResource;
const away = () => new Failure("unreachable", "http://h does not answer (refused)");
const END = new Failure("not-found", "there is no room shop");

/** Each answer is a status or a failure; the last one ends it. */
const watched = async (answers: readonly ("status" | Failure)[]) => {
  const left = [...answers];
  const seen = { told: 0, notes: [] as string[], waits: [] as number[] };
  let now = 0;
  const failure = await watchRoom({
    statusOf: async () => {
      const next = left.shift() ?? END;
      if (next !== "status") throw next;
      return STATUS;
    },
    tell: () => void (seen.told += 1),
    note: (line) => void seen.notes.push(line),
    wait: async (ms) => {
      seen.waits.push(ms);
      now += ms;
    },
    now: () => now,
  }).catch((thrown: unknown) => thrown);
  return { ...seen, failure };
};

test("[CLI-9] a line each second", async () => {
  const { told, waits, notes } = await watched(["status", "status", "status"]);
  expect([told, waits, notes]).toEqual([3, [1_000, 1_000, 1_000], []]);
});

test("[CLI-9] nobody answers: it says so, waits longer each time, and says when it is back", async () => {
  const outage = Array.from({ length: 7 }, away);
  const { told, waits, notes } = await watched(["status", ...outage, "status"]);
  expect(told).toBe(2);
  expect(waits.slice(1, -1)).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  expect(notes).toHaveLength(8);
  expect(notes[0]).toBe("http://h does not answer (refused); trying again in 1 second");
  expect(notes[6]).toContain("trying again in 15 seconds");
  expect(notes[7]).toBe("it answers again, after 60 seconds");
});

test("[CLI-9] the next outage begins with short pauses again", async () => {
  const { waits } = await watched(["status", away(), away(), "status", away(), "status"]);
  expect(waits).toEqual([1_000, 1_000, 2_000, 1_000, 1_000, 1_000]);
});

test.each(["unreachable", "unavailable", "no-seiriken", "slowed"])(
  "[CLI-9] %s may pass",
  async (code) => {
    const { told } = await watched(["status", new Failure(code, "not now"), "status"]);
    expect(told).toBe(2);
  },
);

test.each(["not-found", "not-signed-in", "off"])("[CLI-9] %s will not", async (code) => {
  const failure = new Failure(code, "no");
  expect(await watched(["status", failure, "status"])).toMatchObject({ told: 1, failure });
});

test("[CLI-9] without a first answer there is nothing to watch", async () => {
  const failure = away();
  expect(await watched([failure])).toMatchObject({ told: 0, waits: [], failure });
});
