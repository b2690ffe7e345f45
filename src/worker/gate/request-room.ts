import { base64url } from "jose";
import type { HoldReply } from "../../durable/contract.ts";
import { addressKey } from "../address-key.ts";
import { isSpeculative } from "../caller.ts";
import { callObject } from "../isolate/call-object.ts";
import { lobbyOf, pickLobby } from "../isolate/room-views.ts";
import type { Ending } from "../permit/life.ts";
import { newIdentity } from "../tokens/handout.ts";
import type { Identity } from "../tokens/in-hand.ts";
import type { Guarded } from "./guarded.ts";
import { heldTicket } from "./join.ts";
import { onePermit } from "./one-request.ts";
import type { Told } from "./one-request.ts";
import { answerRefused, answerWaiting, answerWithout, wholeSeconds } from "./queue.ts";

const HOLD_ID_BYTES = 16;
/** What the way there and back may take on top of the wait itself. */
const SLACK_MS = 5_000;

type Turn = Extract<HoldReply, { kind: "visit" }>;
type No = Exclude<HoldReply, { kind: "visit" }>;

/**
 * A room of requests: each request is a visit. It waits here for its turn, and the permit lasts as
 * long as its answer. When the time is up it leaves with its ticket, and may come back with it.
 */
export const serveRequest = async (guarded: Guarded): Promise<Response> => {
  const { isolate, view, inHand } = guarded;
  if (view.snapshot?.mode === "closed") return answerWithout(guarded);
  const who =
    inHand.identity ?? newIdentity(isolate.ports, pickLobby(isolate.ports, view.snapshot));
  const answer = await serveAt(guarded, who);
  if (answer instanceof Response) return answer;
  const elsewhere = answer.refusal === "lobby-full" ? anotherLobby(guarded, who) : null;
  const again = elsewhere === null ? answer : await serveAt(guarded, elsewhere);
  if (again instanceof Response) return again;
  return answerRefused(guarded, again.refusal, again.retryAfterMs);
};

/** The answer, or why nobody may join at this lobby. */
const serveAt = async (
  guarded: Guarded,
  who: Identity,
): Promise<Response | Extract<No, { kind: "refused" }>> => {
  const reply = await askForTurn(guarded, who);
  if (reply instanceof Response) return reply;
  switch (reply.kind) {
    case "not-yet":
      return turnedAway(guarded, who, reply);
    case "ended":
      guarded.handout.clear("ticket");
      return answerWithout(guarded);
    case "refused":
      return reply;
    default:
      return reply satisfies never;
  }
};

const askForTurn = async (guarded: Guarded, who: Identity): Promise<Response | No> => {
  const { isolate, arrival, room, inHand, handout } = guarded;
  const { ticket } = inHand;
  const hold = base64url.encode(isolate.ports.randomBytes(HOLD_ID_BYTES));
  const address = await addressKey(guarded.deployment.keys, arrival, room);
  // What is fetched in advance may go in if nobody has to wait for it.
  const holdMs = isSpeculative(arrival.request) ? 0 : room.holdMs;
  const lobby = () => lobbyOf(arrival, room, who.lobby);
  return onePermit<HoldReply>(guarded, {
    lobby: who.lobby,
    ask: (ports) =>
      callObject(ports, () => lobby().hold({ hold, ticket, holdMs, address }), holdMs + SLACK_MS),
    letGo: () => lobby().letGo(hold),
    before({ rate }) {
      if (rate !== null) guarded.rate.told("starts", rate.left);
      if (ticket !== null) handout.clear("ticket");
      return Promise.resolve(null);
    },
    tell: (ending, told) => logRequest(guarded, ending, told),
  });
};

/** Only those get a ticket who could bring it back: a picture's would take the page's place. */
const turnedAway = (
  guarded: Guarded,
  who: Identity,
  { view, retryAfterMs }: Extract<No, { kind: "not-yet" }>,
): Promise<Response> | Response => {
  const { arrival, room, inHand, kind } = guarded;
  guarded.rate.told("starts", 0);
  const isOwn = inHand.ticket?.number === view.number;
  if (kind !== "subresource" && !isSpeculative(arrival.request)) {
    const asked = { ...view, pollAfterSeconds: wholeSeconds(retryAfterMs) };
    return answerWaiting(guarded, who, asked, retryAfterMs);
  }
  if (!isOwn) {
    const leaving = lobbyOf(arrival, room, who.lobby).leave(heldTicket(view, who));
    arrival.waitUntil(leaving.catch(() => null));
  }
  return answerRefused(guarded, "busy", retryAfterMs);
};

/** A client without a ticket, whose lobby takes no more, goes to another one, once. */
const anotherLobby = ({ isolate, view, inHand }: Guarded, who: Identity): Identity | null => {
  if (inHand.ticket !== null || view.snapshot === null) return null;
  const open = view.snapshot.lobbiesOpen.filter((lobby) => lobby !== who.lobby);
  if (open.length === 0) return null;
  return { ...who, lobby: pickLobby(isolate.ports, { ...view.snapshot, lobbiesOpen: open }) };
};

/** One line for each request: what it was, never who. */
const logRequest = (
  { isolate, arrival, room }: Guarded,
  ending: Ending,
  { reply, heldMs, ranMs }: Told<Turn | No>,
): void =>
  isolate.ports.log({
    level: "info",
    event: "request",
    reference: arrival.reference,
    room: room.name,
    number: numberOf(reply),
    held_ms: heldMs,
    ran_ms: ranMs,
    outcome: ending === "turned-away" && reply !== null ? whyNot(reply) : ending,
  });

const numberOf = (reply: Turn | No | null): number | null => {
  if (reply?.kind === "visit") return reply.visit.visit;
  return reply?.kind === "not-yet" ? reply.view.number : null;
};

const whyNot = (reply: Turn | No): string =>
  reply.kind === "refused" ? reply.refusal : reply.kind;
