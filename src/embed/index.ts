/** A counter for code of one's own: see docs/embed.md. */
import { Counter } from "./counter.ts";
import type { CounterOptions } from "./counter.ts";

export { Lobby } from "../durable/lobby/lobby.ts";
export { Room } from "../durable/room/room.ts";
export { UnreachableError } from "../worker/isolate/call-object.ts";
export { counter } from "./middleware.ts";
export type { MiddlewareOptions } from "./middleware.ts";
export type { Access, CounterOptions, NotYet, TurnedAway, Work } from "./counter.ts";
export type { CounterLimits } from "./settings.ts";

/** Lets at most `limit` callers work at once, in the order of their numbers. */
export const createCounter = (options: CounterOptions): Pick<Counter, "access"> =>
  new Counter(options);
