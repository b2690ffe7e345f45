import type { LobbyIndex } from "../../core/ids.ts";
import { errorResponse } from "../answers/trouble.ts";
import { lobbyOf } from "../isolate/room-views.ts";
import { breakOff } from "../origin/break-off.ts";
import { isGranted, underPermit } from "../permit/keep-permit.ts";
import type { GrantedPermit, CounterReply } from "../permit/keep-permit.ts";
import { Lifetime } from "../permit/lifetime.ts";
import type { RequestEnd } from "../permit/lifetime.ts";
import { oneTimer } from "../permit/one-timer.ts";
import { relayUnderPermit } from "../permit/relay-under-permit.ts";
import { maySayNothing, watchAnswer } from "../permit/watch-answer.ts";
import type { Ports } from "../platform/ports.ts";
import type { GateContext } from "../admission/context.ts";
import { endVisit, passOnWatched } from "../admission/pass-on.ts";
import type { VisitRef } from "../admission/pass-on.ts";

/** How the permit for one request is asked for. */
export interface PermitRequest<Reply extends CounterReply> {
  readonly lobby: LobbyIndex;
  readonly ask: (ports: Ports) => Promise<Reply>;
  /** The client left before there was an answer. */
  readonly letGo?: () => Promise<unknown>;
  /** The permit is there: what is still to be done before the origin may be asked. */
  readonly before?: (granted: Reply & GrantedPermit) => Promise<Response | null>;
  /** How it ended, once it has. */
  readonly tell?: (ending: RequestEnd, told: RequestReport<Reply>) => void;
}

/** Null where the counter could not be reached. Spans are in milliseconds. */
export interface RequestReport<Reply> {
  readonly reply: Reply | null;
  readonly heldMs: number;
  readonly ranMs: number;
}

/** Nobody reads it: its client has gone. */
const nobody = (): Response => new Response(null, { status: 499 });

/**
 * A permit for one request: freed when the answer has ended or failed or the client has gone,
 * whichever is noticed first; a lease that is renewed while it runs covers what nobody notices.
 * Returns the room's "no" if it says no.
 */
export const onePermit = async <Reply extends CounterReply>(
  context: GateContext,
  asking: PermitRequest<Reply>,
): Promise<Response | Exclude<Reply, GrantedPermit>> => {
  const { isolate, arrival } = context;
  const { lobby, ask, letGo, tell } = asking;
  const ports: Ports = { ...isolate.ports, timer: oneTimer(isolate.ports) };
  const lifetime = new Lifetime(arrival.request.signal);
  const told = new Times<Reply>(isolate.ports.now);
  if (tell !== undefined)
    arrival.waitUntil(lifetime.over.then((ending) => tell(ending, told.over())));
  const source = {
    ask: () => ask(ports),
    letGo: letGo ?? (() => Promise.resolve()),
    renew: (visit: VisitRef["visit"]) => lobbyOf(arrival, context.room, lobby).renew(visit),
    end: (visit: VisitRef["visit"]) =>
      endVisit(
        { isolate: { ...isolate, ports }, arrival, room: context.room },
        { visit, lobby },
        0,
      ),
  };
  const reply = await underPermit(ports, arrival.waitUntil, source, lifetime, (answer) =>
    told.answered(answer),
  );
  if (!isGranted(reply)) return reply as Exclude<Reply, GrantedPermit>;
  try {
    const instead = (await asking.before?.(reply)) ?? null;
    if (instead !== null) lifetime.end("turned-away");
    return instead ?? (await serve(context, { visit: reply.visit.visit, lobby }, ports, lifetime));
  } catch (error) {
    lifetime.stop("origin-failed");
    throw error;
  }
};

/** Asks the origin and watches its answer, for as long as the life lasts. */
const serve = async (
  context: GateContext,
  visitRef: VisitRef,
  ports: Ports,
  lifetime: Lifetime,
): Promise<Response> => {
  const { arrival, room, issued } = context;
  if (lifetime.ending !== null) return nobody();
  const stop = ports.timer(room.originTimeoutMs, () => lifetime.stop("origin-timeout"));
  const { response, isOrigins } = await passOnWatched(context, visitRef, lifetime.signal).finally(
    stop,
  );
  if (!isOrigins) {
    lifetime.end("origin-failed");
    if (lifetime.ending !== "origin-timeout") return response;
    const { reference } = arrival;
    ports.log({ level: "error", event: "origin-timeout", reference, room: room.name });
    const late = errorResponse(arrival, room, "origin-timeout");
    issued.writeTo(late.headers);
    return late;
  }
  if (response.status === 101)
    return relayUnderPermit(response, ports, lifetime, room.originTimeoutMs);
  if (arrival.request.method === "HEAD") {
    lifetime.end("answered");
    return response;
  }
  if (maySayNothing(response.headers)) endWithLease(context, ports, lifetime);
  return watchAnswer(response, {
    ports,
    waitUntil: arrival.waitUntil,
    lifetime,
    breakOff: (writer) => breakOff(ports, arrival, writer),
    silenceMaxMs: maySayNothing(response.headers) ? null : (room.originSilenceMs ?? null),
    stallMaxMs: room.originTimeoutMs,
    isEncoded: true,
  });
};

/**
 * In a room of visits, a stream that goes on for as long as its client listens would keep a permit from
 * those who take a visit for it: without a pass it lasts as long as a visit without activity.
 */
const endWithLease = (
  { room: { limits } }: GateContext,
  ports: Ports,
  lifetime: Lifetime,
): void => {
  if (limits.permit !== "visit") return;
  const stop = ports.timer(limits.leaseMs, () => lifetime.stop("revoked"));
  void lifetime.over.then(stop);
};

/** What a request came to, and when. */
class Times<Reply> {
  readonly #now: () => number;
  readonly #askedAt: number;
  #reply: Reply | null = null;
  #answeredAt: number | null = null;

  constructor(now: () => number) {
    this.#now = now;
    this.#askedAt = now();
  }

  answered(reply: Reply): void {
    this.#reply = reply;
    this.#answeredAt = this.#now();
  }

  over(): RequestReport<Reply> {
    const endedAt = this.#now();
    const answeredAt = this.#answeredAt ?? endedAt;
    return {
      reply: this.#reply,
      heldMs: answeredAt - this.#askedAt,
      ranMs: endedAt - answeredAt,
    };
  }
}
