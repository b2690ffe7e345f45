import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import type { TicketClaims, LobbyRpc } from "../../src/durable/contract.ts";
import { held, newRoom, objects, takeOne, visitorId } from "./objects.ts";
import { insistently } from "./insistently.ts";

type RoomUnderTest = Awaited<ReturnType<typeof newRoom>>;

const PERMITS = 3;
const VISITORS = 40;

const take = async (lobby: () => LobbyRpc): Promise<TicketClaims> => {
  const visitor = visitorId();
  const reply = await insistently(async () => {
    const taken = await takeOne(lobby(), { visitor, ticket: null, address: null });
    if (taken.kind !== "ticket") throw new Error(JSON.stringify(taken));
    return taken;
  });
  return held(visitor, reply.view);
};

interface Life {
  readonly number: number;
  readonly visit: number;
  /** The visitors who were inside when this one came in, itself included. */
  readonly inside: number;
}

/** Everybody takes a ticket, asks until it is let in, stays for a moment and ends its visit. */
const crowd = async ({ lobby }: RoomUnderTest): Promise<Life[]> => {
  let inside = 0;
  const live = async (): Promise<Life> => {
    const ticket = await take(() => lobby(0));
    const visit = await insistently(async () => {
      const claim = await lobby(0).claim(ticket);
      if (claim.kind === "ended") throw new RangeError(`${ticket.number} lost its place`);
      if (claim.kind !== "visit") throw new Error(claim.kind);
      return claim.visit;
    });
    inside += 1;
    const insideNow = inside;
    await scheduler.wait(5);
    inside -= 1;
    await insistently(() => lobby(0).end(visit.visit, 0));
    return { number: ticket.number, visit: visit.visit, inside: insideNow };
  };
  return Promise.all(Array.from({ length: VISITORS }, live));
};

/** A new stub: the old one is broken once its object has died. */
const roomOf = ({ id }: RoomUnderTest) => objects.ROOM.getByName(id);

const expectAllWell = async (under: RoomUnderTest, lives: readonly Life[]): Promise<void> => {
  expect(new Set(lives.map(({ number }) => number)).size).toBe(VISITORS);
  expect(lives.filter(({ number, visit }) => number !== visit)).toEqual([]);
  expect(Math.max(...lives.map(({ inside }) => inside))).toBeLessThanOrEqual(PERMITS);
  const snapshot = await insistently(() => roomOf(under).snapshot(null));
  expect(snapshot).toMatchObject({ visiting: 0 });
};

/** Every third write of the Room fails: before anything is written, or when all is. */
const breakWrites = (under: RoomUnderTest, when: "before" | "after"): Promise<void> =>
  runInDurableObject(under.room as never, (_, { storage }) => {
    const write = storage.transactionSync.bind(storage);
    let writes = 0;
    storage.transactionSync = <T>(work: () => T): T => {
      writes += 1;
      const fails = writes % 3 === 0;
      if (fails && when === "before") throw new Error("the disk is full");
      const result = write(work);
      if (fails) throw new Error("the machine died before it could answer");
      return result;
    };
  });

test.each(["before", "after"] as const)(
  "[WHOLE-34] a Room whose writes fail %s they are done answers nothing that does not hold",
  async (when) => {
    const under = await newRoom({ permitsMax: PERMITS });
    await breakWrites(under, when);
    const lives = await crowd(under);
    await expectAllWell(under, lives);
    // Repeated batches were answered as before: no number was used up by a failure.
    expect(lives.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: VISITORS }, (_, index) => index + 1),
    );
  },
);

const KILLS = 8;
const abort = (stub: unknown): Promise<unknown> =>
  runInDurableObject(stub as never, (_, state) => state.abort("killed by a test"));

test.each([
  ["the Room is evicted", (under: RoomUnderTest) => evictDurableObject(roomOf(under) as never)],
  ["the Room is aborted", (under: RoomUnderTest) => abort(roomOf(under))],
  ["a lobby is evicted", ({ lobby }: RoomUnderTest) => evictDurableObject(lobby(0) as never)],
  ["a lobby is aborted", ({ lobby }: RoomUnderTest) => abort(lobby(0))],
] as const)(
  "[WHOLE-35] %s again and again: everybody gets in, never more than P",
  async (_, kill) => {
    const under = await newRoom({ permitsMax: PERMITS });
    const lives = crowd(under);
    for (let count = 0; count < KILLS; count += 1) {
      await scheduler.wait(25);
      // It rejects: the object that it asked is gone, or was not there yet.
      await kill(under).catch(() => null);
    }
    await expectAllWell(under, await lives);
  },
);
