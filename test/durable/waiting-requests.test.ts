import { expect, test } from "vitest";
import { Presence } from "../../src/core/lobby/presence.ts";
import { ticketNumber } from "../../src/core/ids.ts";
import type { LiveVisit, Op, OpReply } from "../../src/core/room/commands.ts";
import { instant } from "../../src/core/time.ts";
import type { OpBatcher } from "../../src/durable/lobby/op-batcher.ts";
import { WaitingRequests } from "../../src/durable/lobby/waiting-requests.ts";

/** A Room that answers when the test says so. */
class SlowRoom {
  readonly asked: { readonly op: Op; readonly answer: (reply: OpReply) => void }[] = [];

  ask(op: Op): Promise<OpReply> {
    return new Promise((answer) => this.asked.push({ op, answer }));
  }

  get ops(): string[] {
    return this.asked.map(({ op }) => ("number" in op ? `${op.op} ${op.number}` : op.op));
  }

  async answer(index: number, reply: OpReply): Promise<void> {
    this.asked[index]?.answer(reply);
    await scheduler.wait(1);
  }
}

const visit = (number: number): LiveVisit => ({
  visit: ticketNumber(number),
  epoch: 1,
  leaseUntil: instant(Date.now() + 60_000),
  passUntil: instant(Date.now()),
  endsAt: null,
  provisional: false,
});
const visitReply = (number: number): OpReply => ({
  kind: "visit",
  isNew: true,
  visit: visit(number),
});
const place = (number: number): OpReply => ({
  kind: "place",
  place: { number: ticketNumber(number), state: "waiting", ahead: 0, claimBy: null },
});
const call = (number: number) => ({
  number: ticketNumber(number),
  claimBy: instant(Date.now() + 60_000),
  visit: visit(number),
});

const lobby = () => {
  const room = new SlowRoom();
  const now = () => instant(Date.now());
  const requests = new WaitingRequests(room as unknown as OpBatcher, new Presence(), now);
  const wait = (waitId: string, number: number | null, holdMs = 2_000) =>
    requests.wait({
      waitId,
      ticket:
        number === null ? null : { number: ticketNumber(number), heardAt: now(), joinedAt: now() },
      holdMs,
      address: null,
    });
  return { room, requests, wait };
};

test("[HOLD-1] a visit that begins before its number is told finds its request", async () => {
  const { room, requests, wait } = lobby();
  const waiting = wait("a", null);
  expect(requests.called(call(7))).toBe(true);
  await room.answer(0, place(7));
  expect(await waiting).toMatchObject({ kind: "visit", visit: { visit: 7 } });
});

test("[HOLD-1] the turn that comes as the time is up is used, and used once", async () => {
  const { room, requests, wait } = lobby();
  const waiting = wait("a", null, 30);
  await room.answer(0, place(7));
  await scheduler.wait(60);
  expect(room.ops).toEqual(["request", "withdraw 7"]);
  expect(requests.called(call(7))).toBe(true);
  await room.answer(1, visitReply(7));
  expect(await waiting).toMatchObject({ kind: "visit", visit: { visit: 7 } });
});

test("[HOLD-2] a second request with the ticket takes the first one's place", async () => {
  const { room, requests, wait } = lobby();
  const first = wait("a", 7);
  await room.answer(0, place(7));
  const second = wait("b", 7);
  await scheduler.wait(1);
  expect(room.ops).toEqual(["request", "request", "rejoin 7"]);
  await room.answer(2, place(7));
  expect(await first).toMatchObject({ kind: "not-yet", place: { number: 7, state: "away" } });
  await room.answer(1, place(7));
  requests.called(call(7));
  expect(await second).toMatchObject({ kind: "visit", visit: { visit: 7 } });
});

test("[HOLD-2] two requests never share one visit, whichever is told of it", async () => {
  const { room, requests, wait } = lobby();
  const first = wait("a", 7);
  await room.answer(0, place(7));
  // The call goes to the first; in the same batch the Room tells the second of the same visit.
  requests.called(call(7));
  const second = wait("b", 7);
  expect(await first).toMatchObject({ kind: "visit", visit: { visit: 7 } });
  await room.answer(1, place(8));
  requests.called(call(8));
  expect(await second).toMatchObject({ kind: "visit", visit: { visit: 8 } });
});

test("[HOLD-2] one that times out while another stands for its number leaves the visit to that", async () => {
  const { room, requests, wait } = lobby();
  const first = wait("a", 7, 30);
  await room.answer(0, place(7));
  await scheduler.wait(60);
  const second = wait("b", 7);
  requests.called(call(7));
  await room.answer(1, visitReply(7));
  expect(await first).toEqual({ kind: "ended" });
  await room.answer(2, place(8));
  expect(room.ops).toEqual(["request", "withdraw 7", "request", "leave 8"]);
  await room.answer(3, { kind: "done" });
  expect(await second).toMatchObject({ kind: "visit", visit: { visit: 7 } });
});

test.each([
  ["before it has a number", 0],
  ["while it waits", 1],
])(
  "[HOLD-3] a client that left %s stops waiting at once, and its visit passes on",
  async (_, at) => {
    const { room, requests, wait } = lobby();
    const waiting = wait("a", null);
    if (at === 0) requests.abandon("a");
    await room.answer(0, place(7));
    if (at === 1) requests.abandon("a");
    await scheduler.wait(1);
    expect(room.ops).toEqual(["request", "withdraw 7"]);
    await room.answer(1, visitReply(7));
    expect(await waiting).toEqual({ kind: "ended" });
    expect(room.asked[2]?.op).toEqual({ op: "end", visit: 7, afterMs: 0 });
  },
);

test("[HOLD-3] one that was let go before it came is not waited for", async () => {
  const { room, requests, wait } = lobby();
  requests.abandon("a");
  const waiting = wait("a", null);
  await room.answer(0, visitReply(7));
  expect(await waiting).toEqual({ kind: "ended" });
  expect(room.asked[1]?.op).toEqual({ op: "end", visit: 7, afterMs: 0 });
});

test("[HOLD-4] a number that was called anew is claimed as soon as the ring allows", async () => {
  const { room, requests, wait } = lobby();
  const waiting = wait("a", null);
  await room.answer(0, place(7));
  requests.called({ number: ticketNumber(7), claimBy: instant(Date.now() + 60_000) });
  await scheduler.wait(1);
  const called = { number: ticketNumber(7), state: "called", ahead: 0, claimBy: null } as const;
  await room.answer(1, { kind: "not-yet", place: called, retryAt: instant(Date.now() + 50) });
  await scheduler.wait(80);
  expect(room.ops).toEqual(["request", "claim 7", "claim 7"]);
  await room.answer(2, visitReply(7));
  expect(await waiting).toMatchObject({ kind: "visit", visit: { visit: 7 } });
});
