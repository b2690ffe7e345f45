import { describe, expect, test } from "vitest";
import {
  chainHashOf,
  KNOWN_CHAINS,
  QUICKNET,
  roundAt,
  roundForStart,
} from "../../../src/core/draw/drand-chain.ts";
import { isSigned } from "../../../src/core/draw/drand-signature.ts";
import { bytesOfSignature } from "../../../src/core/draw/seed.ts";
import { bytesOfHex, hex } from "../../../src/core/hex.ts";
import { instant } from "../../../src/core/time.ts";
import {
  DEFAULT_1,
  DEFAULT_1000,
  LEAGUE_DEFAULT,
  QUICKNET_1000,
  QUICKNET_657413,
  UNCHAINED_TEST,
  WALKTHROUGH,
  WALKTHROUGH_38,
} from "../../support/drand-rounds.ts";

const PUBLISHED = [QUICKNET_1000, QUICKNET_657413, WALKTHROUGH_38, DEFAULT_1, DEFAULT_1000];

describe("[DRAW-7] signatures", () => {
  test.each(PUBLISHED)("round $round of $chain.beaconId as it was published", (recorded) => {
    expect(isSigned(recorded.chain, recorded)).toBe(true);
    expect(hex(bytesOfSignature(bytesOfHex(recorded.signature)!))).toBe(recorded.randomness);
  });

  test("a round of the unchained scheme on the other curve", () => {
    const round = {
      round: 223_344,
      signature:
        "94f6b85df7cce7237e8e7df66d794ddad092de5d8bb6a791b97e905aa89852e506ac36a792eba7021e22eebf34891f89" +
        "14bf9a8dd9233ea0a4c5ca00ef8404999f899073dd2eade61fe54077fee8168f83dcb61a758b6883b38904054e64a433",
      previousSignature: null,
    };
    expect(isSigned(UNCHAINED_TEST, round)).toBe(true);
    expect(isSigned(UNCHAINED_TEST, { ...round, round: 223_343 })).toBe(false);
  });

  test.each([
    [
      "another round's signature",
      QUICKNET,
      { ...QUICKNET_1000, signature: QUICKNET_657413.signature },
    ],
    ["another round's number", QUICKNET, { ...QUICKNET_1000, round: 1_001 }],
    ["another chain's key", WALKTHROUGH, QUICKNET_1000],
    ["another scheme", { ...QUICKNET, scheme: "pedersen-bls-unchained" as const }, QUICKNET_1000],
    [
      "another previous signature",
      LEAGUE_DEFAULT,
      { ...DEFAULT_1000, previousSignature: DEFAULT_1.signature },
    ],
    ["no previous signature", LEAGUE_DEFAULT, { ...DEFAULT_1000, previousSignature: null }],
    ["a previous signature too many", QUICKNET, { ...QUICKNET_1000, previousSignature: "00" }],
    [
      "a flipped bit",
      QUICKNET,
      { ...QUICKNET_1000, signature: QUICKNET_1000.signature.replace(/9$/, "8") },
    ],
    ["the point at infinity", QUICKNET, { ...QUICKNET_1000, signature: `c0${"00".repeat(47)}` }],
    ["what is no point", QUICKNET, { ...QUICKNET_1000, signature: "ff".repeat(48) }],
    [
      "half a signature",
      QUICKNET,
      { ...QUICKNET_1000, signature: QUICKNET_1000.signature.slice(0, 48) },
    ],
    ["nothing", QUICKNET, { ...QUICKNET_1000, signature: "" }],
    ["what is not hex", QUICKNET, { ...QUICKNET_1000, signature: "signature" }],
    ["a key that is no point", { ...QUICKNET, publicKey: "00".repeat(96) }, QUICKNET_1000],
  ])("forged by %s", (_how, chain, round) => {
    expect(isSigned(chain, round)).toBe(false);
  });
});

describe("[DRAW-8] chains", () => {
  test("are named by the hash of their key and times, as drand does it", () => {
    for (const chain of [...KNOWN_CHAINS, WALKTHROUGH]) expect(chainHashOf(chain)).toBe(chain.hash);
  });

  test.each([
    { publicKey: WALKTHROUGH.publicKey },
    { periodSeconds: 4 },
    { genesisSeconds: QUICKNET.genesisSeconds + 1 },
    { groupHash: WALKTHROUGH.groupHash },
    { beaconId: "default" },
  ])("with %j a chain has another hash", (change) => {
    expect(chainHashOf({ ...QUICKNET, ...change })).not.toBe(QUICKNET.hash);
  });

  test("what is not hex has none", () => {
    expect(chainHashOf({ ...QUICKNET, publicKey: "key" })).toBeNull();
    expect(chainHashOf({ ...QUICKNET, groupHash: "0" })).toBeNull();
  });
});

describe("[DRAW-11] the round for a start", () => {
  const first = QUICKNET.genesisSeconds * 1_000;

  test("round 1 is due at the chain's beginning, the others one after another", () => {
    expect(roundAt(QUICKNET, 1)).toBe(first);
    expect(roundAt(QUICKNET, 1_000)).toBe(1_692_806_364_000);
  });

  test.each([
    [first - 5_000, 1],
    [first - 4_999, 2],
    [first - 2_000, 2],
    [first - 1_999, 3],
    [first - 60_000, 1],
  ])("for a start at %i it is the first that is due 5 s later: %i", (startsAt, round) => {
    expect(roundForStart(QUICKNET, instant(startsAt))).toBe(round);
  });
});
