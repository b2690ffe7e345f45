/**
 * The short reference that page and logs share: what a visitor can read out over a telephone, and
 * how those who know a visitor's id find it again by that.
 */
import { parseVisitorId, type VisitorId } from "./ids.ts";

/** No letters or digits that are read wrong over a telephone. */
export const REFERENCE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
export const REFERENCE_LENGTH = 8;
const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BITS_EACH = 5;
/** 42 bits of base64url hold the 40 of a reference. */
const HEAD_LENGTH = 7;
const SPARE = 4;

/**
 * The same for all that one visitor does: the first 40 of the 128 random bits of the visitor id. The
 * other 88 stay unsaid, and what counts is the signature on a token, so it can be told to anybody.
 */
export const referenceOf = (visitor: VisitorId): string => {
  let head = 0;
  for (const letter of visitor.slice(0, HEAD_LENGTH)) head = head * 64 + BASE64URL.indexOf(letter);
  let rest = Math.floor(head / SPARE);
  let text = "";
  for (let place = 0; place < REFERENCE_LENGTH; place += 1) {
    text = (REFERENCE_ALPHABET[rest % REFERENCE_ALPHABET.length] ?? "") + text;
    rest = Math.floor(rest / 2 ** BITS_EACH);
  }
  return text;
};

/** The first letters of a visitor id under the reference, with these two bits at their end. */
const headOf = (reference: string, spare: number): string => {
  let head = 0;
  for (const letter of reference)
    head = head * REFERENCE_ALPHABET.length + REFERENCE_ALPHABET.indexOf(letter);
  head = head * SPARE + spare;
  let text = "";
  for (let place = 0; place < HEAD_LENGTH; place += 1) {
    text = (BASE64URL[head % 64] ?? "") + text;
    head = Math.floor(head / 64);
  }
  return text;
};

/** A visitor id under the same reference, the other bits taken from `fresh`. */
export const underReference = (reference: string, fresh: VisitorId): VisitorId => {
  const spare = BASE64URL.indexOf(fresh[HEAD_LENGTH - 1] ?? "A") % SPARE;
  return parseVisitorId(headOf(reference, spare) + fresh.slice(HEAD_LENGTH)) ?? fresh;
};

/** Says of each visitor id whether it is under the reference, quick enough to look through many. */
export const refersTo = (reference: string): ((visitor: VisitorId) => boolean) => {
  const heads = new Set(Array.from({ length: SPARE }, (_, spare) => headOf(reference, spare)));
  return (visitor) => heads.has(visitor.slice(0, HEAD_LENGTH));
};

export const parseReference = (value: unknown): string | null =>
  typeof value === "string" && /^[2-9A-HJ-NP-Z]{8}$/.test(value) ? value : null;
