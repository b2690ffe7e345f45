/** Of tickets: taken, looked up, and claimed. */
import { expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { takeOne, visitorId } from "../objects.ts";
import {
  type OpenStage,
  CLAIM_WITHIN_MS,
  ASK_AGAIN_MS,
  ask,
  viewIn,
  visitIn,
  take,
  unknown,
} from "./stage.ts";

export const takesTickets = (open: OpenStage): void => {
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

export const tellsWhere = (open: OpenStage): void => {
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

export const hearsClaims = (open: OpenStage): void => {
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

export const hearsManyAtOnce = (open: OpenStage): void => {
  test("[GATHER-9] enterAll lets several visitors in, each with a visit of its own", async () => {
    const { lobby } = await open();
    const [one, other] = [visitorId(), visitorId()].map((visitor) => ({
      visitor,
      transient: false,
      number: null,
      address: null,
    }));
    const replies = await lobby.enterAll([one!, other!, one!]);
    const [first, second, again] = replies.map((reply) => visitIn(reply).visit);
    expect(second).not.toBe(first);
    expect(again).toBe(first);
  });

  test("[GATHER-9] whereAll tells each of several visitors where it stands", async () => {
    const { lobby } = await open();
    const [called, inside] = [await take(lobby), await take(lobby)];
    await lobby.claim(inside);
    const [one, nobody, other] = await lobby.whereAll([called, unknown(called), inside]);
    expect(one).toMatchObject({ view: { number: called.number, state: "called" } });
    // Of these it may know nothing by itself.
    if (nobody !== null) expect(nobody).toEqual({ kind: "ended" });
    if (other !== null) expect(other).toMatchObject({ view: { state: "visiting" } });
    expect(await lobby.whereAll([])).toEqual([]);
  });

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
