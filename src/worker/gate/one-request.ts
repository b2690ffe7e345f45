import type { VisitView } from "../../durable/contract.ts";
import type { LobbyIndex } from "../../core/ids.ts";
import { lobbyOf } from "../isolate/room-views.ts";
import type { Ports } from "../ports.ts";
import { relaySocket } from "../origin/relay-socket.ts";
import type { Guarded } from "./guarded.ts";
import { endVisit, passOn } from "./pass-on.ts";

/** The lease of a permit is renewed three times in its life while its request runs, or oftener. */
const RENEWALS_A_LEASE = 3;
const RENEW_EVERY_MAX_MS = 10_000;

/** How the permit for one request is asked for. */
export interface Asking<No> {
  readonly lobby: LobbyIndex;
  readonly ask: () => Promise<{ readonly kind: "visit"; readonly visit: VisitView } | No>;
  /** The client left before there was an answer. */
  readonly letGo?: () => Promise<unknown>;
}

/**
 * A permit for one request: freed when the answer has ended or failed or the client has gone,
 * whichever is noticed first; a lease that is renewed while it runs covers what nobody notices.
 * Returns the room's "no" if it says no.
 */
export const onePermit = async <No extends { readonly kind: string }>(
  guarded: Guarded,
  asking: Asking<No>,
): Promise<Response | No> => {
  const { isolate, arrival } = guarded;
  const life = new Life(arrival.request.signal);
  const answer = asking.ask();
  // Registered before anything is awaited: without it a reset drops this handler where it stands.
  arrival.waitUntil(lookAfter(guarded, asking, answer, life));
  const reply = await answer;
  if (!isVisit(reply)) {
    life.end();
    return reply;
  }
  const stop = isolate.ports.timer(guarded.room.originTimeoutMs, () => life.abort());
  try {
    const going = { visit: reply.visit.visit, lobby: asking.lobby };
    return whileItLasts(await passOn(guarded, going, life.signal), guarded, isolate.ports, life);
  } catch (error) {
    life.end();
    throw error;
  } finally {
    stop();
  }
};

const isVisit = (reply: {
  readonly kind: string;
}): reply is { readonly kind: "visit"; readonly visit: VisitView } => reply.kind === "visit";

/** Settles once, when the request has come to its end in any way. */
class Life {
  readonly over: Promise<void>;
  readonly #abort = new AbortController();
  #settle: () => void = () => undefined;

  constructor(client: AbortSignal) {
    this.over = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const leave = (): void => this.abort();
    if (client.aborted) leave();
    else client.addEventListener("abort", leave, { once: true });
  }

  /** Tells the origin's fetch to stop. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  end(): void {
    this.#settle();
  }

  /** The client has gone, or the origin takes too long: it is not worked for any longer. */
  abort(): void {
    this.#abort.abort();
    this.#settle();
  }
}

/** Runs beside the request: renews the lease, and frees the permit when all is over. */
const lookAfter = async <No extends { readonly kind: string }>(
  guarded: Guarded,
  asking: Asking<No>,
  answer: Promise<{ readonly kind: "visit"; readonly visit: VisitView } | No>,
  life: Life,
): Promise<void> => {
  const { isolate, arrival, room } = guarded;
  let isAnswered = false;
  const leaving = life.over.then(async () => {
    if (!isAnswered) await asking.letGo?.().catch(() => null);
  });
  const reply = await answer.catch(() => null);
  isAnswered = true;
  if (reply === null || !isVisit(reply)) return;
  const { visit, leaseUntil, now } = reply.visit;
  const third = Math.max(1, leaseUntil - now) / RENEWALS_A_LEASE;
  const renewing = every(isolate.ports, Math.min(third, RENEW_EVERY_MAX_MS), () =>
    arrival.waitUntil(
      lobbyOf(arrival, room, asking.lobby)
        .renew(visit)
        .catch(() => null),
    ),
  );
  await life.over;
  renewing.stop();
  await leaving;
  await endVisit(guarded, { visit, lobby: asking.lobby }, 0);
};

/** Repeats until stopped. Nothing runs between the turns. */
const every = (ports: Ports, ms: number, run: () => void): { readonly stop: () => void } => {
  let stop = (): void => undefined;
  const again = (): void => {
    stop = ports.timer(ms, () => {
      run();
      again();
    });
  };
  again();
  return { stop: () => stop() };
};

/** The answer, with its end watched: of its body, or of its socket. */
const whileItLasts = (response: Response, guarded: Guarded, ports: Ports, life: Life): Response => {
  if (response.status === 101) {
    return relaySocket(response, () => life.end());
  }
  if (response.body === null || guarded.arrival.request.method === "HEAD") {
    life.end();
    return response;
  }
  const isEvents = response.headers.get("Content-Type")?.startsWith("text/event-stream") === true;
  const silenceMs = isEvents ? null : guarded.room.originTimeoutMs;
  return new Response(watchBody(response.body, ports, silenceMs, life), response);
};

/**
 * Passes a body on as it is asked for, and tells its end, its failure, its reader's leaving, and a
 * silence of the origin that is too long.
 */
const watchBody = (
  body: ReadableStream<Uint8Array>,
  ports: Ports,
  silenceMs: number | null,
  life: Life,
): ReadableStream<Uint8Array> => {
  const reader = body.getReader();
  const next = async () => {
    const stop = silenceMs === null ? null : ports.timer(silenceMs, () => life.abort());
    try {
      return await reader.read();
    } finally {
      stop?.();
    }
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await next();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        controller.close();
        life.end();
      } catch (error) {
        life.end();
        controller.error(error);
      }
    },
    async cancel(reason) {
      life.abort();
      await reader.cancel(reason).catch(() => null);
    },
  });
};
