/** drand's chains of rounds, as their operators publish them: https://drand.love, GET /info. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesOfHex, hex } from "../hex.ts";
import { instant, SECOND_MS, type InstantMs } from "../time.ts";

/** How a chain signs. Others (on BN254, or with the hash of the wrong group) are not verified here. */
export const DRAND_SCHEMES = [
  "bls-unchained-g1-rfc9380",
  "pedersen-bls-unchained",
  "pedersen-bls-chained",
] as const;
export type DrandScheme = (typeof DRAND_SCHEMES)[number];

export interface DrandChain {
  /** SHA-256 of the fields below but for the scheme: by it a chain is named. Hex, like all bytes here. */
  readonly hash: string;
  readonly scheme: DrandScheme;
  readonly publicKey: string;
  readonly periodSeconds: number;
  /** The instant of round 1, in seconds since 1970. */
  readonly genesisSeconds: number;
  readonly groupHash: string;
  readonly beaconId: string;
}

export interface DrandRound {
  readonly round: number;
  readonly signature: string;
  /** Only rounds of a chained scheme sign the one before as well. */
  readonly previousSignature: string | null;
}

/** The two of the League of Entropy, which Cloudflare's relay (https://drand.cloudflare.com) serves too. */
export const QUICKNET: DrandChain = {
  hash: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
  scheme: "bls-unchained-g1-rfc9380",
  publicKey:
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451" +
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
  periodSeconds: 3,
  genesisSeconds: 1_692_803_367,
  groupHash: "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e",
  beaconId: "quicknet",
};
const LEAGUE_DEFAULT: DrandChain = {
  hash: "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce",
  scheme: "pedersen-bls-chained",
  publicKey:
    "868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31",
  periodSeconds: 30,
  genesisSeconds: 1_595_431_050,
  groupHash: "176f93498eac9ca337150b46d21dd58673ea4e3581185f869672e59fa4cb390a",
  beaconId: "default",
};
export const KNOWN_CHAINS: readonly DrandChain[] = [QUICKNET, LEAGUE_DEFAULT];

/** Between the end of joining and the round, so that everybody can read which numbers are drawn. */
const ROUND_AFTER_START_MS = 5_000;

/** As drand does it: the name of the chain "default" does not count, for its elders' sake. */
export const chainHashOf = (chain: DrandChain): string | null => {
  const [key, group] = [bytesOfHex(chain.publicKey), bytesOfHex(chain.groupHash)];
  if (key === null || group === null) return null;
  const name = new TextEncoder().encode(chain.beaconId === "default" ? "" : chain.beaconId);
  const head = new DataView(new ArrayBuffer(12));
  head.setUint32(0, chain.periodSeconds);
  head.setBigInt64(4, BigInt(chain.genesisSeconds));
  const hash = sha256.create();
  for (const bytes of [new Uint8Array(head.buffer), key, group, name]) hash.update(bytes);
  return hex(hash.digest());
};

/** When a round is due. No group below the chain's threshold can know its signature earlier. */
export const roundAt = (chain: DrandChain, round: number): InstantMs =>
  instant((chain.genesisSeconds + (round - 1) * chain.periodSeconds) * SECOND_MS);

/** The round to name for a draw at the start of an event. */
export const roundForStart = (chain: DrandChain, startsAt: InstantMs): number => {
  const periodMs = chain.periodSeconds * SECOND_MS;
  const sinceGenesisMs = startsAt + ROUND_AFTER_START_MS - chain.genesisSeconds * SECOND_MS;
  return Math.max(1, Math.ceil(sinceGenesisMs / periodMs) + 1);
};
