/**
 * Verifies drand rounds. Pairings are heavy: only what verifies imports this file, and not the Worker
 * when it starts.
 */
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesOfHex } from "../hex.ts";
import { invariant } from "../invariant.ts";
import type { DrandChain, DrandRound } from "./drand-chain.ts";

const ROUND_BYTES = 8;
const SUITE_G1 = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
const SUITE_G2 = "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_";

/** Whether the chain's key signed exactly this round. False for garbage of any kind; never throws. */
export const isSigned = (chain: DrandChain, round: DrandRound): boolean => {
  const signature = bytesOfHex(round.signature);
  const key = bytesOfHex(chain.publicKey);
  const message = signedBytes(chain, round);
  if (signature === null || key === null || message === null) return false;
  try {
    return isPaired(chain, sha256(message), signature, key);
  } catch {
    return false; // not a point of the curve, or of the wrong group
  }
};

const isPaired = (
  chain: DrandChain,
  message: Uint8Array,
  signature: Uint8Array,
  key: Uint8Array,
): boolean => {
  switch (chain.scheme) {
    case "bls-unchained-g1-rfc9380": {
      const { shortSignatures } = bls12_381;
      return shortSignatures.verify(signature, shortSignatures.hash(message, SUITE_G1), key);
    }
    case "pedersen-bls-unchained":
    case "pedersen-bls-chained": {
      const { longSignatures } = bls12_381;
      return longSignatures.verify(signature, longSignatures.hash(message, SUITE_G2), key);
    }
    default:
      return chain.scheme satisfies never;
  }
};

/** The previous signature where the scheme is chained, and the round in eight bytes. */
const signedBytes = (chain: DrandChain, round: DrandRound): Uint8Array | null => {
  invariant(Number.isSafeInteger(round.round) && round.round >= 1, "rounds begin at 1");
  const isChained = chain.scheme === "pedersen-bls-chained";
  if (isChained !== (round.previousSignature !== null)) return null;
  const previous = bytesOfHex(round.previousSignature ?? "");
  if (previous === null) return null;
  const message = new Uint8Array(previous.length + ROUND_BYTES);
  message.set(previous);
  new DataView(message.buffer).setBigUint64(previous.length, BigInt(round.round));
  return message;
};
