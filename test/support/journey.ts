import { setTimeout as sleep } from "node:timers/promises";
import { eventually, PATIENCE_MS } from "./eventually.ts";
import type { Answer } from "./http.ts";
import type { Visitor, VisitorSocket } from "./visitor.ts";

/** What a program sends: it has no page of ours, so it gets its visitor id with its ticket. */
export const PROGRAM = { accept: "application/json" };

const api = (visitor: Visitor, method: string, resource: string): Promise<Answer> =>
  visitor.ask(`/.seiriken/rooms/${visitor.room}/${resource}`, { method, headers: PROGRAM });

/** Takes a ticket as a program does, and gives back its number. */
export const takeNumber = async (visitor: Visitor): Promise<number> => {
  const answer = await api(visitor, "POST", "tickets");
  if (answer.status !== 200 && answer.status !== 201)
    throw new Error(`no ticket but ${answer.status} ${answer.text}`);
  return answer.json().number;
};

/** Claims until the visit is there: a full second answers 202 and says when to come again. */
export const claimVisit = async (
  visitor: Visitor,
  { within = PATIENCE_MS } = {},
): Promise<number> => {
  const giveUpAt = performance.now() + within;
  for (;;) {
    const answer = await api(visitor, "POST", "visits");
    if (answer.status === 200 || answer.status === 201) return answer.json().visit;
    if (answer.status !== 202 || performance.now() > giveUpAt)
      throw new Error(`no visit but ${answer.status} ${answer.text}`);
    await sleep(answer.json().retry_after_ms);
  }
};

/** Instants are of `performance.now()`. */
export interface Journey {
  readonly number: number;
  readonly joinedAtMs: number;
  /** RFC 3339: the last moment of the turn, by which calls can be put in order. */
  readonly claimBy: string;
  readonly enteredAtMs: number;
  readonly finishedAtMs: number;
}

export interface JourneyOptions {
  /** What the visit asks of the origin. */
  readonly path?: string;
  readonly stayMs?: number;
  readonly within?: number;
}

/** Takes a ticket, waits on a socket, goes in when called, stays, and hands the permit on. */
export const goThrough = async (
  visitor: Visitor,
  options: JourneyOptions = {},
): Promise<Journey> => {
  const { path = "/tickets", stayMs = 0, within = PATIENCE_MS } = options;
  const joinedAtMs = performance.now();
  const number = await takeNumber(visitor);
  const socket = await visitor.socket();
  try {
    const called = await socket.first("called", { within });
    await claimVisit(visitor);
    const enteredAtMs = performance.now();
    const answer = await visitor.ask(path, { headers: PROGRAM });
    if (answer.status !== 200) throw new Error(`the origin did not answer: ${answer.status}`);
    await sleep(Math.max(0, stayMs - (performance.now() - enteredAtMs)));
    const finishedAtMs = performance.now();
    await api(visitor, "DELETE", "visits/mine");
    return { number, joinedAtMs, claimBy: called["claim_by"], enteredAtMs, finishedAtMs };
  } finally {
    socket.close();
  }
};

/** The state that a ticket is in, by a poll. */
export const whereIs = async (visitor: Visitor): Promise<{ state: string; ahead: number }> => {
  const answer = await api(visitor, "GET", "tickets/mine");
  if (answer.status !== 200) throw new Error(`no place but ${answer.status} ${answer.text}`);
  return answer.json();
};

/** Polls until the number is called. */
export const untilCalled = (visitor: Visitor, { within = PATIENCE_MS, every = 200 } = {}) =>
  eventually(async () => (await whereIs(visitor)).state === "called", { within, every });

/** Closes sockets and waits for their ends, so that a test leaves none behind. */
export const hangUp = async (sockets: Iterable<VisitorSocket>): Promise<void> => {
  const all = [...sockets];
  all.forEach((socket) => socket.drop());
  await Promise.all(all.map((socket) => socket.closed));
};
