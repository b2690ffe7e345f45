import { describe, expect, test } from "vitest";
import { QUICKNET, roundAt } from "../../../src/core/draw/drand-chain.ts";
import { commitmentOf } from "../../../src/core/draw/seed.ts";
import { readFields, wholeOf } from "../../../src/api/events/schema.ts";
import type { DrawMaker } from "../../../src/core/events/announce.ts";
import type { EventId, RoomEvents } from "../../../src/core/events/event.ts";
import { EVENTS_MAX } from "../../../src/core/events/event.ts";
import { EVENT_PAGES_BYTES_MAX } from "../../../src/core/events/event-fit.ts";
import {
  changedEvents,
  type EventsChange,
  type EventsReply,
} from "../../../src/core/events/event-list.ts";
import { nextEventOf } from "../../../src/core/events/next-event.ts";
import { bytesOfHex } from "../../../src/core/hex.ts";
import { jsonPath } from "../../../src/core/json/pointer.ts";
import { instant } from "../../../src/core/time.ts";

const MINUTE = 60_000;
const NINE = Date.parse("2026-11-28T09:00:00Z");
const id = (digit: string) => digit.repeat(32) as EventId;

/** Minutes past nine. */
const at = (minutes: number) => new Date(NINE + minutes * MINUTE).toISOString();

/** A room's events, and a maker of secrets that are 1, 2, 3 … in every byte. */
class Events {
  permit: "visit" | "request" = "visit";
  events: RoomEvents | undefined;
  now = NINE;
  made = 0;
  readonly draws: DrawMaker = {
    secret: () => new Uint8Array(32).fill((this.made += 1)),
    chain: QUICKNET,
  };

  change(change: EventsChange): EventsReply {
    const { permit, events, draws } = this;
    const room = { limits: { permit }, ...(events === undefined ? {} : { events }) };
    const reply = changedEvents(room, change, draws, instant(this.now));
    if (reply.ok) this.events = reply.events;
    return reply;
  }

  add(digit: string, fields: object): EventsReply {
    const settings = wholeOf(readFields({ name: `e${digit}`, ...fields }, false).fields);
    return this.change({ do: "add", id: id(digit), settings });
  }

  edit(digit: string, fields: object): EventsReply {
    const { fields: settings } = readFields(fields, true);
    return this.change({ do: "edit", id: id(digit), settings });
  }

  get first() {
    const [event] = this.events?.list ?? [];
    if (event === undefined) throw new Error("there is no event");
    return event;
  }
}

const from = (start: number, end: number, prequeue?: number) => ({
  event_start_time: at(start),
  event_end_time: at(end),
  ...(prequeue === undefined ? {} : { prequeue_start_time: at(prequeue) }),
});

const problemsIn = (reply: EventsReply): string[] => {
  if (reply.ok) return [];
  if (reply.refusal !== "invalid") return [reply.refusal];
  return reply.problems.map(({ keys }) => jsonPath(keys));
};

describe("[EVAPI-4] what an event's fields must be to each other", () => {
  const LIMITS = { total_active_users: 5, new_users_per_minute: 5 };
  test.each([
    ["a minute", from(60, 61), []],
    [
      "less than a minute",
      { ...from(60, 61), event_start_time: "2026-11-28T10:00:00.001Z" },
      ["event_start_time"],
    ],
    ["the end first", from(61, 60), ["event_start_time"]],
    ["five minutes of prequeue", from(60, 90, 55), []],
    [
      "less than five minutes of it",
      { ...from(60, 90), prequeue_start_time: "2026-11-28T09:55:00.001Z" },
      ["prequeue_start_time"],
    ],
    ["a prequeue after the start", from(60, 90, 61), ["prequeue_start_time"]],
    ["a shuffle", { ...from(60, 90, 30), shuffle_at_event_start: true }, []],
    [
      "a shuffle of no prequeue",
      { ...from(60, 90), shuffle_at_event_start: true },
      ["shuffle_at_event_start"],
    ],
    ["both limits", { ...from(60, 90), ...LIMITS }, []],
    ["one limit", { ...from(60, 90), total_active_users: 5 }, ["total_active_users"]],
    ["the other limit", { ...from(60, 90), new_users_per_minute: 5 }, ["new_users_per_minute"]],
    [
      "a source of no draw",
      { ...from(60, 90), seiriken: { draw: "witnesses" } },
      ["seiriken.draw"],
    ],
    ["long ago", from(-9_000, -8_000), []],
    [
      "much at once",
      { ...from(61, 60, 60), shuffle_at_event_start: false, new_users_per_minute: 1 },
      ["event_start_time", "prequeue_start_time", "new_users_per_minute"],
    ],
  ])("%s", (_, fields, problems) => {
    expect(problemsIn(new Events().add("a", fields))).toEqual(problems);
  });

  test("random order only where visitors wait, as the room itself", () => {
    const events = new Events();
    const random = { ...from(60, 90), queueing_method: "random" };
    events.permit = "request";
    expect(problemsIn(events.add("a", random))).toEqual(["queueing_method"]);
    events.permit = "visit";
    expect(problemsIn(events.add("a", random))).toEqual([]);
  });

  test("a name is one event's", () => {
    const events = new Events();
    events.add("a", { ...from(60, 90), name: "Sale" });
    expect(problemsIn(events.add("b", { ...from(160, 190), name: "Sale" }))).toEqual(["name"]);
    expect(problemsIn(events.edit("a", { name: "Sale" }))).toEqual([]);
  });

  test("the pages of all events of a room are bounded together, in bytes", () => {
    const events = new Events();
    const page = "席".repeat(60_000);
    const most = Math.floor(EVENT_PAGES_BYTES_MAX / (3 * page.length));
    for (let n = 0; n < most; n += 1)
      events.add(String(n), { ...from(n * 10, n * 10 + 5), custom_page_html: page });
    const more = { ...from(900, 905), custom_page_html: page };
    expect(problemsIn(events.add("f", more))).toEqual(["custom_page_html"]);
    expect(problemsIn(events.add("f", { ...more, custom_page_html: "short" }))).toEqual([]);
  });

  test("there are at most a hundred, past ones among them", () => {
    const events = new Events();
    for (let n = 0; n < EVENTS_MAX; n += 1) {
      const settings = wholeOf(
        readFields({ name: `e${n}`, ...from(-9 * n - 9, -9 * n - 1) }, false).fields,
      );
      const added = events.change({
        do: "add",
        id: String(n).padStart(32, "0") as EventId,
        settings,
      });
      expect(problemsIn(added)).toEqual([]);
    }
    expect(problemsIn(events.add("a", from(60, 90)))).toEqual(["too-many-events"]);
  });
});

describe("[EVAPI-5] events that are not suspended do not overlap, prequeues included", () => {
  test.each([
    ["before", from(0, 60), []],
    [
      "up to the prequeue, to the millisecond",
      { ...from(0, 60), event_end_time: "2026-11-28T10:00:00.001Z" },
      ["event_start_time"],
    ],
    ["after", from(120, 180), []],
    ["inside", from(100, 110), ["event_start_time"]],
    ["around", from(0, 200), ["event_start_time"]],
    ["within its prequeue", from(70, 80), ["event_start_time"]],
    ["only by a prequeue", from(130, 200, 119), ["prequeue_start_time"]],
    ["suspended", { ...from(100, 110), suspended: true }, []],
  ])("%s", (_, fields, problems) => {
    const events = new Events();
    expect(problemsIn(events.add("a", from(90, 120, 60)))).toEqual([]);
    const reply = events.add("b", fields);
    expect(problemsIn(reply)).toEqual(problems);
    if (!reply.ok && reply.refusal === "invalid")
      expect(reply.problems[0]?.message).toContain(`the event ea (${at(60)} to ${at(120)})`);
  });

  test("one that is suspended can be taken up again when its time is free", () => {
    const events = new Events();
    events.add("a", from(60, 90));
    events.add("b", { ...from(80, 120), suspended: true });
    expect(problemsIn(events.edit("b", { suspended: false }))).toEqual(["event_start_time"]);
    events.edit("a", { suspended: true });
    expect(problemsIn(events.edit("b", { suspended: false }))).toEqual([]);
  });
});

describe("changes of the list", () => {
  test("[EVAPI-6] a change that changes nothing leaves its times", () => {
    const events = new Events();
    events.add("a", from(60, 90));
    const { events: before, first } = events;
    events.now += 5;
    events.edit("a", { suspended: false });
    expect([events.events, events.first]).toEqual([before, first]);
    events.edit("a", { suspended: true });
    expect(events.first).toMatchObject({ createdAt: NINE, modifiedAt: NINE + 5, suspended: true });
    expect(events.events?.changedAt).toBe(NINE + 5);
    events.now = NINE;
    events.edit("a", { suspended: false });
    expect([events.first.modifiedAt, events.events?.changedAt]).toEqual([NINE + 6, NINE + 6]);
  });

  test("[EVAPI-2] an edit changes what it names, and null takes an override away", () => {
    const events = new Events();
    events.add("a", { ...from(60, 90, 30), session_duration: 3, queueing_method: "reject" });
    events.edit("a", { session_duration: null, description: "later" });
    expect(events.first).toMatchObject({
      description: "later",
      overrides: { leaseMs: null, queueingMethod: "reject" },
      given: { prequeue: at(30) },
    });
    expect(problemsIn(events.edit("a", { event_end_time: at(60) }))).toEqual(["event_start_time"]);
  });

  test("[EVAPI-3] what is not there is neither changed nor removed", () => {
    const events = new Events();
    expect(problemsIn(events.edit("a", {}))).toEqual(["no-such-event"]);
    expect(problemsIn(events.change({ do: "remove", id: id("a") }))).toEqual(["no-such-event"]);
    events.add("a", from(60, 90));
    expect(events.change({ do: "remove", id: id("a") })).toMatchObject({ event: { name: "ea" } });
    expect(events.events?.list).toEqual([]);
  });
});

describe("[EVAPI-9] the draw that is announced", () => {
  const SHUFFLED = { ...from(60, 90, 30), shuffle_at_event_start: true };

  test("with a secret's hash, and a round that nobody can know before the start", () => {
    const events = new Events();
    events.add("a", SHUFFLED);
    const { draw } = events.first;
    expect(draw).toMatchObject({ announcedAt: NINE, secret: "01".repeat(32) });
    expect(draw?.commitment).toBe(commitmentOf(bytesOfHex("01".repeat(32))!));
    const { promised } = draw!;
    if (promised.from !== "drand") throw new Error("drand is the default");
    expect(roundAt(promised.chain, promised.round)).toBeGreaterThanOrEqual(
      NINE + 60 * MINUTE + 5_000,
    );
    expect(roundAt(promised.chain, promised.round)).toBeLessThan(NINE + 60 * MINUTE + 8_000);
  });

  test("stays while anything else changes, and goes with the shuffling", () => {
    const events = new Events();
    events.add("a", SHUFFLED);
    const { draw } = events.first;
    events.now += MINUTE;
    events.edit("a", { name: "other", prequeue_start_time: at(20), event_end_time: at(99) });
    expect(events.first.draw).toEqual(draw);
    events.edit("a", { shuffle_at_event_start: false });
    expect(events.first.draw).toBeNull();
  });

  test("is announced anew when the start moves, by the same secret", () => {
    const events = new Events();
    events.add("a", SHUFFLED);
    const { draw } = events.first;
    events.now += MINUTE;
    events.edit("a", { event_start_time: at(70) });
    expect(events.first.draw).toMatchObject({
      secret: draw?.secret,
      commitment: draw?.commitment,
      announcedAt: NINE + MINUTE,
    });
    expect(events.first.draw?.promised).not.toEqual(draw?.promised);
  });

  test("by witnesses where the event says so, and a replacement that says nothing keeps it", () => {
    const events = new Events();
    events.add("a", { ...SHUFFLED, seiriken: { draw: "witnesses" } });
    expect(events.first.draw?.promised).toEqual({ from: "witnesses" });
    const settings = wholeOf(readFields({ name: "ea", ...SHUFFLED }, false).fields);
    events.change({ do: "replace", id: id("a"), settings });
    expect(events.first.draw?.promised).toEqual({ from: "witnesses" });
    events.edit("a", { seiriken: { draw: "drand" } });
    expect(events.first.draw?.promised.from).toBe("drand");
  });

  test("not where the deployment's chain can't be read", () => {
    const events = new Events();
    Object.assign(events.draws, { chain: null });
    expect(problemsIn(events.add("a", SHUFFLED))).toEqual(["seiriken.draw"]);
    const witnessed = { ...SHUFFLED, seiriken: { draw: "witnesses" } };
    expect(problemsIn(events.add("a", witnessed))).toEqual([]);
  });
});

describe("[EVAPI-10] a draw that has begun", () => {
  const begun = () => {
    const events = new Events();
    events.add("a", { ...from(60, 90, 30), shuffle_at_event_start: true });
    events.now = NINE + 60 * MINUTE;
    return events;
  };

  test("can't be moved, taken back, or be told by another source", () => {
    const moved = { event_start_time: at(61) };
    expect(problemsIn(begun().edit("a", moved))).toEqual(["event_start_time"]);
    expect(problemsIn(begun().edit("a", { shuffle_at_event_start: false }))).toEqual([
      "shuffle_at_event_start",
    ]);
    const told = { seiriken: { draw: "witnesses" } };
    expect(problemsIn(begun().edit("a", told))).toEqual(["seiriken.draw"]);
    const rest = { event_end_time: at(95), session_duration: 1, name: "longer" };
    expect(problemsIn(begun().edit("a", rest))).toEqual([]);
  });

  test("can't be announced any more", () => {
    const events = new Events();
    events.add("a", from(60, 90, 30));
    events.now = NINE + 60 * MINUTE;
    expect(problemsIn(events.edit("a", { shuffle_at_event_start: true }))).toEqual([
      "shuffle_at_event_start",
    ]);
    events.now -= 1;
    expect(problemsIn(events.edit("a", { shuffle_at_event_start: true }))).toEqual([]);
  });

  test("an event that is over can be planned anew, by another secret", () => {
    const events = begun();
    const { draw } = events.first;
    events.now = NINE + 90 * MINUTE;
    events.edit("a", from(160, 190, 130));
    expect(events.first.draw).toMatchObject({ secret: "02".repeat(32), announcedAt: events.now });
    expect(events.first.draw?.commitment).not.toBe(draw?.commitment);
  });
});

test("[EVAPI-8] a room's next event is the first that is still to start, and not suspended", () => {
  const events = new Events();
  events.add("a", from(60, 90, 50));
  events.add("b", { ...from(10, 20), suspended: true });
  events.add("c", from(160, 190));
  const next = (minutes: number) =>
    nextEventOf(
      events.events === undefined ? {} : { events: events.events },
      instant(NINE + minutes * MINUTE),
    )?.name ?? null;
  expect([0, 55, 60, 160].map(next)).toEqual(["ea", "ea", "ec", null]);
  expect(nextEventOf({}, instant(NINE))).toBeNull();
});
