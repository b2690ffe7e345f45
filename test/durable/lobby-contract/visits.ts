/** Of visits: how they begin, last and end. */
import { expect, test } from "vitest";
import { type VisitId } from "../../../src/core/ids.ts";
import { PASS_MAX_MS } from "../../../src/core/token-lives.ts";
import type { LobbyRpc } from "../../../src/durable/contract.ts";
import { held, takeOne, visitorId } from "../objects.ts";
import {
  type OpenStage,
  LEASE_MS,
  NEVER_ISSUED,
  ask,
  viewIn,
  visitIn,
  take,
  enter,
  inside,
  forOneAnswer,
} from "./stage.ts";

export const opensTheDoor = (open: OpenStage): void => {
  test("[DOOR-1] [DOOR-3] enter begins a visit, provisional until it is renewed", async () => {
    const { lobby } = await open();
    const visit = await inside(lobby);
    expect(visit).toMatchObject({ provisional: true, endsAt: null });
    expect(visitIn(await lobby.peek(visit.visit)).provisional).toBe(true);
    expect(visitIn(await lobby.renew(visit.visit)).provisional).toBe(false);
    expect(visitIn(await lobby.peek(visit.visit)).provisional).toBe(false);
  });

  test("[DOOR-6] [VISIT-8] enter for one answer is nobody's visit, and never provisional", async () => {
    const { lobby } = await open();
    const visitor = visitorId();
    const visit = await forOneAnswer(lobby, visitor);
    expect(visit.provisional).toBe(false);
    expect(await takeOne(lobby, ask(visitor))).toMatchObject({ isNew: true });
  });

  test("[VISIT-7] enter with a number that is called claims that", async () => {
    const { lobby } = await open();
    const { visitor, number } = await take(lobby);
    const visit = visitIn(await enter(lobby, visitor, { number }));
    expect(visit).toMatchObject({ visit: number, provisional: false });
  });

  test("[DOOR-2] enter finds a full room shut", async () => {
    const { lobby } = await open({ isFull: true });
    expect(await enter(lobby, visitorId())).toEqual({ kind: "queue" });
  });

  test.each(["paused", "closed", "suspended"] as const)(
    "[CALL-8] enter finds a %s room shut, and [VISIT-6] gives the visit that is there",
    async (mode) => {
      const { lobby, becomes } = await open();
      const visitor = visitorId();
      const { visit } = await inside(lobby, visitor);
      await becomes(mode);
      expect(await enter(lobby, visitorId())).toEqual({ kind: "queue" });
      expect((await inside(lobby, visitor)).visit).toBe(visit);
    },
  );
};

export const keepsVisits = (open: OpenStage): void => {
  const isOver = async (lobby: LobbyRpc, visit: VisitId, reason: string): Promise<void> => {
    const ended = { kind: "ended", end: { reason } };
    expect(await lobby.renew(visit)).toMatchObject(ended);
    expect(await lobby.peek(visit)).toMatchObject(ended);
  };

  test("[VISIT-1] [VISIT-9] a visit ends once, and is told how and when", async () => {
    const { lobby, pass } = await open();
    const { visit, now } = await inside(lobby);
    await lobby.end(visit, 0);
    await pass(1_000);
    await lobby.end(visit, 0);
    await isOver(lobby, visit, "finished");
    expect(await lobby.peek(visit)).toMatchObject({ end: { at: now } });
  });

  test("[VISIT-1] a visit that never began has ended, and nothing tells how", async () => {
    const { lobby } = await open();
    await inside(lobby);
    await lobby.end(NEVER_ISSUED, 0);
    expect(await lobby.peek(NEVER_ISSUED)).toEqual({ kind: "ended" });
    expect(await lobby.renew(NEVER_ISSUED)).toEqual({ kind: "ended" });
  });

  test("[VISIT-8] [LEASE-5] of a permit for one answer nobody is told how it ended", async () => {
    const { lobby, pass } = await open();
    const [first, second] = [await forOneAnswer(lobby), await forOneAnswer(lobby)];
    expect(first.leaseUntil).toBe(first.now + 60_000);
    await lobby.end(first.visit, 0);
    await pass(60_000);
    for (const { visit } of [first, second])
      expect(await lobby.renew(visit)).toEqual({ kind: "ended" });
  });

  test("[LEASE-1] [LEASE-2] a renewal begins the lease anew, a peek does not", async () => {
    const { lobby, pass } = await open();
    const { visit, now, leaseUntil } = await inside(lobby);
    expect(leaseUntil).toBe(now + LEASE_MS);
    await pass(LEASE_MS - 1);
    expect(visitIn(await lobby.peek(visit)).leaseUntil).toBe(leaseUntil);
    expect(visitIn(await lobby.renew(visit)).leaseUntil).toBe(now + 2 * LEASE_MS - 1);
    await pass(LEASE_MS - 1);
    expect(visitIn(await lobby.peek(visit)).visit).toBe(visit);
    await pass(1);
    await isOver(lobby, visit, "inactive");
  });

  test("[LEASE-4] a pass promises the lease, at most 300 s, and not less than one before", async () => {
    const { lobby, pass } = await open();
    const { visit, now, passUntil, leaseUntil } = await inside(lobby);
    expect(passUntil).toBe(Math.min(leaseUntil, now + PASS_MAX_MS));
    await pass(10_000);
    await lobby.end(visit, 5_000);
    expect(visitIn(await lobby.renew(visit)).passUntil).toBe(passUntil);
  });

  test("[VISIT-4] a delayed release sets the end, which only moves forward", async () => {
    const { lobby, pass } = await open();
    const { visit, now } = await inside(lobby);
    for (const [afterMs, endsMs] of [
      [30_000, 30_000],
      [20_000, 20_000],
      [40_000, 20_000],
    ] as const) {
      await lobby.end(visit, afterMs);
      expect(visitIn(await lobby.peek(visit)).endsAt).toBe(now + endsMs);
    }
    await pass(19_999);
    expect(visitIn(await lobby.renew(visit)).endsAt).toBe(now + 20_000);
    await pass(1);
    await isOver(lobby, visit, "finished");
  });
};

export const givesOneVisit = (open: OpenStage): void => {
  test("[GATE-22] gives one visit to a visitor who enters at many places at once", async () => {
    const { lobby } = await open();
    const visitor = visitorId();
    const replies = await Promise.all(Array.from({ length: 48 }, () => enter(lobby, visitor)));
    const visits = new Set(replies.map((reply) => visitIn(reply).visit));
    expect(visits.size).toBe(1);
    expect(visits.has((await inside(lobby)).visit)).toBe(false);
  });

  test("[GATE-22] tells a visitor who is inside of the visit, and claims that one anew", async () => {
    const { lobby } = await open();
    const visitor = visitorId();
    const { visit } = await inside(lobby, visitor);
    const reply = await takeOne(lobby, ask(visitor));
    expect(reply).toMatchObject({ isNew: false, view: { number: visit, state: "visiting" } });
    const claim = await lobby.claim(held(visitor, viewIn(reply)));
    expect(claim).toMatchObject({ kind: "visit", isNew: false, visit: { visit } });
  });

  test("[GATE-22] does the same for a visit that was claimed by a ticket", async () => {
    const { lobby } = await open();
    const ticket = await take(lobby);
    const { visit } = visitIn(await lobby.claim(ticket));
    const reply = await takeOne(lobby, ask(ticket.visitor));
    expect(reply).toMatchObject({ isNew: false, view: { number: visit, state: "visiting" } });
    expect((await inside(lobby, ticket.visitor)).visit).toBe(visit);
  });

  test("[GATE-22] gives a new place once the visit has ended", async () => {
    const { lobby } = await open();
    const visitor = visitorId();
    const { visit } = await inside(lobby, visitor);
    await lobby.end(visit, 0);
    const reply = await takeOne(lobby, ask(visitor));
    expect(reply).toMatchObject({ kind: "ticket", isNew: true });
    expect(viewIn(reply).state).not.toBe("visiting");
  });
};
