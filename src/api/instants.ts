import { instant, type InstantMs } from "../core/time.ts";

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i;

/** What a text of RFC 3339 means; null where it is none. */
export const instantIn = (text: string): InstantMs | null => {
  const parsed = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(parsed) ? null : instant(parsed);
};
