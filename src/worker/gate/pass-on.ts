import type { LobbyIndex, VisitId } from "../../core/ids.ts";
import type { VisitReply } from "../../durable/contract.ts";
import { trouble } from "../answers/trouble.ts";
import { delivered } from "../answers/delivered.ts";
import type { GateStatus } from "../answers/status.ts";
import { valueWithin } from "../deadline.ts";
import { callObject } from "../isolate/call-object.ts";
import { lobbyOf } from "../isolate/room-views.ts";
import { reasonOf } from "../log.ts";
import type { OriginAnswer } from "../origin/forward.ts";
import { keepPrivate } from "../origin/private.ts";
import { soon } from "../soon.ts";
import type { Soon } from "../soon.ts";
import type { HeldPass } from "../tokens/claims.ts";
import { askOrigin } from "./ask-origin.ts";
import type { Guarded } from "./guarded.ts";

/** How long an answer's headers wait for a renewal or a release that runs beside the origin. */
const HEADERS_WAIT_MS = 250;

/** A visit in whose name the origin is asked. */
export interface Going {
  readonly visit: VisitId;
  readonly lobby: LobbyIndex;
}

/** Forwards in the name of a visit whose pass, if it is new, is in the handout already. */
export const passOn = async (guarded: Guarded, going: Going): Promise<Response> =>
  finish(guarded, going, await ask(guarded, going.visit), "admitted");

export interface Watched {
  readonly response: Response;
  /** False for an answer of our own, in place of one that did not come. */
  readonly isOrigins: boolean;
}

/** Forwards for as long as the signal lets it, and leaves the answer's body as it came. */
export const passOnWatched = async (
  guarded: Guarded,
  going: Going,
  signal: AbortSignal,
): Promise<Watched> => {
  const { isolate, arrival, room } = guarded;
  const errand = { room, visit: going.visit, signal, isWatched: true };
  const answer = await askOrigin(isolate, arrival, errand);
  const response = await finish(guarded, going, answer, "admitted");
  return { response, isOrigins: answer.kind === "answer" };
};

/** Forwards, and renews the lease beside it. */
export const passOnAndRenew = async (guarded: Guarded, pass: HeldPass): Promise<Response> => {
  const { isolate, arrival, room, handout } = guarded;
  const renewal = isolate.renewals.renew(arrival, room, pass);
  const answer = await ask(guarded, pass.visit);
  const reply = await valueWithin<VisitReply | null>(isolate.ports, renewal, HEADERS_WAIT_MS);
  if (reply?.kind === "visit") await handout.pass(pass.lobby, reply.visit);
  if (reply?.kind === "ended") {
    isolate.views.sawEnd(room, pass.visit);
    handout.clear("pass");
  }
  return finish(guarded, { visit: pass.visit, lobby: pass.lobby }, answer, "admitted");
};

/** Forwards without any visit. */
export const passOnFree = async (guarded: Guarded, status: GateStatus): Promise<Response> =>
  finish(guarded, null, await ask(guarded, null), status);

const ask = ({ isolate, arrival, room }: Guarded, visit: VisitId | null): Promise<OriginAnswer> =>
  askOrigin(isolate, arrival, { room, visit });

const finish = (
  guarded: Guarded,
  going: Going | null,
  answer: OriginAnswer,
  status: GateStatus,
): Soon<Response> => {
  if (answer.kind === "unreachable") {
    const failure = trouble(guarded.arrival, guarded.room, "origin-unreachable");
    guarded.handout.writeTo(failure.headers);
    return failure;
  }
  if (going === null || answer.release === null) return deliver(guarded, answer, status);
  return soon(release(guarded, going, answer.release.afterMs), () =>
    deliver(guarded, answer, status),
  );
};

const deliver = (
  { room, handout }: Guarded,
  answer: Extract<OriginAnswer, { kind: "answer" }>,
  status: GateStatus,
): Response => {
  if (!handout.isEmpty) {
    keepPrivate(answer.headers);
    handout.writeTo(answer.headers);
  }
  return delivered(answer, status, room);
};

/** The origin is done with the visit: it ends, and its permit goes to the head of the line. */
const release = async (guarded: Guarded, going: Going, afterMs: number): Promise<void> => {
  const { isolate, arrival, room, handout } = guarded;
  if (afterMs === 0) {
    isolate.views.sawEnd(room, going.visit);
    handout.clear("pass");
  }
  const ending = endVisit(guarded, going, afterMs);
  arrival.waitUntil(ending);
  await valueWithin(isolate.ports, ending, HEADERS_WAIT_MS);
};

/** Never rejects: a visit whose end does not arrive ends by its lease. */
export const endVisit = async (
  guarded: Pick<Guarded, "isolate" | "arrival" | "room">,
  going: Going,
  afterMs: number,
): Promise<void> => {
  const { isolate, arrival, room } = guarded;
  try {
    await callObject(isolate.ports, () =>
      lobbyOf(arrival, room, going.lobby).end(going.visit, afterMs),
    );
  } catch (error) {
    isolate.ports.log({
      level: "warn",
      event: "end-lost",
      reference: arrival.reference,
      room: room.name,
      reason: reasonOf(error),
    });
  }
};
