import type { Brand } from "./brand.ts";

/** Milliseconds since 1970, on the clock of the object that reports it. */
export type InstantMs = Brand<number, "InstantMs">;

/** The one place where a plain number becomes an instant. */
export const instant = (ms: number): InstantMs => Math.round(ms) as InstantMs;

/** Moves an instant by a span in milliseconds, which may be negative. */
export const after = (at: InstantMs, spanMs: number): InstantMs => instant(at + spanMs);

/** A deadline belongs to the past: at `expiresAt` itself it is over. */
export const isOver = (expiresAt: InstantMs, now: InstantMs): boolean => now >= expiresAt;

export const earliest = (...instants: readonly (InstantMs | null)[]): InstantMs | null =>
  instants.reduce((best, at) => (at === null || (best !== null && best <= at) ? best : at), null);

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;

/** RFC 3339 in UTC with milliseconds: the only form in which instants leave us. */
export const rfc3339 = (at: InstantMs): string => new Date(at).toISOString();
