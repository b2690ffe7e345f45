import { expect, test } from "vitest";
import { ticketNumber } from "../../src/core/ids.ts";
import { instant } from "../../src/core/time.ts";
import type { WaitAsk, WaitReply } from "../../src/durable/contract.ts";
import type { TurnsAsk, TurnsReply } from "../../src/durable/turns-contract.ts";
import { Turns, type TurnCaller, type TurnOutcome } from "../../src/worker/isolate/turns.ts";
import type { Ports } from "../../src/worker/platform/ports.ts";
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
  let stopped = false;
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
    isStopped: () => stopped,
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
  return { told, desk, caller, stop: () => (stopped = true) };
};

test("[LENT-13] [REGION-9] two desks that ask one object, as one stands in for a silent one, are two to it", async () => {
  const desks = new Turns(platformPorts);
  const asking = new Map<string, string[]>();
  const { caller } = lobbyOf();
  const turns = async ({ isolate, asks }: TurnsAsk): Promise<TurnsReply> => {
    asking.set(isolate, [...(asking.get(isolate) ?? []), ...asks.map(({ waitId }) => waitId)]);
    const visits = asks.map(({ waitId }) => ({
      wait: waitId,
      reply: { kind: "visit" as const, visit: visit(Number(waitId.slice(5))), rate: null },
    }));
    return { stamp: 1, replies: visits, lent: null, unended: [] };
  };
  const busy = { ...caller, turns };
  const waits = ["home", "stand-in"].flatMap((lobby, at) => [
    desks.at(lobby).wait(ask(10 * at + 1), busy),
    desks.at(lobby).wait(ask(10 * at + 2), busy),
  ]);
  expect((await Promise.all(waits)).map(numberOf)).toEqual([1, 2, 11, 12]);
  expect([...asking.values()].filter((asks) => asks.length > 0)).toEqual([["wait 2"], ["wait 12"]]);
});

type Desk = ReturnType<Turns["at"]>;
type Reply = TurnOutcome | null;

/** Of a wait that its test leaves open nobody hears the end, ten seconds later. */
const waitAt = (desk: Desk, number: number, caller: TurnCaller): Promise<TurnOutcome> => {
  const wait = desk.wait(ask(number), caller);
  wait.catch(() => null);
  return wait;
};
const endOf = async (reply: Reply): Promise<void> => {
  if (reply?.kind === "visit") await reply.permit?.end();
};
const numberOf = (reply: Reply): number | null =>
  reply?.kind === "visit" ? reply.visit.visit : null;

/** The first goes alone; two more wait, as far as the lobby has answered. */
const three = async (lobby: ReturnType<typeof lobbyOf>) => {
  const { desk, caller } = lobby;
  const [first, second, third] = [1, 2, 3].map((number) => waitAt(desk, number, caller));
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

test("[LENT-12] a request that is broken off gives its permit back, and passes it to nobody", async () => {
  const lobby = lobbyOf();
  const [one] = await three(lobby);
  lobby.stop();
  await endOf(one);
  expect(lobby.told).toEqual(["alone wait 1", "end 1"]);
});

/** One permit, and calls that are answered by hand; each request is a context of its own. */
const handLobby = () => {
  let aheadMs = 0;
  const ports: Ports = { ...platformPorts, now: () => platformPorts.now() + aheadMs };
  const desk = new Turns(ports).at("lobby");
  const calls: { by: number; ask: TurnsAsk; answer: (reply: TurnsReply) => void }[] = [];
  const stopped = new Set<number>();
  const callerOf = (by: number): TurnCaller => ({
    ports,
    waitUntil: () => undefined,
    isStopped: () => stopped.has(by),
    turns: (call) =>
      new Promise<TurnsReply>((resolve) => calls.push({ by, ask: call, answer: resolve })),
    // The first has the room for itself, and its call goes on.
    wait: () => new Promise(() => undefined),
    abandonWait: async () => undefined,
  });
  const granted = (number: number) => ({
    wait: `wait ${number}`,
    reply: { kind: "visit", visit: visit(number), rate: null } as const,
  });
  return {
    desk,
    calls,
    callerOf,
    stop: (by: number) => stopped.add(by),
    goOn: (ms: number) => (aheadMs += ms),
    reply: (stamp: number, ...numbers: number[]): TurnsReply => ({
      ...{ stamp, replies: numbers.map(granted), lent: null, unended: [] },
    }),
  };
};

test("[LENT-12] a request that is broken off while it carries is answered at once, and one that waits goes on", async () => {
  const { desk, calls, callerOf, stop, reply } = handLobby();
  // It hears nothing, and that it is told so 10 s later is not looked at.
  void waitAt(desk, 1, callerOf(1));
  const [second, third] = [2, 3].map((number) => waitAt(desk, number, callerOf(number)));
  await scheduler.wait(20);
  expect(calls.map(({ by }) => by)).toEqual([2, 3]);
  calls[1]?.answer(reply(1));
  await scheduler.wait(0);
  // The client of 2, which listens for both, has gone.
  stop(2);
  void desk.abandon("wait 2", callerOf(2));
  await scheduler.wait(0);
  expect(calls[2]).toMatchObject({ by: 2, ask: { gone: ["wait 2"] } });
  calls[0]?.answer(reply(2));
  calls[2]?.answer({ ...reply(3), replies: [{ wait: "wait 2", reply: { kind: "ended" } }] });
  expect(await second).toMatchObject({ kind: "ended" });
  await scheduler.wait(20);
  expect(calls.slice(3)).toMatchObject([{ by: 3, ask: { heard: [2, 3] } }]);
  calls[3]?.answer(reply(4, 3));
  expect(numberOf((await third) ?? null)).toBe(3);
});

test("[LENT-13] what was lost with a request that carried it is sent again, and answered again", async () => {
  const { desk, calls, callerOf, goOn, reply } = handLobby();
  // It hears nothing, and that it is told so 10 s later is not looked at.
  void waitAt(desk, 1, callerOf(1));
  const second = waitAt(desk, 2, callerOf(2));
  await scheduler.wait(0);
  expect(calls).toMatchObject([{ by: 2, ask: { again: false } }]);
  goOn(9_500);
  const third = waitAt(desk, 3, callerOf(3));
  await scheduler.wait(20);
  expect(calls[1]).toMatchObject({ by: 3, ask: { again: true } });
  expect(calls[1]?.ask.asks.map(({ waitId }) => waitId)).toEqual(["wait 2", "wait 3"]);
  calls[1]?.answer(reply(2, 2, 3));
  expect(numberOf(await second)).toBe(2);
  expect(numberOf(await third)).toBe(3);
  // It was only late: nobody's visit ends by it.
  calls[0]?.answer(reply(1, 2));
  await scheduler.wait(20);
  expect(calls.slice(2).flatMap(({ ask: { ended } }) => ended)).toEqual([]);
});
