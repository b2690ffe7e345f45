import { parseVisitorId } from "../../core/ids.ts";
import type { VisitorId } from "../../core/ids.ts";
import type { Ports } from "./ports.ts";

/** No letters or digits that are read wrong over a telephone. */
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const LENGTH = 8;
const BITS_EACH = 5;
/** 42 bits of base64url hold the 40 of a reference. */
const HEAD_LENGTH = 7;
const SPARE = 4;

/** For a request whose visitor nobody knows. */
export const randomReference = (ports: Ports): string =>
  [...ports.randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length] ?? "").join("");

/**
 * The same for all that one visitor does: the first 40 of the 128 random bits of the visitor id. The
 * other 88 stay unsaid, and what counts is the signature on a token, so it can be told to anybody.
 */
export const referenceOf = (visitor: VisitorId): string => {
  let head = 0;
  for (const letter of visitor.slice(0, HEAD_LENGTH)) head = head * 64 + BASE64URL.indexOf(letter);
  let rest = Math.floor(head / SPARE);
  let text = "";
  for (let place = 0; place < LENGTH; place += 1) {
    text = (ALPHABET[rest % ALPHABET.length] ?? "") + text;
    rest = Math.floor(rest / 2 ** BITS_EACH);
  }
  return text;
};

/** A visitor id under the same reference, the other bits taken from `fresh`. */
export const underReference = (reference: string, fresh: VisitorId): VisitorId => {
  let head = 0;
  for (const letter of reference) head = head * ALPHABET.length + ALPHABET.indexOf(letter);
  head = head * SPARE + (BASE64URL.indexOf(fresh[HEAD_LENGTH - 1] ?? "A") % SPARE);
  let text = "";
  for (let place = 0; place < HEAD_LENGTH; place += 1) {
    text = (BASE64URL[head % 64] ?? "") + text;
    head = Math.floor(head / 64);
  }
  return parseVisitorId(text + fresh.slice(HEAD_LENGTH)) ?? fresh;
};

export const parseReference = (value: unknown): string | null =>
  typeof value === "string" && /^[2-9A-HJ-NP-Z]{8}$/.test(value) ? value : null;
