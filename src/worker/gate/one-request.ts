import type { LobbyIndex } from "../../core/ids.ts";
import { trouble } from "../answers/trouble.ts";
import { lobbyOf } from "../isolate/room-views.ts";
import { relaySocket } from "../origin/relay-socket.ts";
import { isGranted, underPermit } from "../permit/keep-permit.ts";
import type { Granted, Said } from "../permit/keep-permit.ts";
import { Life } from "../permit/life.ts";
import type { Ending } from "../permit/life.ts";
import { oneTimer } from "../permit/one-timer.ts";
import { maySayNothing, watchAnswer } from "../permit/watch-answer.ts";
import type { Ports } from "../ports.ts";
import type { Guarded } from "./guarded.ts";
import { endVisit, passOnWatched } from "./pass-on.ts";
import type { Going } from "./pass-on.ts";

/** How the permit for one request is asked for. */
export interface Asking<Reply extends Said> {
  readonly lobby: LobbyIndex;
  readonly ask: (ports: Ports) => Promise<Reply>;
  /** The client left before there was an answer. */
  readonly letGo?: () => Promise<unknown>;
  /** The permit is there: what is still to be done before the origin may be asked. */
  readonly before?: (granted: Reply & Granted) => Promise<Response | null>;
  /** How it ended, once it has. */
  readonly tell?: (ending: Ending, told: Told<Reply>) => void;
}

/** Null where the counter could not be reached. Spans are in milliseconds. */
export interface Told<Reply> {
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
export const onePermit = async <Reply extends Said>(
  guarded: Guarded,
  asking: Asking<Reply>,
): Promise<Response | Exclude<Reply, Granted>> => {
  const { isolate, arrival } = guarded;
  const { lobby, ask, letGo, tell } = asking;
  const ports: Ports = { ...isolate.ports, timer: oneTimer(isolate.ports) };
  const life = new Life(arrival.request.signal);
  const told = new Times<Reply>(isolate.ports.now);
  if (tell !== undefined) arrival.waitUntil(life.over.then((ending) => tell(ending, told.over())));
  const source = {
    ask: () => ask(ports),
    letGo: letGo ?? (() => Promise.resolve()),
    renew: (visit: Going["visit"]) => lobbyOf(arrival, guarded.room, lobby).renew(visit),
    end: (visit: Going["visit"]) =>
      endVisit(
        { isolate: { ...isolate, ports }, arrival, room: guarded.room },
        { visit, lobby },
        0,
      ),
  };
  const reply = await underPermit(ports, arrival.waitUntil, source, life, (answer) =>
    told.answered(answer),
  );
  if (!isGranted(reply)) return reply as Exclude<Reply, Granted>;
  try {
    const instead = (await asking.before?.(reply)) ?? null;
    if (instead !== null) life.end("turned-away");
    return instead ?? (await serve(guarded, { visit: reply.visit.visit, lobby }, ports, life));
  } catch (error) {
    life.stop("origin-failed");
    throw error;
  }
};

/** Asks the origin and watches its answer, for as long as the life lasts. */
const serve = async (
  guarded: Guarded,
  going: Going,
  ports: Ports,
  life: Life,
): Promise<Response> => {
  const { arrival, room, handout } = guarded;
  if (life.ending !== null) return nobody();
  const stop = ports.timer(room.originTimeoutMs, () => life.stop("origin-timeout"));
  const { response, isOrigins } = await passOnWatched(guarded, going, life.signal).finally(stop);
  if (!isOrigins) {
    life.end("origin-failed");
    if (life.ending !== "origin-timeout") return response;
    const { reference } = arrival;
    ports.log({ level: "error", event: "origin-timeout", reference, room: room.name });
    const late = trouble(arrival, room, "origin-timeout");
    handout.writeTo(late.headers);
    return late;
  }
  if (response.status === 101)
    return relaySocket(response, () => life.end("answered"), life.signal);
  if (arrival.request.method === "HEAD") {
    life.end("answered");
    return response;
  }
  return watchAnswer(response, {
    ports,
    waitUntil: arrival.waitUntil,
    life,
    silenceMaxMs: maySayNothing(response.headers) ? null : room.originTimeoutMs,
    stallMaxMs: room.originTimeoutMs,
    isEncoded: true,
  });
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

  over(): Told<Reply> {
    const endedAt = this.#now();
    const answeredAt = this.#answeredAt ?? endedAt;
    return {
      reply: this.#reply,
      heldMs: answeredAt - this.#askedAt,
      ranMs: endedAt - answeredAt,
    };
  }
}
