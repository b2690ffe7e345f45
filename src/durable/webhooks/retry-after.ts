import { SECOND_MS, type InstantMs } from "../../core/time.ts";

/** `Retry-After` (RFC 9110, 10.2.3): seconds, or a date. Null where it says nothing that can be read. */
export const retryAfterMsOf = (text: string | null, now: InstantMs): number | null => {
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * SECOND_MS;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
};
