import { expect, test } from "vitest";
import { lobbyIndex, ticketNumber } from "../../src/core/ids.ts";
import { instant } from "../../src/core/time.ts";
import type { TicketClaims, WhereReply } from "../../src/durable/contract.ts";
import { askWhere } from "../../src/worker/admission/where-call.ts";
import { CallBatcher } from "../../src/worker/isolate/call-batcher.ts";
import { platformPorts } from "../../src/worker/platform/ports.ts";
import { heldTicketOf, roomOf } from "./fakes.ts";

/** No lobby answers so: the answer names who asked. */
const answerTo = ({ number }: TicketClaims): WhereReply =>
  ({ kind: "refused", refusal: "busy", retryAfterMs: number }) as const;

const FIVE: readonly TicketClaims[] = [1, 2, 3, 4, 5].map((number) => ({
  ...heldTicketOf(instant(0)),
  lobby: lobbyIndex(2),
  number: ticketNumber(number),
}));

/** The requests of one isolate, before a lobby that notes what it was called with. */
const before = (lobby: object) => {
  const names: string[] = [];
  const getByName = (name: string): object => {
    names.push(name);
    return lobby;
  };
  const arrival = { env: { LOBBY: { getByName } }, waitUntil: () => undefined };
  const isolate = { whereAsks: new CallBatcher<TicketClaims, WhereReply>(platformPorts) };
  const context = { arrival, isolate, room: roomOf() } as never;
  return { names, ask: (ticket: TicketClaims) => askWhere(context, ticket) };
};

test("[GATHER-9] those who ask one isolate where they stand share the calls to their lobby", async () => {
  const calls: number[] = [];
  const { ask, names } = before({
    whereAll: async (tickets: readonly TicketClaims[]) => {
      calls.push(tickets.length);
      await scheduler.wait(5);
      return tickets.map(answerTo);
    },
  });
  expect(await Promise.all(FIVE.map(ask))).toEqual(FIVE.map(answerTo));
  expect(calls).toEqual([1, 1, 3]);
  expect(names.every((name) => name.endsWith("/2"))).toBe(true);
});

test("[GATHER-9] a lobby of a version before is asked for each alone", async () => {
  const calls: number[] = [];
  const { ask } = before({
    whereAll: () =>
      Promise.reject(new TypeError('The RPC receiver does not implement the method "whereAll".')),
    where: async (ticket: TicketClaims) => {
      calls.push(ticket.number);
      return answerTo(ticket);
    },
  });
  expect(await Promise.all(FIVE.map(ask))).toEqual(FIVE.map(answerTo));
  expect(calls.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
});

test("[GATHER-3] what the lobby fails by is told to those whom it was asked for", async () => {
  const { ask } = before({ whereAll: () => Promise.reject(new TypeError("something else")) });
  await expect(ask(FIVE[0]!)).rejects.toThrow("something else");
});
