import { expect, test } from "vitest";
import { ticketNumber } from "../../src/core/ids.ts";
import { instant } from "../../src/core/time.ts";
import type { TurnsAsk, TurnsReply, WaitAsk, WaitReply } from "../../src/durable/contract.ts";
import { Turns, type TurnCaller } from "../../src/worker/isolate/turns.ts";
import { platformPorts } from "../../src/worker/platform/ports.ts";

const ask = (number: number): WaitAsk => ({
  waitId: `wait ${number}`,
  ticket: null,
  holdMs: 5_000,
  address: null,
});

const visit = (number: number, leaseMs = 60_000) => ({
  visit: ticketNumber(number),
  epoch: 1,
  leaseUntil: instant(leaseMs),
  passUntil: instant(0),
  endsAt: null,
  provisional: false,
  now: instant(0),
});

/** A lobby of one permit, which number 1 has; it lends all that it was asked for, once it knows them. */
const lobbyOf = ({ leaseMs = 60_000, fails = false } = {}) => {
  const told: string[] = [];
  const waiting: string[] = [];
  let stamp = 0;
  let news = () => undefined as void;
  const desk = new Turns(platformPorts).at("lobby");
  const turns = async (call: TurnsAsk): Promise<TurnsReply> => {
    if (fails) throw new Error("no such method");
    for (const { waitId } of call.asks) waiting.push(waitId);
    for (const { from, to } of call.passed) told.push(`${from} to ${to}`);
    for (const ended of call.ended) told.push(`end ${ended}`);
    for (const wait of call.gone) told.push(`gone ${wait}`);
    news();
    if (call.asks.length + call.passed.length + call.ended.length + call.gone.length === 0)
      await new Promise<void>((resolve) => (news = resolve));
    stamp += 1;
    const lent = waiting.map((wait) => ({ wait, number: ticketNumber(Number(wait.slice(5))) }));
    return { stamp, replies: [], lent: { turns: lent, forMs: 5_000 }, unended: [] };
  };
  const caller: TurnCaller = {
    ports: platformPorts,
    waitUntil: () => undefined,
    turns,
    async wait({ waitId }): Promise<WaitReply> {
      told.push(`alone ${waitId}`);
      const number = Number(waitId.slice(5));
      return { kind: "visit", visit: visit(number, leaseMs), rate: null };
    },
    async abandonWait(wait) {
      told.push(`abandon ${wait}`);
    },
  };
  return { told, desk, caller };
};

type Reply = WaitReply | null;
const endOf = async (reply: Reply): Promise<void> => {
  if (reply?.kind === "visit") await reply.permit?.end();
};
const numberOf = (reply: Reply): number | null =>
  reply?.kind === "visit" ? reply.visit.visit : null;

/** The first goes alone; two more wait, as far as the lobby has answered. */
const three = async (lobby: ReturnType<typeof lobbyOf>) => {
  const { desk, caller } = lobby;
  const [first, second, third] = [1, 2, 3].map((number) => desk.wait(ask(number), caller));
  const one = await first;
  await scheduler.wait(30);
  return [one ?? null, second, third] as const;
};

test("[LENT-9] [LENT-11] a permit goes from one request of the isolate to the next, and is told in order", async () => {
  const lobby = lobbyOf();
  const [one, second, third] = await three(lobby);
  await endOf(one);
  const two = (await second) ?? null;
  expect(numberOf(two)).toBe(2);
  expect(two).toMatchObject({ visit: { leaseUntil: expect.any(Number) } });
  await endOf(two);
  expect(numberOf((await third) ?? null)).toBe(3);
  await scheduler.wait(30);
  expect(lobby.told).toEqual(["alone wait 1", "1 to 2", "2 to 3"]);
});

test("[LENT-7] [LENT-9] the Room has not heard of such a visit: its first lease is 4 s at most", async () => {
  const lobby = lobbyOf();
  const [one, second] = await three(lobby);
  await endOf(one);
  const two = await second;
  if (two?.kind !== "visit") throw new Error("it was not let in");
  expect(two.visit.leaseUntil - two.visit.now).toBe(4_000);
  expect(two.visit.heldUntil).toBe(60_000);
});

test("[LENT-9] a permit whose lease is nearly over goes back", async () => {
  const lobby = lobbyOf({ leaseMs: 1_400 });
  const [one] = await three(lobby);
  await endOf(one);
  expect(lobby.told).toEqual(["alone wait 1", "end 1"]);
});

test("[LENT-9] a request whose client has gone is passed over", async () => {
  const lobby = lobbyOf();
  const [one, , third] = await three(lobby);
  await lobby.desk.abandon("wait 2", lobby.caller);
  await endOf(one);
  expect(numberOf((await third) ?? null)).toBe(3);
  await scheduler.wait(30);
  expect(lobby.told.toSorted()).toEqual(["1 to 3", "alone wait 1", "gone wait 2"]);
});

test("[LENT-11] where shared calls fail each asks by itself", async () => {
  const lobby = lobbyOf({ fails: true });
  const [, second, third] = await three(lobby);
  expect([numberOf((await second) ?? null), numberOf((await third) ?? null)]).toEqual([2, 3]);
  expect(lobby.told.toSorted()).toEqual(["alone wait 1", "alone wait 2", "alone wait 3"]);
});
