import { describe, expect, test } from "vitest";
import { lobbyIndex, type LobbyIndex, type TicketNumber } from "../../../src/core/ids.ts";
import type { RegionList } from "../../../src/core/regions/region.ts";
import { NEXT_VALID_MS, type Op, type OpReply } from "../../../src/core/room/commands.ts";
import { instant } from "../../../src/core/time.ts";
import { World } from "../room/world.ts";

const [HERE, THERE] = [lobbyIndex(0), lobbyIndex(1)];

/** A room of requests with regions and one permit, which number 1 has, by way of THERE. */
const stage = (regions: RegionList | null = ["weur", "apac"]) => {
  const world = new World({
    ...{ permit: "request", permitsMax: 1, leaseMs: 60_000 },
    ...(regions === null ? {} : { regions }),
  });
  const asks = (lobby: LobbyIndex, number: number | null = null): OpReply => {
    const ticket =
      number === null ? null : { number: number as TicketNumber, heardAt: instant(world.now) };
    return world.one({ op: "request", ticket, holdMs: 20_000, address: null }, { lobby });
  };
  const withdraws = (lobby: LobbyIndex, number: number): OpReply =>
    world.one({ op: "withdraw", number: number as TicketNumber }, { lobby });
  const looks = (lobby: LobbyIndex, number: number): OpReply => {
    const heardAt = instant(world.now);
    const op: Op = { op: "rejoin", number: number as TicketNumber, heardAt, exact: true };
    return world.one(op, { lobby });
  };
  /** The permit of number 1 comes free: which lobbies hear of which visits. */
  const told = () => {
    world.batch([{ op: "end", visit: 1 as never, afterMs: 0 }], { lobby: HERE });
    return [...(world.last?.calls ?? [])].map(([lobby, calls]) => [
      lobby,
      calls.map(({ number }) => number),
    ]);
  };
  expect(asks(THERE)).toMatchObject({ kind: "visit", visit: { visit: 1 } });
  return { world, asks, withdraws, looks, told };
};

describe("a request whose lobby cannot be reached any more", () => {
  test("[REGION-10] comes back with its ticket by another lobby, and its turn is told there", () => {
    const { world, asks, withdraws, told } = stage();
    asks(THERE);
    withdraws(THERE, 2);
    expect(asks(HERE, 2)).toMatchObject({ kind: "place", place: { number: 2, ahead: 0 } });
    expect(world.state.line.unspentOf(THERE)).toBe(0);
    expect(told()).toEqual([[HERE, [2]]]);
    expect(world.standing(2)).toBe("visiting");
  });

  test("[REGION-10] while it still waits there, too, and in its place before those who came later", () => {
    const { asks, told } = stage();
    asks(THERE);
    asks(HERE);
    asks(HERE, 2);
    expect(told()).toEqual([[HERE, [2]]]);
  });

  test("[REGION-10] what the former lobby withdraws then changes nothing", () => {
    const { world, asks, withdraws, told } = stage();
    asks(THERE);
    asks(HERE, 2);
    expect(withdraws(THERE, 2)).toMatchObject({
      kind: "not-yet",
      place: { number: 2, state: "waiting" },
      retryAt: world.now + 1_000,
    });
    expect(told()).toEqual([[HERE, [2]]]);
  });

  test("[REGION-10] nor does it get the visit that began elsewhere: one permit is one request", () => {
    const { asks, withdraws, told } = stage();
    asks(THERE);
    asks(HERE, 2);
    told();
    expect(withdraws(THERE, 2)).toEqual({ kind: "ended" });
    expect(withdraws(HERE, 2)).toMatchObject({ kind: "visit", visit: { visit: 2 } });
  });

  test("[REGION-10] who only looks where it stands takes its turn nowhere", () => {
    const { asks, looks, told } = stage();
    asks(THERE);
    expect(looks(HERE, 2)).toMatchObject({ kind: "place", place: { state: "waiting" } });
    expect(told()).toEqual([[THERE, [2]]]);
  });

  test("[REGION-10] once it waits nowhere, a look says by which lobby it is there", () => {
    const { world, asks, withdraws, looks } = stage();
    asks(THERE);
    withdraws(THERE, 2);
    looks(HERE, 2);
    expect(world.state.line.lobbyOf(2 as TicketNumber)).toBe(HERE);
  });

  test("[REGION-10] comes again while its lobby may pass it a permit by itself", () => {
    const { world, asks, told } = stage();
    asks(THERE);
    const roster = [2 as TicketNumber];
    expect(world.answer([], { lobby: THERE, passesBatons: true, roster }).next).toEqual([2]);
    expect(asks(HERE, 2)).toEqual({
      ...{ kind: "refused", refusal: "busy" },
      retryAfterMs: NEXT_VALID_MS,
    });
    // Its batches go on, and name nobody any more: who comes again is not put off for ever.
    world.now += NEXT_VALID_MS - 1;
    expect(world.answer([], { lobby: THERE, passesBatons: true }).next).toBeUndefined();
    expect(asks(HERE, 2)).toMatchObject({ kind: "refused", retryAfterMs: 1 });
    world.now += 1;
    expect(asks(HERE, 2)).toMatchObject({ kind: "place" });
    expect(told()).toEqual([[HERE, [2]]]);
  });

  test("[REGION-10] without regions a lobby's number is its own for ever", () => {
    const { world, asks, withdraws } = stage(null);
    asks(THERE);
    withdraws(THERE, 2);
    asks(HERE, 2);
    expect(world.state.line.lobbyOf(2 as TicketNumber)).toBe(THERE);
  });
});
