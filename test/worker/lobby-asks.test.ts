import { describe, expect, test } from "vitest";
import { lobbyIndex, ticketNumber, type VisitorId } from "../../src/core/ids.ts";
import { instant } from "../../src/core/time.ts";
import type { EnterAsk, TicketClaims } from "../../src/durable/contract.ts";
import { askToEnter } from "../../src/worker/admission/enter-call.ts";
import { askWhere } from "../../src/worker/admission/where-call.ts";
import { CallBatcher } from "../../src/worker/isolate/call-batcher.ts";
import { platformPorts } from "../../src/worker/platform/ports.ts";
import { heldTicketOf, roomOf } from "./fakes.ts";

/** The requests of one isolate, before a lobby that is scripted. */
const contextBefore = (lobby: object, names: string[]) => {
  const getByName = (name: string): object => {
    names.push(name);
    return lobby;
  };
  const arrival = { env: { LOBBY: { getByName } }, waitUntil: () => undefined };
  const isolate = {
    ports: platformPorts,
    whereAsks: new CallBatcher(platformPorts),
    enterAsks: new CallBatcher(platformPorts),
  };
  return { arrival, isolate, room: roomOf() } as never;
};

const upToFive = [1, 2, 3, 4, 5];

const ticketOf = (number: number): TicketClaims => ({
  ...heldTicketOf(instant(0)),
  lobby: lobbyIndex(2),
  number: ticketNumber(number),
});

const entryOf = (number: number): EnterAsk => ({
  visitor: `visitor-${number}` as VisitorId,
  transient: false,
  number: null,
  address: null,
});

test("[GATHER-9] for whom the Room has to be asked, that one asks alone, and nobody waits for it", async () => {
  const whereAll = async (tickets: readonly TicketClaims[]) => {
    await scheduler.wait(5);
    return tickets.map(({ number }) => (number === 4 ? null : number));
  };
  const { promise: room, resolve } = Promise.withResolvers<number>();
  const told: number[] = [];
  const where = ({ number }: TicketClaims) => {
    told.push(number);
    return room;
  };
  const context = contextBefore({ whereAll, where }, []);
  const [one, two, three, four, five] = upToFive.map((number) =>
    askWhere(context, ticketOf(number)),
  );
  expect(await Promise.all([one, two, three, five])).toEqual([1, 2, 3, 5]);
  expect(told).toEqual([4]);
  resolve(40);
  expect(await four).toBe(40);
});

/** No lobby answers so: each answer names who asked. */
const ways = [
  {
    what: "where they stand",
    together: "whereAll",
    alone: "where",
    nameOf: ({ number }: TicketClaims): string => String(number),
    askFor: (context: never, number: number) => askWhere(context, ticketOf(number)),
    named: String,
  },
  {
    what: "to be let in",
    together: "enterAll",
    alone: "enter",
    nameOf: ({ visitor }: EnterAsk): string => visitor,
    askFor: (context: never, number: number) => askToEnter(context, lobbyIndex(2), entryOf(number)),
    named: (number: number) => `visitor-${number}`,
  },
] as const;

describe.each(ways)("those who ask one isolate $what", (way) => {
  const { together, alone, askFor, named } = way;
  const nameOf = way.nameOf as (ask: never) => string;
  const before = (lobby: object) => {
    const names: string[] = [];
    const context = contextBefore(lobby, names);
    const all = () => Promise.all(upToFive.map((number) => askFor(context, number)));
    return { names, all };
  };

  test("[GATHER-9] share the calls to their lobby", async () => {
    const calls: number[] = [];
    const { all, names } = before({
      [together]: async (asks: readonly never[]) => {
        calls.push(asks.length);
        await scheduler.wait(5);
        return asks.map(nameOf);
      },
    });
    expect(await all()).toEqual(upToFive.map(named));
    expect(calls).toEqual([1, 1, 3]);
    expect(names.every((name) => name.endsWith("/2"))).toBe(true);
  });

  test("[GATHER-9] a lobby of a version before is asked for each alone", async () => {
    const told: string[] = [];
    const { all } = before({
      [together]: () =>
        Promise.reject(new TypeError(`The RPC receiver does not implement the method "x".`)),
      [alone]: async (ask: never) => {
        told.push(nameOf(ask));
        return nameOf(ask);
      },
    });
    expect(await all()).toEqual(upToFive.map(named));
    expect(new Set(told)).toEqual(new Set(upToFive.map(named)));
    expect(told).toHaveLength(5);
  });

  test("[GATHER-3] hear what the lobby fails by", async () => {
    const { all } = before({ [together]: () => Promise.reject(new TypeError("something else")) });
    await expect(all()).rejects.toThrow("something else");
  });
});
