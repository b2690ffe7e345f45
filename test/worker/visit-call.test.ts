import { expect, test } from "vitest";
import { lobbyIndex, ticketNumber } from "../../src/core/ids.ts";
import { instant } from "../../src/core/time.ts";
import type { ClaimReply, TicketClaims, VisitAsk } from "../../src/durable/contract.ts";
import { askAboutVisit } from "../../src/worker/admission/visit-call.ts";
import { CallBatcher } from "../../src/worker/isolate/call-batcher.ts";
import { platformPorts } from "../../src/worker/platform/ports.ts";
import { heldTicketOf, roomOf } from "./fakes.ts";

const ended: ClaimReply = { kind: "ended" };
const ticketOf = (number: number): TicketClaims => ({
  ...heldTicketOf(instant(0)),
  number: ticketNumber(number),
});

/** The requests of one isolate, before a lobby that notes what it was called with. */
const before = (lobby: object) => {
  const arrival = { env: { LOBBY: { getByName: () => lobby } }, waitUntil: () => undefined };
  const isolate = { visitAsks: new CallBatcher<VisitAsk, ClaimReply | null>(platformPorts) };
  const context = { arrival, isolate, room: roomOf() } as never;
  return (ask: VisitAsk) => askAboutVisit(context, lobbyIndex(0), ask);
};

const FIVE: readonly VisitAsk[] = [
  ...[1, 2, 3].map((number) => ({ claim: ticketOf(number) })),
  ...[4, 5].map((number) => ({ end: ticketNumber(number), afterMs: 0 })),
];

test("[GATHER-9] claims and ends of one isolate share the calls to their lobby", async () => {
  const calls: number[] = [];
  const ask = before({
    visits: async (asks: readonly VisitAsk[]) => {
      calls.push(asks.length);
      await scheduler.wait(5);
      return asks.map((each) => ("claim" in each ? ended : null));
    },
  });
  expect(await Promise.all(FIVE.map(ask))).toEqual([ended, ended, ended, null, null]);
  expect(calls).toEqual([1, 1, 3]);
});

test("[GATHER-9] a lobby of the version before is asked for each alone", async () => {
  const calls: unknown[] = [];
  const ask = before({
    visits: () =>
      Promise.reject(new TypeError('The RPC receiver does not implement the method "visits".')),
    claim: async ({ number }: TicketClaims) => {
      calls.push(["claim", number]);
      return ended;
    },
    end: async (visit: number, afterMs: number) => void calls.push(["end", visit, afterMs]),
  });
  expect(await Promise.all(FIVE.map(ask))).toEqual([ended, ended, ended, null, null]);
  expect(calls).toHaveLength(5);
  expect(calls).toContainEqual(["claim", 3]);
  expect(calls).toContainEqual(["end", 5, 0]);
});

test("[GATHER-3] what the lobby fails by is told to those whom it was asked for", async () => {
  const ask = before({ visits: () => Promise.reject(new TypeError("something else")) });
  await expect(ask({ claim: ticketOf(1) })).rejects.toThrow("something else");
});
