import { afterEach, expect, test, vi } from "vitest";
import type { WaitAsk, WaitReply } from "../../src/durable/contract.ts";
import { definition, newRoom } from "./objects.ts";
import { moment } from "./moment.ts";

afterEach(() => {
  vi.useRealTimers();
});

let waits = 0;
const ask = (more: Partial<WaitAsk> = {}): WaitAsk => {
  waits += 1;
  return { waitId: `wait-${waits}`, ticket: null, holdMs: 5_000, address: null, ...more };
};

const visitOf = (reply: WaitReply): number => {
  if (reply.kind !== "visit") throw new Error(JSON.stringify(reply));
  return reply.visit.visit;
};

test("[HOLD-3] of two that wait the one that is let go makes way", async () => {
  const { lobby } = await newRoom({ permit: "request", permitsMax: 1 });
  const first = visitOf(await lobby(0).wait(ask()));
  const gone = ask();
  const leaving = lobby(0).wait(gone);
  const waiting = lobby(0).wait(ask());
  await moment(20);
  await lobby(0).abandonWait(gone.waitId);
  await lobby(0).end(first as never, 0);
  expect(visitOf(await waiting)).toBe(3);
  expect((await leaving).kind).not.toBe("visit");
});

test("[HOLD-30] a permit goes back over the call that brought it", async () => {
  const { lobby } = await newRoom({ permit: "request", permitsMax: 1 });
  const first = await lobby(0).wait(ask());
  if (first.kind !== "visit") throw new Error(JSON.stringify(first));
  const waiting = lobby(0).wait(ask());
  await moment(20);
  await first.permit?.end();
  const second = visitOf(await waiting);
  expect(second).toBe(2);
  // Once more, and by name, it changes nothing.
  await first.permit?.end();
  await lobby(0).end(first.visit.visit, 0);
  expect(await lobby(0).peek(second as never)).toMatchObject({ kind: "visit" });
});

test("[LENT-2] once a room is held nobody is let in any more, by its lobby neither", async () => {
  const limits = { permit: "request", permitsMax: 2 } as const;
  const { room, lobby, id } = await newRoom(limits);
  let [isHeld, late, done] = [false, 0, 0];
  const client = async (): Promise<void> => {
    const visit = visitOf(await lobby(0).wait(ask({ holdMs: 20_000 })));
    if (isHeld) late += 1;
    await scheduler.wait(5);
    await lobby(0).end(visit as never, 0);
    done += 1;
  };
  const clients = Promise.all(Array.from({ length: 120 }, client));
  while (done < 10) await scheduler.wait(5);
  await room.configure(definition(id, { ...limits, paused: true }));
  isHeld = true;
  await moment(100);
  // Some may have been on their way to it.
  expect(late).toBeLessThanOrEqual(limits.permitsMax);
  expect(done).toBeLessThan(120);
  isHeld = false;
  await room.configure(definition(id, limits));
  await clients;
});

test("[HOLD-20] whoever has waited long enough is away, and comes back to its place", async () => {
  const { lobby } = await newRoom({ permit: "request", permitsMax: 1 });
  const first = visitOf(await lobby(0).wait(ask()));
  const reply = await lobby(0).wait(ask({ holdMs: 50 }));
  if (reply.kind !== "not-yet") throw new Error(JSON.stringify(reply));
  expect(reply).toMatchObject({ view: { number: 2, state: "away", ahead: 0 } });
  const later = lobby(0).wait(ask());
  await moment(20);
  const back = lobby(0).wait(ask({ ticket: reply.view }));
  await moment(20);
  await lobby(0).end(first as never, 0);
  const second = visitOf(await back);
  expect(second).toBe(2);
  await lobby(0).end(second as never, 0);
  expect(visitOf(await later)).toBe(3);
});

test("[HOLD-8] the lower of both limits per second is the ring's, and says what it has left", async () => {
  const { room, lobby, id } = await newRoom();
  const limits = { permit: "request", permitsMax: 50, startsPerSecondMax: 7 } as const;
  const both = { ...definition(id, limits), originRequestsPerSecondMax: 4 };
  // In the last moments of a second nothing is left of it: that is the ring's guard.
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime((Math.floor(Date.now() / 1_000) + 1) * 1_000 + 300);
  await room.configure(both);
  const reply = await lobby(0).wait(ask());
  expect(reply).toMatchObject({ kind: "visit", rate: { perSecondMax: 4, left: 3 } });
  await room.configure({ ...both, originRequestsPerSecondMax: null });
  expect(await lobby(0).wait(ask())).toMatchObject({ rate: { perSecondMax: 7 } });
});

test("[PACED-1] admitted visitors' requests get their moments, a second's worth at a time", async () => {
  const { room, lobby, id } = await newRoom();
  await room.configure({ ...definition(id), originRequestsPerSecondMax: 2 });
  const replies = await Promise.all(Array.from({ length: 6 }, () => lobby(0).moment(1_500)));
  const kinds = replies.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === "start").length).toBeGreaterThanOrEqual(4);
  for (const reply of replies) {
    if (reply.kind === "start") expect(reply.left).toBeLessThan(2);
    if (reply.kind === "later") expect(reply.retryAfterMs).toBeGreaterThan(1_500);
  }
});
