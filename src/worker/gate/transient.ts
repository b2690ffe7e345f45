import { SECOND_MS } from "../../core/time.ts";
import type { EnterReply } from "../../durable/contract.ts";
import { callObject } from "../isolate/call-object.ts";
import { lobbyOf } from "../isolate/room-views.ts";
import type { Identity } from "../tokens/in-hand.ts";
import type { Guarded } from "./guarded.ts";
import { endVisit, passOn } from "./pass-on.ts";

/** While an answer streams its permit's lease is renewed as often. */
const RENEW_EVERY_MS = 10 * SECOND_MS;

/**
 * Enters for one request only: the permit is freed when the answer has ended or failed or the
 * client has gone, whichever is noticed first; a short lease covers what nobody notices. Null when
 * the room says no.
 */
export const enterTransiently = async (
  guarded: Guarded,
  who: Identity,
): Promise<Response | Exclude<EnterReply, { kind: "visit" }>> => {
  const { isolate, arrival, room } = guarded;
  const life = watchClient(arrival.request.signal);
  const entering = callObject(isolate.ports, () =>
    lobbyOf(arrival, room, who.lobby).enter({ visitor: who.visitor, transient: true }),
  );
  // Registered before anything is awaited: without it a reset drops this handler where it stands.
  arrival.waitUntil(freeAfter(guarded, who, entering, life.over));
  const reply = await entering;
  if (reply.kind !== "visit") return reply;
  try {
    const going = { visit: reply.visit.visit, lobby: who.lobby };
    const response = await passOn(guarded, going);
    // The other end of a socket cannot be watched from here: its lease ends the visit.
    if (response.status === 101) return response;
    if (response.body === null) {
      life.end();
      return response;
    }
    const renew = (): void =>
      arrival.waitUntil(
        lobbyOf(arrival, room, who.lobby)
          .renew(going.visit)
          .catch(() => null),
      );
    return new Response(watchBody(response.body, isolate.ports.now, renew, life.end), response);
  } catch (error) {
    life.end();
    throw error;
  }
};

interface Life {
  /** Settles once, when the request has come to its end in any way. */
  readonly over: Promise<void>;
  readonly end: () => void;
}

const watchClient = (signal: AbortSignal): Life => {
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  return { over, end };
};

const freeAfter = async (
  guarded: Guarded,
  who: Identity,
  entering: Promise<EnterReply>,
  over: Promise<void>,
): Promise<void> => {
  const reply = await entering.catch(() => null);
  if (reply?.kind !== "visit") return;
  await over;
  await endVisit(guarded, { visit: reply.visit.visit, lobby: who.lobby }, 0);
};

/** Passes a body on as it is asked for, and tells its end, its failure or its reader's leaving. */
const watchBody = (
  body: ReadableStream<Uint8Array>,
  now: () => number,
  renew: () => void,
  end: () => void,
): ReadableStream<Uint8Array> => {
  const reader = body.getReader();
  let renewedAt = now();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          end();
          return;
        }
        controller.enqueue(value);
        if (now() - renewedAt < RENEW_EVERY_MS) return;
        renewedAt = now();
        renew();
      } catch (error) {
        controller.error(error);
        end();
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
};
