/** How one visitor of the crowd waits for its turn: over a socket, or by polls. */
import { setTimeout as sleep } from "node:timers/promises";
import type { WebSocket } from "ws";
import type { Browser } from "./browser.ts";
import { CrowdError } from "./crowd-error.ts";

/** The ticket resource, as far as a waiting visitor cares. */
export interface Ticket {
  readonly number: number;
  readonly state: string;
  readonly poll_after_seconds?: number;
}

export interface WaitOptions {
  readonly browser: Browser;
  /** `/.seiriken/rooms/{room}` */
  readonly base: string;
  /** Aborted when it is time to go home, or to give up the place. */
  readonly signal: AbortSignal;
  readonly onReconnect: () => void;
  readonly onPoll: (afterMs: number) => void;
}

const PING_EVERY_MS = 27_000;
/** A socket that says nothing for so long is asked about by a poll. */
const SILENCE_MS = 40_000;
const RECONNECTS_MAX = 5;
const JITTER = 0.2;

/** Resolves when the room calls this visitor. Falls back to polling when sockets keep failing. */
export const untilCalled = async (options: WaitOptions, sockets: boolean): Promise<void> => {
  for (let attempt = 0; sockets && attempt < RECONNECTS_MAX; attempt += 1) {
    const end = await waitOnSocket(options);
    if (end === "called") return;
    options.onReconnect();
    await sleep((500 + Math.random() * 1_500) * (attempt + 1), undefined, options);
    if (await isCalled(options)) return;
  }
  await pollUntilCalled(options);
};

const pollUntilCalled = async (options: WaitOptions): Promise<void> => {
  for (;;) {
    const ticket = await where(options);
    if (ticket.state === "called" || ticket.state === "visiting") return;
    const spread = 1 - JITTER + Math.random() * JITTER * 2;
    const afterMs = (ticket.poll_after_seconds ?? 5) * 1_000 * spread;
    options.onPoll(afterMs);
    await sleep(afterMs, undefined, options);
  }
};

const isCalled = async (options: WaitOptions): Promise<boolean> => {
  const { state } = await where(options);
  return state === "called" || state === "visiting";
};

const where = async ({ browser, base }: WaitOptions): Promise<Ticket> => {
  const answer = await browser.call("GET", `${base}/tickets/mine`);
  if (answer.status === 200) return JSON.parse(answer.body) as Ticket;
  if (answer.status === 503 || answer.status === 429) {
    const seconds = Number(answer.headers["retry-after"]) || 5;
    return { number: 0, state: "waiting", poll_after_seconds: seconds };
  }
  throw new CrowdError(`GET tickets/mine: ${answer.status}${problemCode(answer.body)}`);
};

/** The code of a problem document, for the summary. */
export const problemCode = (body: string): string => {
  try {
    const { code } = JSON.parse(body) as { readonly code?: unknown };
    return typeof code === "string" ? ` ${code}` : "";
  } catch {
    return "";
  }
};

const waitOnSocket = (options: WaitOptions): Promise<"called" | "lost"> => {
  const { browser, base, signal } = options;
  signal.throwIfAborted();
  const socket = browser.socket(`${base}/socket`);
  return new Promise<"called" | "lost">((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
    const stopBeats = keepAlive(socket, () => {
      void isCalled(options).then((called) => called && resolve("called"), reject);
    });
    socket.on("message", (data: Buffer) => {
      const type = messageType(data.toString());
      if (type === "ready?") socket.send(JSON.stringify({ type: "ready" }));
      if (type === "called") resolve("called");
    });
    // an error is always followed by a close
    socket.on("error", () => undefined);
    socket.on("close", (code, reason) => {
      stopBeats();
      signal.removeEventListener("abort", onAbort);
      if (code < 4_400 || code === 4_408) resolve("lost");
      else reject(new CrowdError(`socket: ${code} ${reason.toString()}`.trim()));
    });
  }).finally(() => socket.close());
};

/** Pings, and looks for itself when the socket has long been silent. Returns how to stop. */
const keepAlive = (socket: WebSocket, onSilence: () => void): (() => void) => {
  let heardAtMs = performance.now();
  socket.on("message", () => (heardAtMs = performance.now()));
  const beat = setInterval(() => {
    if (socket.readyState === socket.OPEN) socket.send("ping");
    if (performance.now() - heardAtMs > SILENCE_MS) onSilence();
  }, PING_EVERY_MS);
  return () => clearInterval(beat);
};

const messageType = (text: string): string => {
  try {
    const message = JSON.parse(text) as { readonly type?: string; readonly state?: string };
    return message.state === "called" ? "called" : (message.type ?? "");
  } catch {
    return "";
  }
};
