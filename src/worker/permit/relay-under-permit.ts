import { relaySocket } from "../origin/relay-socket.ts";
import type { Ports } from "../platform/ports.ts";
import { IdleLimit } from "./idle-limit.ts";
import type { Lifetime } from "./lifetime.ts";

/** Many programs say something every 25 to 30 s, so that nobody between them closes the socket. */
const IDLE_MS = 60_000;

/**
 * A socket that is its own visit: the permit lasts as long as it does, and it ends when neither end
 * says anything for a minute, or for `idleMs` where that is longer. The runtime answers a socket's
 * own pings, so that only messages count.
 */
export const relayUnderPermit = (
  response: Response,
  ports: Pick<Ports, "now" | "timer">,
  lifetime: Lifetime,
  idleMs = IDLE_MS,
): Response => {
  const idle = new IdleLimit(ports, Math.max(IDLE_MS, idleMs), () => lifetime.stop("idle"));
  void lifetime.over.then(() => idle.end());
  const over = (): void => lifetime.end("answered");
  return relaySocket(response, { moved: () => idle.moved(), over, stop: lifetime.signal });
};
