import { describe, expect, test } from "vitest";
import { ticketNumber, type VisitId, type VisitorId } from "../../src/core/ids.ts";
import { PASS_MAX_MS } from "../../src/core/token-lives.ts";
import {
  LOBBY_TICKET_HEADER,
  SOCKET_REFUSED,
  type ClaimReply,
  type EnterAsk,
  type EnterReply,
  type WaitReply,
  type LobbyRpc,
  type TakeReply,
  type TicketClaims,
  type TicketView,
  type VisitReply,
  type VisitView,
} from "../../src/durable/contract.ts";
import { eventually } from "../support/eventually.ts";
import { held, takeOne, visitorId } from "./objects.ts";

/** The lobby of a room with plenty of permits, or of one whose only permit somebody else has. */
export interface LobbyStage {
  readonly lobby: LobbyRpc;
  /** On the Room's clock. */
  pass(ms: number): Promise<void>;
  /** Who has the only permit of a full room is done. */
  frees(): Promise<void>;
  /** From now on the lobby gets no answer of its room, or the Worker none of the lobby. */
  breaks(): Promise<void>;
  /** The operator changes the room. */
  becomes(mode: "paused" | "closed" | "suspended"): Promise<void>;
}

export interface StageOptions {
  readonly isFull?: boolean;
  readonly permit?: "visit" | "request";
}

export type OpenStage = (options?: StageOptions) => Promise<LobbyStage>;

/** Of the stage's room. */
export const LEASE_MS = 300_000;
export const CLAIM_WITHIN_MS = 60_000;
const ASK_AGAIN_MS = 2_000;
const NEVER_ISSUED = ticketNumber(4_000_000);

const ask = (visitor: VisitorId, ticket: TicketClaims | null = null) => ({
  visitor,
  ticket,
  address: null,
});

const viewIn = (reply: TakeReply | WaitReply): TicketView => {
  if (!("view" in reply)) throw new Error(JSON.stringify(reply));
  return reply.view;
};
const visitIn = (reply: EnterReply | ClaimReply | VisitReply | WaitReply): VisitView => {
  if (reply.kind !== "visit") throw new Error(JSON.stringify(reply));
  return reply.visit;
};
const take = async (lobby: LobbyRpc, visitor = visitorId()): Promise<TicketClaims> =>
  held(visitor, viewIn(await takeOne(lobby, ask(visitor))));
const enter = (
  lobby: LobbyRpc,
  visitor: VisitorId,
  change: Partial<EnterAsk> = {},
): Promise<EnterReply> =>
  lobby.enter({ visitor, transient: false, number: null, address: null, ...change });
const inside = async (lobby: LobbyRpc, visitor = visitorId()): Promise<VisitView> =>
  visitIn(await enter(lobby, visitor));
const forOneAnswer = async (lobby: LobbyRpc, visitor = visitorId()): Promise<VisitView> =>
  visitIn(await enter(lobby, visitor, { transient: true }));
const unknown = (ticket: TicketClaims): TicketClaims => ({ ...ticket, number: NEVER_ISSUED });

/** What the Worker builds on, of every lobby that answers its calls. */
export const lobbyContract = (name: string, open: OpenStage): void => {
  describe(`[LOBBY-15] the lobby's calls: ${name}`, () => {
    takesTickets(open);
    tellsWhere(open);
    hearsClaims(open);
    hearsManyAtOnce(open);
    opensTheDoor(open);
    keepsVisits(open);
    givesOneVisit(open);
    letsRequestsWait(open);
    tellsOfTheRoom(open);
    throwsOutOfReach(open);
  });
};

const hearsManyAtOnce = (open: OpenStage): void => {
  test("[GATHER-9] visits answers claims and ends of several visitors, each by itself", async () => {
    const { lobby } = await open();
    const [one, other] = [await take(lobby), await take(lobby)];
    const gone = visitIn(await lobby.claim(await take(lobby))).visit;
    const asks = [
      { claim: one },
      { end: gone, afterMs: 0 },
      { claim: { ...unknown(one), visitor: visitorId() } },
    ];
    const replies = await lobby.visits([...asks, { claim: other }]);
    expect(replies).toMatchObject([
      { kind: "visit", visit: { visit: one.number } },
      null,
      { kind: "ended" },
      { kind: "visit", visit: { visit: other.number } },
    ]);
    expect(await lobby.peek(gone)).toMatchObject({ kind: "ended" });
  });
};

const takesTickets = (open: OpenStage): void => {
  test("[ISSUE-1] [LOBBY-15] take answers each visitor at its place, with rising numbers", async () => {
    const { lobby } = await open({ isFull: true });
    const replies = await lobby.take([ask(visitorId()), ask(visitorId()), ask(visitorId())]);
    const [first = 0, second = 0, third = 0] = replies.map((reply) => viewIn(reply).number);
    expect(replies.map(({ kind }) => kind)).toEqual(["ticket", "ticket", "ticket"]);
    expect([second, third]).toEqual([first + 1, first + 2]);
  });

  test("[ISSUE-4] take in a full room gives a place in line", async () => {
    const { lobby } = await open({ isFull: true });
    const reply = await takeOne(lobby, ask(visitorId()));
    const { now } = viewIn(reply);
    expect(reply).toMatchObject({
      kind: "ticket",
      isNew: true,
      view: { state: "waiting", claimBy: null, joinedAt: now, heardAt: now },
    });
    expect(viewIn(reply).pollAfterSeconds).toBeGreaterThanOrEqual(2);
  });

  test("[CALL-1] take in a room with a free permit is called at once", async () => {
    const { lobby } = await open();
    const view = viewIn(await takeOne(lobby, ask(visitorId())));
    const claimBy = view.now + CLAIM_WITHIN_MS;
    expect(view).toMatchObject({ state: "called", ahead: 0, claimBy });
  });

  test("[RETURN-1] take gives the number of before, by the ticket and by the visitor id", async () => {
    const { lobby, pass } = await open({ isFull: true });
    const ticket = await take(lobby);
    await pass(5_000);
    for (const brought of [null, ticket])
      expect(await takeOne(lobby, ask(ticket.visitor, brought))).toMatchObject({
        isNew: false,
        view: { number: ticket.number, state: "waiting", heardAt: ticket.heardAt + 5_000 },
      });
  });

  test("[RETURN-7] take with a number that was never issued gives a new one", async () => {
    const { lobby } = await open({ isFull: true });
    const ticket = await take(lobby);
    const reply = await takeOne(lobby, ask(visitorId(), unknown(ticket)));
    expect(reply).toMatchObject({ isNew: true, view: { number: ticket.number + 1 } });
  });

  test.each([
    ["closed", "room-closed"],
    ["suspended", "room-suspended"],
  ] as const)("[ISSUE-7] take in a %s room is refused", async (mode, refusal) => {
    const { lobby, becomes } = await open();
    await becomes(mode);
    expect(await takeOne(lobby, ask(visitorId()))).toMatchObject({ kind: "refused", refusal });
  });

  test("[ISSUE-4] take in a paused room gives a place in line", async () => {
    const { lobby, becomes } = await open();
    await becomes("paused");
    const reply = await takeOne(lobby, ask(visitorId()));
    expect(reply).toMatchObject({ isNew: true, view: { state: "waiting", claimBy: null } });
  });
};

const tellsWhere = (open: OpenStage): void => {
  test("[RETURN-1] where tells the place of a ticket, and hears its visitor", async () => {
    const { lobby, pass } = await open({ isFull: true });
    const ticket = await take(lobby);
    await pass(5_000);
    const reply = await lobby.where(ticket);
    expect(reply).toMatchObject({ kind: "ticket", view: { state: "waiting", claimBy: null } });
    expect(reply).toMatchObject({
      view: { number: ticket.number, joinedAt: ticket.joinedAt, heardAt: ticket.heardAt + 5_000 },
    });
  });

  test("[RETURN-4] where tells a call, and a visit", async () => {
    const { lobby } = await open();
    const ticket = await take(lobby);
    expect(await lobby.where(ticket)).toMatchObject({ view: { state: "called", ahead: 0 } });
    await lobby.claim(ticket);
    expect(await lobby.where(ticket)).toMatchObject({ view: { state: "visiting", ahead: 0 } });
  });

  test("[RETURN-6] [RETURN-7] where has ended for a number given up, and one never issued", async () => {
    const { lobby } = await open({ isFull: true });
    const ticket = await take(lobby);
    await lobby.leave(ticket);
    await lobby.leave(ticket);
    expect(await lobby.where(ticket)).toEqual({ kind: "ended" });
    expect(await lobby.where(unknown(ticket))).toEqual({ kind: "ended" });
    const again = await takeOne(lobby, ask(ticket.visitor));
    expect(again).toMatchObject({ isNew: true, view: { number: ticket.number + 1 } });
  });

  test("[LOBBY-15] where in a suspended room is refused: nobody need wait", async () => {
    const { lobby, becomes } = await open({ isFull: true });
    const ticket = await take(lobby);
    await becomes("suspended");
    const refused = { kind: "refused", refusal: "room-suspended", retryAfterMs: 1_000 };
    await eventually(async () => expect(await lobby.where(ticket)).toEqual(refused));
  });
};

const hearsClaims = (open: OpenStage): void => {
  test("[CALL-5] a claim before its turn is not yet", async () => {
    const { lobby } = await open({ isFull: true });
    const ticket = await take(lobby);
    const { number } = ticket;
    expect(await lobby.claim(ticket)).toMatchObject({
      kind: "not-yet",
      view: { number, state: "waiting" },
      retryAfterMs: ASK_AGAIN_MS,
    });
  });

  test("[CALL-7] a claim in its turn begins a visit of its number, once", async () => {
    const { lobby } = await open();
    const ticket = await take(lobby);
    const visit = { visit: ticket.number, provisional: false, endsAt: null };
    expect(await lobby.claim(ticket)).toMatchObject({ kind: "visit", isNew: true, visit });
    expect(await lobby.claim(ticket)).toMatchObject({ kind: "visit", isNew: false, visit });
  });

  test("[BATON-1] a permit that falls free calls the head of the line, which claims it", async () => {
    const { lobby, frees } = await open({ isFull: true });
    const ticket = await take(lobby);
    await frees();
    await eventually(async () =>
      expect(await lobby.where(ticket)).toMatchObject({ view: { state: "called", ahead: 0 } }),
    );
    expect(visitIn(await lobby.claim(ticket)).visit).toBe(ticket.number);
  });

  test("[RETURN-6] [RETURN-7] a claim has ended for a number given up, and one never issued", async () => {
    const { lobby } = await open({ isFull: true });
    const ticket = await take(lobby);
    await lobby.leave(ticket);
    expect(await lobby.claim(ticket)).toEqual({ kind: "ended" });
    expect(await lobby.claim(unknown(ticket))).toEqual({ kind: "ended" });
  });

  test("[VISIT-1] a claim has ended once its visit has", async () => {
    const { lobby } = await open();
    const ticket = await take(lobby);
    await lobby.end(visitIn(await lobby.claim(ticket)).visit, 0);
    expect(await lobby.claim(ticket)).toEqual({ kind: "ended" });
  });

  test("[CALL-9] a claim in a paused room is not yet, and stays called", async () => {
    const { lobby, becomes } = await open();
    const ticket = await take(lobby);
    await becomes("paused");
    const reply = await lobby.claim(ticket);
    const view = { number: ticket.number, state: "called" };
    expect(reply).toMatchObject({ kind: "not-yet", view, retryAfterMs: 5_000 });
  });
};

const opensTheDoor = (open: OpenStage): void => {
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

const keepsVisits = (open: OpenStage): void => {
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

const givesOneVisit = (open: OpenStage): void => {
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

const letsRequestsWait = (open: OpenStage): void => {
  const wait = { ticket: null, holdMs: 0, address: null };

  test("[REQUEST-1] [HOLD-30] a request that finds a permit has it in hand, and gives it back once", async () => {
    const { lobby } = await open({ permit: "request" });
    const reply = await lobby.wait({ ...wait, waitId: "a" });
    const { visit } = visitIn(reply);
    expect(reply).toMatchObject({ rate: null, visit: { provisional: false } });
    if (reply.kind !== "visit" || reply.permit === undefined) throw new Error("no permit");
    await reply.permit.end();
    await reply.permit.end();
    expect(await lobby.renew(visit)).toEqual({ kind: "ended" });
  });

  test("[REQUEST-3] [HOLD-20] one whose time is up is away, and told when to come back", async () => {
    const { lobby } = await open({ permit: "request", isFull: true });
    const reply = await lobby.wait({ ...wait, waitId: "a" });
    expect(reply).toMatchObject({ kind: "not-yet", view: { state: "away" } });
    expect(reply).toMatchObject({ retryAfterMs: expect.any(Number) });
    const again = await lobby.wait({ ...wait, waitId: "b", ticket: viewIn(reply) });
    expect(viewIn(again).number).toBe(viewIn(reply).number);
  });

  test("[HOLD-3] one that is let go stops waiting at once", async () => {
    const { lobby } = await open({ permit: "request", isFull: true });
    await lobby.abandonWait("a");
    const reply = await lobby.wait({ ...wait, waitId: "a", holdMs: 3_600_000 });
    expect(reply).toMatchObject({ kind: "not-yet", view: { state: "away" } });
  });

  test("[REQUEST-2] [HOLD-1] one that waits goes in when a permit falls free", async () => {
    const { lobby, frees } = await open({ permit: "request", isFull: true });
    const waiting = lobby.wait({ ...wait, waitId: "a", holdMs: 3_600_000 });
    await frees();
    expect(await waiting).toMatchObject({ kind: "visit", rate: null });
  });

  test("[REQUEST-8] one in a closed room is refused", async () => {
    const { lobby, becomes } = await open({ permit: "request" });
    await becomes("closed");
    const refused = { kind: "refused", refusal: "room-closed" };
    expect(await lobby.wait({ ...wait, waitId: "a" })).toMatchObject(refused);
  });

  test("[PACED-1] without a limit per second an admitted visitor's request starts at once", async () => {
    const { lobby } = await open();
    expect(await lobby.moment(0)).toEqual({ kind: "start", waitMs: 0, left: null });
  });
};

const tellsOfTheRoom = (open: OpenStage): void => {
  test("[SNAPSHOT-5] the snapshot tells the mode, and the age that it has", async () => {
    const { lobby, pass, becomes } = await open();
    expect(await lobby.snapshot(null)).toMatchObject({ snapshot: { mode: "open" }, ageMs: 0 });
    await becomes("closed");
    await pass(1_000);
    expect(await lobby.snapshot(null)).toMatchObject({ snapshot: { mode: "closed" }, ageMs: 0 });
  });

  test("[SNAPSHOT-1] [SNAP-9] the snapshot names a visit that ended before its pass, once", async () => {
    const { lobby, pass } = await open();
    const { visit, passUntil } = await inside(lobby);
    const before = (await lobby.snapshot(null)).snapshot;
    await lobby.end(visit, 0);
    await pass(1_000);
    const { snapshot } = await lobby.snapshot(before.version);
    const ended = { visit, version: before.version.ended + 1, passesUntil: passUntil };
    expect(snapshot).toMatchObject({ endedSince: before.version.ended, ended: [ended] });
    expect((await lobby.snapshot(null)).snapshot).toMatchObject({
      endedSince: null,
      ended: [ended],
    });
    expect((await lobby.snapshot(snapshot.version)).snapshot.ended).toEqual([]);
    const other = await lobby.snapshot({ ...snapshot.version, boot: "another" });
    expect(other.snapshot).toMatchObject({ endedSince: null, ended: [ended] });
  });

  test.each([
    ["no ticket", null],
    ["a number that is none", { number: 0 }],
  ])("[SOCKET-8] a socket with %s is left to the Worker to refuse", async (_, ticket) => {
    const { lobby } = await open();
    const answer = await upgrade(lobby, ticket);
    expect([answer.status, answer.webSocket ?? null]).toEqual([SOCKET_REFUSED, null]);
    expect(await answer.json()).toEqual({ code: 4401, reason: "ticket-invalid" });
  });

  test("[SOCKET-8] a socket with a ticket is accepted", async () => {
    const { lobby } = await open({ isFull: true });
    const answer = await upgrade(lobby, await take(lobby));
    expect(answer.status).toBe(101);
    answer.webSocket?.accept();
    answer.webSocket?.close(1000, "bye");
  });
};

const throwsOutOfReach = (open: OpenStage): void => {
  test("[LOBBY-15] out of reach every call throws: no answer is made up", async () => {
    const { lobby, breaks } = await open({ isFull: true });
    const ticket = await take(lobby);
    await breaks();
    const { number: visit, visitor } = ticket;
    const calls = [
      lobby.take([ask(visitorId())]),
      lobby.claim(ticket),
      lobby.visits([{ claim: ticket }]),
      lobby.leave(ticket),
      enter(lobby, visitor),
      lobby.renew(visit),
      lobby.peek(visit),
      lobby.end(visit, 0),
      lobby.wait({ waitId: "a", ticket: null, holdMs: 0, address: null }),
      lobby.moment(0),
    ];
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.map(({ status }) => status)).toEqual(calls.map(() => "rejected"));
  });
};

const upgrade = (lobby: LobbyRpc, ticket: unknown): Promise<Response> => {
  const headers = { Upgrade: "websocket", [LOBBY_TICKET_HEADER]: JSON.stringify(ticket) };
  return lobby.fetch(new Request("http://lobby/socket", { headers }));
};
