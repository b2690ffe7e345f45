/**
 * A room of requests at the gate: which place a request has, how long it waits, and what it is
 * told.
 */
import { base64url } from "jose";
import { lobbyIndex } from "../../core/ids.ts";
import { addressKey, clientKey } from "../tokens/address-key.ts";
import { lobbyOf, pickLobby } from "../isolate/room-views.ts";
import type { TurnCaller, TurnOutcome } from "../isolate/turns.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { Ports } from "../platform/ports.ts";
import type { RequestOutcome } from "../permit/lifetime.ts";
import { newIdentity } from "../tokens/issued.ts";
import type { Identity } from "../tokens/presented.ts";
import type { GateContext } from "../admission/context.ts";
import { heldTicket } from "../admission/join.ts";
import type { RequestPermit, RequestReport } from "../permit/request-permit.ts";
import { permitFor, serveUnder } from "./one-request.ts";
import { answerRefused, answerWaiting, answerWithout, wholeSeconds } from "../admission/queue.ts";

const WAIT_ID_BYTES = 16;

type GrantedReply = Extract<TurnOutcome, { kind: "visit" }>;
type No = Exclude<TurnOutcome, { kind: "visit" }>;

/**
 * A room of requests: each request is a visit. It waits here for its turn, and the permit lasts as
 * long as its answer. When the time is up it leaves with its ticket, and may come back with it.
 */
export const serveRequest = async (context: GateContext): Promise<Response> => {
  const { view, isolate, room, presented } = context;
  // Here each request is a visit, whatever kind it is of.
  if (presented.ticket === null) isolate.views.tallyOf(room).arrived();
  if (view.snapshot?.mode === "closed") return answerWithout(context);
  const key = await keyOf(context);
  const who = whoAsks(context, key);
  const answer = await serveAt(context, who, key);
  if (answer instanceof Response) return answer;
  const elsewhere = answer.refusal === "lobby-full" ? anotherLobby(context, who, key) : null;
  const again = elsewhere === null ? answer : await serveAt(context, elsewhere, key);
  if (again instanceof Response) return again;
  return answerRefused(context, again.refusal, again.retryAfterMs);
};

/**
 * The key of the request's client. Null for requests that could not keep a place: they take up
 * none.
 */
const keyOf = (context: GateContext): MaybePromise<string | null> => {
  const { deployment, arrival, room } = context;
  if (room.clientKey == null || context.kind === "subresource" || context.isSpeculative)
    return null;
  return clientKey(deployment.keys, arrival, room);
};

/** A key has its own lobby, for as long as the operator leaves their number: its places are there. */
const whoAsks = (
  { isolate, arrival, view, presented, room }: GateContext,
  key: string | null,
): Identity => {
  const who =
    presented.identity ??
    newIdentity(isolate.ports, pickLobby(isolate, view.snapshot, arrival, room));
  if (key === null || presented.ticket !== null) return who;
  return { ...who, lobby: lobbyIndex(spread(key, room.limits.lobbiesMin)) };
};

/** Spreads keys evenly over so many lobbies; the same key always goes to the same one. */
const spread = (key: string, among: number): number => Number.parseInt(key.slice(0, 8), 16) % among;

type RefusedHere = Extract<No, { kind: "refused" }>;

/** What a request hears that gets no permit. */
const answerTo = (
  context: GateContext,
  who: Identity,
  reply: No,
): MaybePromise<Response> | RefusedHere => {
  switch (reply.kind) {
    case "not-yet":
      return turnedAway(context, who, reply);
    case "ended":
      context.issued.clear("ticket");
      return answerWithout(context);
    case "refused":
      return reply;
    default:
      return reply satisfies never;
  }
};

/** The answer, or the refusal of this lobby. */
const serveAt = async (
  context: GateContext,
  who: Identity,
  key: string | null,
): Promise<Response | RefusedHere> => {
  const { isolate, arrival, room, presented, issued } = context;
  const { ticket } = presented;
  const waitId = base64url.encode(isolate.ports.randomBytes(WAIT_ID_BYTES));
  const address = await addressKey(context.deployment.keys, arrival, room);
  // What is fetched in advance may go in if nobody has to wait for it.
  const holdMs = context.isSpeculative ? 0 : room.holdMs;
  const ask = { waitId, ticket, holdMs, address, key };
  const lobby = () => lobbyOf(arrival, room, who.lobby);
  const desk = isolate.turns.at(`${room.id}/${who.lobby}`);
  const caller = (ports: Ports): TurnCaller => ({
    ports,
    waitUntil: arrival.waitUntil,
    isStopped: () => permit.isStopped,
    turns: (asked) => lobby().turns(asked),
    wait: (asked) => lobby().wait(asked),
    abandonWait: (wait) => lobby().abandonWait(wait),
  });
  const permit: RequestPermit<TurnOutcome> = permitFor<TurnOutcome>(context, who.lobby, {
    ask: (ports) => desk.wait(ask, caller(ports)),
    abandon: () => desk.abandon(waitId, caller(isolate.ports)),
  });
  // Its permit's own work goes on for longer.
  void permit.over.then((end) => logRequest(context, end, permit.report()));
  const reply = await permit.ask();
  if (reply.kind !== "visit") return answerTo(context, who, reply);
  isolate.pacer.waiterCame();
  if (reply.rate !== null) context.rate.told("starts", reply.rate.left);
  if (ticket !== null) issued.clear("ticket");
  return serveUnder(context, { visit: reply.visit.visit, lobby: who.lobby }, permit);
};

/**
 * Only a request that could bring a ticket back gets one: a picture's would take the page's place.
 */
const turnedAway = (
  context: GateContext,
  who: Identity,
  { view, retryAfterMs }: Extract<No, { kind: "not-yet" }>,
): Promise<Response> | Response => {
  const { arrival, room, presented, kind } = context;
  context.rate.told("starts", 0);
  const isOwn = presented.ticket?.number === view.number;
  if (kind !== "subresource" && !context.isSpeculative) {
    const asked = { ...view, pollAfterSeconds: wholeSeconds(retryAfterMs) };
    return answerWaiting(context, who, asked, retryAfterMs);
  }
  if (!isOwn) {
    const leaving = lobbyOf(arrival, room, who.lobby).leave(heldTicket(view, who));
    arrival.waitUntil(leaving.catch(() => null));
  }
  return answerRefused(context, "busy", retryAfterMs);
};

/** A client without a ticket, whose lobby takes no more, goes to another one, once. */
const anotherLobby = (
  { isolate, arrival, view, presented, room }: GateContext,
  who: Identity,
  key: string | null,
): Identity | null => {
  if (presented.ticket !== null || view.snapshot === null) return null;
  const open = view.snapshot.lobbiesOpen.filter((lobby) => lobby !== who.lobby);
  if (open.length === 0) return null;
  const lobby = key === null ? undefined : open[spread(key, open.length)];
  if (lobby !== undefined) return { ...who, lobby };
  const others = { ...view.snapshot, lobbiesOpen: open };
  return { ...who, lobby: pickLobby(isolate, others, arrival, room) };
};

/** One line for each request: what it was, never who. */
const logRequest = (
  { isolate, arrival, room }: GateContext,
  outcome: RequestOutcome,
  { reply, waitedMs, ranMs }: RequestReport<GrantedReply | No>,
): void =>
  isolate.ports.log({
    level: "info",
    event: "request",
    reference: arrival.reference,
    room: room.name,
    number: numberOf(reply),
    waited_ms: waitedMs,
    ran_ms: ranMs,
    outcome: outcome === "turned-away" && reply !== null ? whyNot(reply) : outcome,
  });

const numberOf = (reply: GrantedReply | No | null): number | null => {
  if (reply?.kind === "visit") return reply.visit.visit;
  return reply?.kind === "not-yet" ? reply.view.number : null;
};

const whyNot = (reply: GrantedReply | No): string =>
  reply.kind === "refused" ? reply.refusal : reply.kind;
