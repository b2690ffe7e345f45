import { describe, expect, test } from "vitest";
import { plannedEventsOf } from "../../../src/core/events/planned.ts";
import { ticketNumber } from "../../../src/core/ids.ts";
import { NEXT_VALID_MS, type Op, type OpReply } from "../../../src/core/room/commands.ts";
import { instant } from "../../../src/core/time.ts";
import { roomEvent } from "../../support/events.ts";
import { World } from "./world.ts";

const MINUTE = 60_000;
const T0 = new World().now;
const PREQUEUE = T0 + MINUTE;
const START = T0 + 6 * MINUTE;
const HOLD_MS = 20_000;

const ASK: Op = { op: "request", ticket: null, holdMs: HOLD_MS, address: null };
const request = (w: World): OpReply => w.one(ASK);

const roomWithSale = (): World => {
  const w = new World({ permit: "request", permitsMax: 1, leaseMs: MINUTE });
  const overrides = { permitsMax: 3, startsPerMinuteMax: 100_000, leaseMs: 1_000 };
  const list = [roomEvent(START, { prequeueAt: instant(PREQUEUE), overrides })];
  w.configure({}, plannedEventsOf({ events: { changedAt: instant(1), list } }));
  return w;
};
const goTo = (w: World, at: number): void => w.tick(at - w.now);

describe("[EVENT-14] a room of requests", () => {
  test("in the prequeue what runs goes on, and the next one waits, and keeps its place", () => {
    const w = roomWithSale();
    request(w);
    goTo(w, PREQUEUE);
    expect(request(w)).toMatchObject({ kind: "place", place: { number: 2, state: "waiting" } });
    w.end(1);
    expect([w.visiting, w.standing(2)]).toEqual([0, "waiting"]);
    const away = w.one({ op: "withdraw", number: ticketNumber(2) });
    expect(away).toMatchObject({ kind: "not-yet", place: { number: 2, state: "away" } });
    request(w);
    const ticket = { number: ticketNumber(2), heardAt: instant(w.now) };
    expect(w.one({ ...ASK, ticket })).toMatchObject({ place: { number: 2, ahead: 0 } });
  });

  test("what waits at the edge begins with the start, as many as the event has permits", () => {
    const w = roomWithSale();
    goTo(w, START - HOLD_MS / 2);
    for (let count = 0; count < 5; count += 1) request(w);
    expect(w.visiting).toBe(0);
    goTo(w, START);
    const begun = [...(w.last?.calls.values() ?? [])].flat();
    expect(begun.map(({ number, visit }) => [number, visit?.leaseUntil])).toEqual(
      [1, 2, 3].map((number) => [number, START + MINUTE]),
    );
    expect([w.visiting, w.standing(4)]).toEqual([3, "waiting"]);
  });

  test.each([
    ["prequeue", PREQUEUE],
    ["end", START + 60 * MINUTE],
  ])("nobody is named for a baton who could be let in after the %s began", (_, change) => {
    const w = roomWithSale();
    goTo(w, change - NEXT_VALID_MS - 1);
    const asks = Array.from({ length: 5 }, () => ASK);
    expect(w.answer(asks, { passesBatons: true }).next?.length).toBeGreaterThan(0);
    goTo(w, change - NEXT_VALID_MS);
    expect(w.answer([], { passesBatons: true }).next).toBeUndefined();
  });
});
