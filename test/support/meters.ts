import type { MeteredRoom } from "../../src/api/metrics/room-families.ts";
import type { RoomMeter } from "../../src/core/room/meter.ts";
import { emptyRow, type HistoryCount } from "../../src/core/room/history.ts";
import { instant } from "../../src/core/time.ts";

const LIMITS = { permitsMax: 40, startsPerMinuteMax: 600, startsPerSecondMax: 12 };

/** A busy room in which everything that can be told is told. */
export const meterOf = (change: Partial<RoomMeter> = {}): RoomMeter => {
  const { minute: _minute, waitingMax: _waiting, outMax: _out, ...counts } = emptyRow(instant(0));
  const totals = Object.keys(counts).map((count, index) => [count as HistoryCount, index + 1]);
  return {
    mode: "queues",
    phase: "running",
    waiting: 120,
    called: 3,
    visiting: 37,
    own: LIMITS,
    inEffect: { ...LIMITS, permitsMax: 30 },
    issued: 5_000,
    newcomer: { known: true, seconds: 90, low: 60, high: 150 },
    totals: {
      ...(Object.fromEntries(totals) as RoomMeter["totals"]),
      refusedBy: { "line-full": 4, busy: 2 },
      waits: [5, 0, 3, 1],
      waitedMs: 21_500,
    },
    regions: [{ region: "weur", waiting: 120, silentMs: 3_200 }],
    ...change,
  };
};

export const meteredRoom = (change: Partial<MeteredRoom> = {}): MeteredRoom => ({
  name: "sale",
  id: "a".repeat(32),
  permit: "visit",
  queueingMethod: "fifo",
  meter: meterOf(),
  ...change,
});
