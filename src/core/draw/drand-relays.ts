/** Where rounds are asked for, and what is taken of an answer before it is verified. */
import { readJson } from "../json/read.ts";
import type { DrandRound } from "./drand-chain.ts";

/** Cloudflare's, which serves every chain of the League of Entropy. */
const DRAND_URL = "https://drand.cloudflare.com";
export const DRAND_RELAYS_MAX = 8;
/** A round has some 500 bytes. */
export const ROUND_LENGTH_MAX = 4_000;

const isRelay = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
};

/** URLs with commas between, without their last slash; Cloudflare's for none. Null for anything else. */
export const drandRelays = (text: string | undefined): readonly string[] | null => {
  const named = (text ?? "").split(",").map((one) => one.trim().replace(/\/+$/, ""));
  const urls = named.filter((one) => one !== "");
  if (urls.length === 0) return [DRAND_URL];
  return urls.length <= DRAND_RELAYS_MAX && urls.every(isRelay) ? urls : null;
};

const isHex = (value: unknown): value is string =>
  typeof value === "string" && /^(?:[0-9a-f]{2}){1,96}$/.test(value);

/** The round that a relay answers; null for anything else. Nothing of it is known to be true yet. */
export const roundFrom = (text: string): DrandRound | null => {
  const read = text.length > ROUND_LENGTH_MAX ? null : readJson(text);
  if (read?.ok !== true || typeof read.json !== "object" || read.json === null) return null;
  const {
    round,
    signature,
    previous_signature: previous = null,
  } = read.json as {
    readonly round?: unknown;
    readonly signature?: unknown;
    readonly previous_signature?: unknown;
  };
  if (typeof round !== "number" || !Number.isSafeInteger(round) || round < 1) return null;
  // Chains that do not sign the round before name none, or an empty one.
  const previousSignature = previous === "" ? null : previous;
  if (!isHex(signature) || !(previousSignature === null || isHex(previousSignature))) return null;
  return { round, signature, previousSignature };
};
