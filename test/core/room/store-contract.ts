import { describe, expect, test } from "vitest";
import type { NotedAlert } from "../../../src/core/alerts/alert.ts";
import { lobbyIndex, slotIndex, ticketNumber } from "../../../src/core/ids.ts";
import { CHUNK_BITS, CHUNK_BYTES } from "../../../src/core/line/counted-bits.ts";
import type { CalledPermit, HeldPermit } from "../../../src/core/permits/permit.ts";
import type { StoredDraw } from "../../../src/core/room/draw-state.ts";
import type { EventId } from "../../../src/core/events/event.ts";
import type { StoredEvents } from "../../../src/core/room/event-state.ts";
import type { HistoryRow } from "../../../src/core/room/history.ts";
import type {
  StoredRoomChange,
  RoomHead,
  RoomStore,
  StoredRoom,
} from "../../../src/core/room/stored.ts";
import { instant } from "../../../src/core/time.ts";
import { LIMITS } from "../../support/limits.ts";

const AT = instant(1_800_000_000_123);
const lobby = lobbyIndex(3);

const head: RoomHead = {
  issued: 2 ** 45 + 1,
  lineBase: 7,
  epoch: 3,
  clock: AT,
  limits: { ...LIMITS, closed: 'sold "out" – 売切', message: null, startsPerSecondMax: 5 },
  calls: [1_800_000_000, 3],
  starts: [],
  estimate: [0, 0.25, 17, 1_800_000_000, 2, 1_799_999_999],
  history: null,
};

const called: CalledPermit = {
  state: "called",
  number: ticketNumber(2 ** 45),
  lobby,
  via: "baton",
  calledAt: AT,
  claimBy: instant(AT + 60_000),
};

const held: HeldPermit = {
  state: "held",
  number: ticketNumber(9),
  lobby: lobbyIndex(65_534),
  via: "door",
  startedAt: AT,
  leaseUntil: instant(AT + 1),
  passesUntil: instant(AT + 2),
  endsAt: null,
  released: false,
  provisionalUntil: instant(AT + 3),
  transient: false,
};

const draw = (first: number, secret: string): StoredDraw => ({
  event: "0".repeat(32) as EventId,
  name: "sale",
  secret,
  record: {
    event: "0".repeat(32),
    announced: { at: AT, startsAt: AT, commitment: "c", publicValue: { from: "witnesses" } },
    closed: { at: AT, first: ticketNumber(first), last: ticketNumber(first + 4) },
    drawn: null,
  },
});

const events: StoredEvents = {
  list: [
    {
      id: "0".repeat(32) as EventId,
      name: "sale",
      prequeueAt: null,
      startsAt: AT,
      endsAt: instant(AT + 60_000),
      suspended: false,
      shuffle: false,
      draw: null,
      overrides: {
        permitsMax: 5,
        startsPerMinuteMax: 6,
        leaseMs: null,
        leaseRenews: false,
        queueingMethod: "random",
      },
    },
  ],
  current: null,
  drawing: null,
};

const run = (first: number, count: number) => ({ first: ticketNumber(first), count, lobby });
const bits = (value: number) => new Uint8Array(CHUNK_BYTES).fill(value);
const ended = (visit: number, ms: number) => ({
  visit: ticketNumber(visit),
  version: visit,
  passesUntil: instant(AT + ms),
});
const historyRow = (minute: number, issued: number): HistoryRow => ({
  minute: instant(minute * 60_000),
  issued,
  calls: 1,
  entriesByUsher: 2,
  entriesByBaton: 3,
  entriesByDoor: 4,
  missed: 5,
  finished: 6,
  expired: 7,
  revoked: 8,
  refused: 9,
  waitingMax: 10,
  outMax: 11,
});

const alert = (sequence: number): NotedAlert => ({
  sequence,
  type: "line.began",
  at: AT,
  data: { since: "2027-01-15T08:00:00.123Z", waiting: 3 },
});

/** Everything that was stored, in an order that does not depend on the store. */
const all = (stored: StoredRoom) => ({
  head: stored.head,
  events: stored.events,
  draws: [...stored.draws].sort((a, b) => a.record.closed.first - b.record.closed.first),
  runs: [...stored.runs].sort((a, b) => a.first - b.first),
  spent: [...stored.spent]
    .map(({ chunk, bits: bytes }) => ({ chunk, bits: Uint8Array.from(bytes) }))
    .sort((a, b) => a.chunk - b.chunk),
  permits: [...stored.permits].sort((a, b) => a.slot - b.slot),
  misses: [...stored.misses].sort(([a], [b]) => a - b),
  ended: [...stored.ended].sort((a, b) => a.row - b.row),
  lobbies: [...stored.lobbies].sort((a, b) => a.lobby - b.lobby),
  alerts: [...stored.alerts],
});

const EMPTY = {
  head: null,
  events: null,
  draws: [],
  runs: [],
  spent: [],
  permits: [],
  misses: [],
  ended: [],
  lobbies: [],
  alerts: [],
};

/** One of each thing that is put. */
const puts: readonly StoredRoomChange[] = [
  { put: "head", head },
  { put: "events", events },
  { put: "draw", draw: draw(1, "a") },
  { put: "draw", draw: draw(2 ** 45, "b") },
  { put: "issue", run: run(1, 5) },
  { put: "issue", run: run(2 ** 45, 2) },
  { put: "spent", chunk: 0, bits: bits(0b1010_0101) },
  { put: "permit", slot: slotIndex(0), permit: called },
  { put: "permit", slot: slotIndex(41), permit: held },
  { put: "miss", number: ticketNumber(2 ** 45), misses: 2 },
  { put: "ended", row: 1, visits: [ended(1, 5), ended(2, 7)], until: instant(AT + 7) },
  { put: "lobby", row: { lobby, instance: "a", sequence: 12, answer: '[{"kind":"done"}]' } },
  { put: "alert", alert: alert(9) },
  { put: "alert", alert: alert(10) },
];

const stored = {
  head,
  events,
  draws: [draw(1, "a"), draw(2 ** 45, "b")],
  runs: [run(1, 5), run(2 ** 45, 2)],
  spent: [{ chunk: 0, bits: bits(0b1010_0101) }],
  permits: [
    { slot: 0, permit: called },
    { slot: 41, permit: held },
  ],
  misses: [[2 ** 45, 2]],
  ended: [{ row: 1, visits: [ended(1, 5), ended(2, 7)] }],
  lobbies: [{ lobby, instance: "a", sequence: 12, answer: '[{"kind":"done"}]' }],
  alerts: [alert(9), alert(10)],
};

/** Runs `use` on an empty store, wherever such a store can live. */
export type InStore = (use: (store: RoomStore) => void) => void | Promise<void>;

/** What a Room asks of its store. */
export const roomStoreContract = (name: string, inStore: InStore): void => {
  describe(`the room's store: ${name}`, () => {
    const rule = (title: string, use: (store: RoomStore) => void): void =>
      test(`${title}`, () => inStore(use));

    rule(
      "[DESK-3] rows of what happened are found by number, and dropped by time or id",
      (store) => {
        const row = (id: number, lowest: number, highest: number) => ({
          id,
          from: instant(AT + id),
          until: instant(AT + id + 1),
          lowest,
          highest,
          entries: ",1A0",
        });
        const [one, two, three] = [row(1, 1, 9), row(2, 5, 2 ** 45), row(3, 9, 9)];
        store.write([one, two, three].map((each) => ({ put: "happened", row: each })));
        expect(store.happened(ticketNumber(9), 9)).toEqual({
          rows: [three, two, one],
          oldest: one,
        });
        expect(store.happened(ticketNumber(9), 2)).toEqual({ rows: [three, two], oldest: two });
        expect(store.happened(ticketNumber(2 ** 45), 2).rows).toEqual([two]);
        store.write([{ drop: "happened", before: instant(AT + 3) }]);
        expect(store.happened(ticketNumber(9), 9)).toEqual({ rows: [three, two], oldest: two });
        store.write([{ drop: "happened", upTo: 2 }]);
        expect(store.happened(ticketNumber(9), 9)).toEqual({ rows: [three], oldest: three });
        store.erase();
        expect(store.happened(ticketNumber(9), 9)).toEqual({ rows: [], oldest: null });
      },
    );

    rule("[STORE-1] what was put is loaded as it was, to the last bit", (store) => {
      expect(all(store.load())).toEqual(EMPTY);
      store.write(puts);
      expect(all(store.load())).toEqual(stored);
    });

    rule("[STORE-2] writing the same changes twice is the same as once", (store) => {
      store.write(puts);
      store.write(puts);
      expect(all(store.load())).toEqual(stored);
    });

    rule("[STORE-3] a put replaces the row of the same name, and no other", (store) => {
      store.write(puts);
      store.write([
        { put: "head", head: { ...head, issued: 1, limits: LIMITS } },
        { put: "events", events: { ...events, list: [] } },
        { put: "draw", draw: draw(1, "c") },
        { put: "issue", run: run(1, 6) },
        { put: "spent", chunk: 0, bits: bits(255) },
        { put: "permit", slot: slotIndex(0), permit: held },
        { put: "miss", number: ticketNumber(2 ** 45), misses: 1 },
        { put: "lobby", row: { lobby, instance: "b", sequence: 1, answer: "[]" } },
      ]);
      expect(all(store.load())).toEqual({
        ...stored,
        head: { ...head, issued: 1, limits: LIMITS },
        events: { ...events, list: [] },
        draws: [draw(1, "c"), draw(2 ** 45, "b")],
        runs: [run(1, 6), run(2 ** 45, 2)],
        spent: [{ chunk: 0, bits: bits(255) }],
        permits: [
          { slot: 0, permit: held },
          { slot: 41, permit: held },
        ],
        misses: [[2 ** 45, 1]],
        lobbies: [{ lobby, instance: "b", sequence: 1, answer: "[]" }],
      });
    });

    rule("[STORE-4] changes hold in the order in which they come", (store) => {
      store.write([
        { put: "permit", slot: slotIndex(2), permit: held },
        { drop: "permit", slot: slotIndex(2) },
        { drop: "permit", slot: slotIndex(3) },
        { put: "permit", slot: slotIndex(3), permit: called },
        { put: "draw", draw: draw(4, "d") },
        { drop: "draw", first: ticketNumber(4) },
        { put: "miss", number: ticketNumber(4), misses: 1 },
        { drop: "miss", number: ticketNumber(4) },
      ]);
      expect(all(store.load())).toEqual({ ...EMPTY, permits: [{ slot: 3, permit: called }] });
    });

    rule("[STORE-5] dropping what is not there is nothing", (store) => {
      store.write([
        { drop: "permit", slot: slotIndex(9) },
        { drop: "miss", number: ticketNumber(9) },
        { drop: "ended", until: AT },
        { drop: "history", before: AT },
        { drop: "alert", upTo: 9 },
        { drop: "line", belowChunk: 9 },
      ]);
      expect(all(store.load())).toEqual(EMPTY);
    });

    rule("[STORE-6] a row of ended visits goes at its instant, not before", (store) => {
      store.write(puts);
      store.write([{ drop: "ended", until: instant(AT + 6) }]);
      expect(all(store.load()).ended).toHaveLength(1);
      store.write([{ drop: "ended", until: instant(AT + 7) }]);
      expect(all(store.load()).ended).toEqual([]);
    });

    rule("[ALERT-9] alerts go up to the one that was heard, and no others", (store) => {
      store.write(puts);
      store.write([{ drop: "alert", upTo: 9 }]);
      expect(all(store.load()).alerts).toEqual([alert(10)]);
    });

    rule("[STORE-7] runs and chunks go that lie wholly below a chunk, and no others", (store) => {
      const edge = 2 * CHUNK_BITS;
      store.write([
        { put: "issue", run: run(1, CHUNK_BITS) },
        { put: "issue", run: run(edge - 5, 5) },
        { put: "issue", run: run(edge - 6, 7) },
        { put: "issue", run: run(edge, 1) },
        { put: "spent", chunk: 1, bits: bits(1) },
        { put: "spent", chunk: 2, bits: bits(2) },
        { drop: "line", belowChunk: 2 },
      ]);
      const { runs, spent } = all(store.load());
      expect(runs).toEqual([run(edge - 6, 7), run(edge, 1)]);
      expect(spent).toEqual([{ chunk: 2, bits: bits(2) }]);
    });

    rule(
      "[STORE-8] history comes oldest first, since an instant and before one, the newest of too many",
      (store) => {
        const rows = [3, 1, 2].map((minute) => historyRow(minute, minute));
        store.write(rows.map((row) => ({ put: "history", row }) as const));
        store.write([{ put: "history", row: historyRow(2, 22) }]);
        const issued = (since: number, most: number) =>
          store.history(instant(since), most).map((row) => row.issued);
        expect(issued(0, 10)).toEqual([1, 22, 3]);
        expect(issued(120_000, 10)).toEqual([22, 3]);
        expect(issued(120_001, 10)).toEqual([3]);
        expect(issued(0, 2)).toEqual([22, 3]);
        expect(store.history(instant(180_000), 1)).toEqual([historyRow(3, 3)]);
        const until = (before: number) =>
          store.history(instant(60_000), 10, instant(before)).map((row) => row.issued);
        expect([until(180_001), until(180_000), until(60_000)]).toEqual([[1, 22, 3], [1, 22], []]);
        expect(store.history(instant(0), 1, instant(180_000))).toEqual([historyRow(2, 22)]);
        store.write([{ drop: "history", before: instant(120_000) }]);
        expect(issued(0, 10)).toEqual([22, 3]);
      },
    );

    rule("[STORE-9] what was erased is gone, and the store goes on empty", (store) => {
      store.write([...puts, { put: "history", row: historyRow(1, 1) }]);
      store.erase();
      expect(all(store.load())).toEqual(EMPTY);
      expect(store.history(instant(0), 10)).toEqual([]);
      store.write([{ put: "issue", run: run(1, 1) }]);
      expect(all(store.load())).toEqual({ ...EMPTY, runs: [run(1, 1)] });
    });

    rule("[STORE-10] what the room changes later does not change what it has written", (store) => {
      const bytes = bits(1);
      const visits = [ended(1, 5)];
      store.write([
        { put: "spent", chunk: 4, bits: bytes },
        { put: "ended", row: 1, visits, until: instant(AT + 5) },
      ]);
      bytes.fill(9);
      visits.push(ended(2, 5));
      const loaded = all(store.load());
      expect(loaded.spent).toEqual([{ chunk: 4, bits: bits(1) }]);
      expect(loaded.ended).toEqual([{ row: 1, visits: [ended(1, 5)] }]);
    });
  });
};
