import { describe, expect, test } from "vitest";
import { KNOWN_CHAINS } from "../../../src/core/draw/drand-chain.ts";
import { examine, type ExamineOptions } from "../../../src/core/draw/examine.ts";
import { outcomeOf, publicBytesOf, type DrawRecord } from "../../../src/core/draw/record.ts";
import { commitmentOf, seedOf } from "../../../src/core/draw/seed.ts";
import { bytesOfHex, hex } from "../../../src/core/hex.ts";
import { after, instant } from "../../../src/core/time.ts";
import {
  QUICKNET_1000,
  QUICKNET_657413,
  WALKTHROUGH,
  WALKTHROUGH_38,
} from "../../support/drand-rounds.ts";
import { CLOSED, DRAWN, drawnWith, SECRET, valueOf } from "../../support/draw-record.ts";

const OPTIONS: ExamineOptions = { earlier: CLOSED, chains: KNOWN_CHAINS };
const failuresOf = (record: DrawRecord, options: ExamineOptions = OPTIONS) =>
  examine(record, options)
    .filter(({ verdict }) => verdict === "fails")
    .map(({ of }) => of);

const announced = (change: Partial<DrawRecord["announced"]>): typeof CLOSED => ({
  ...CLOSED,
  announced: { ...CLOSED.announced, ...change },
});

/** Python: sha256(bytes(range(255, 223, -1))), and sha256 of that secret and sha256(signature). */
const COMMITMENT = "1865c00831e73f7ee23fc13cb2d0f588b9c341835ca7472f8ec035aba4b789d6";
const SEED = "6651ed2e94dbd74b24ee9c686197eae707ae6a6b3144c26eb3fd4ff740475c59";

describe("[DRAW-6] the seed", () => {
  test("is the hash of the secret and of the round's randomness", () => {
    expect(commitmentOf(SECRET)).toBe(COMMITMENT);
    expect(DRAWN.drawn?.seed).toBe(SEED);
    expect(hex(publicBytesOf(valueOf(QUICKNET_1000)))).toBe(QUICKNET_1000.randomness);
  });

  test("or of the hash of a text, as it was entered", () => {
    const text = publicBytesOf({ from: "witnesses", text: "4 8 15 16 23 42 ✓" });
    expect(hex(text)).toBe("e69cb33d1ddb10b203671f1625f5c8db18c98434336bb0b9a1565c00f850c1be");
    expect(seedOf(SECRET, text)).not.toEqual(
      seedOf(SECRET, publicBytesOf({ from: "witnesses", text: "" })),
    );
  });

  test("takes a secret and a value of 32 bytes, and nothing else", () => {
    expect(() => commitmentOf(new Uint8Array(31))).toThrow("32 bytes");
    expect(() => seedOf(new Uint8Array(33), SECRET)).toThrow("32 bytes");
    expect(() => seedOf(SECRET, new Uint8Array(0))).toThrow("32 bytes");
  });

  test("no draw comes before the end of joining", () => {
    const early = after(CLOSED.closed.at, -1);
    expect(() => outcomeOf(CLOSED.closed, hex(SECRET), valueOf(QUICKNET_1000), early)).toThrow(
      "end of joining",
    );
  });
});

describe("[DRAW-9] a record", () => {
  test("that is as it should be holds in every part", () => {
    const found = examine(DRAWN, OPTIONS);
    expect(found.map(({ verdict }) => verdict)).toEqual(found.map(() => "holds"));
    expect(found.map(({ of }) => of)).toEqual([
      "earlier",
      "time",
      "chain",
      "commitment",
      "public-value",
      "signature",
      "seed",
    ]);
  });

  const other = { ...DRAWN.drawn!, secret: hex(new Uint8Array(32)) };
  test.each<[string, DrawRecord, string[]]>([
    ["another secret", { ...DRAWN, drawn: other }, ["commitment", "seed"]],
    [
      "another secret, with its seed",
      drawnWith(valueOf(QUICKNET_1000), CLOSED, new Uint8Array(32)),
      ["commitment"],
    ],
    ["a secret too short", { ...DRAWN, drawn: { ...other, secret: "00" } }, ["commitment", "seed"]],
    ["another seed", { ...DRAWN, drawn: { ...DRAWN.drawn!, seed: "0".repeat(64) } }, ["seed"]],
    ["another round", drawnWith(valueOf(QUICKNET_657413)), ["public-value"]],
    [
      "a forged signature",
      drawnWith(valueOf({ ...QUICKNET_1000, signature: QUICKNET_657413.signature })),
      ["signature"],
    ],
    [
      "a signature that is no hex",
      drawnWith(valueOf({ ...QUICKNET_1000, signature: "none" })),
      ["signature"],
    ],
    ["nothing drawn yet", CLOSED, ["seed"]],
    ["numbers that are gone again", { ...CLOSED, closed: null }, ["earlier", "seed"]],
  ])("with %s fails there and nowhere else", (_what, record, failures) => {
    expect(failuresOf(record)).toEqual(failures);
  });

  test("with everything wrong says everything", () => {
    const wrong = {
      ...drawnWith(valueOf({ ...QUICKNET_657413, signature: "00" })),
      announced: { ...CLOSED.announced, at: after(CLOSED.announced.startsAt, 1) },
    };
    expect(failuresOf({ ...wrong, drawn: other })).toEqual([
      "earlier",
      "time",
      "commitment",
      "seed",
    ]);
    expect(failuresOf(wrong)).toEqual(["earlier", "time", "public-value", "signature"]);
  });
});

describe("[DRAW-8] a chain", () => {
  const walk = announced({ publicValue: { from: "drand", chain: WALKTHROUGH, round: 38 } });
  const started = {
    ...walk,
    announced: { ...walk.announced, startsAt: instant(0), at: instant(0) },
  };
  const closed = { ...started, closed: { ...CLOSED.closed, at: instant(0) } };
  const record = drawnWith(valueOf(WALKTHROUGH_38), closed);

  test("that the reader does not know fails, whatever it signs", () => {
    expect(failuresOf(record, { ...OPTIONS, earlier: null })).toEqual(["chain"]);
  });

  test("holds once the reader names it", () => {
    const chains = [...KNOWN_CHAINS, WALKTHROUGH];
    expect(failuresOf(record, { earlier: null, chains })).toEqual([]);
  });

  test("with a key of the operator's own under a known hash fails", () => {
    const chain = { ...WALKTHROUGH, hash: KNOWN_CHAINS[0]!.hash };
    const forged = {
      ...closed,
      announced: { ...closed.announced, publicValue: { from: "drand", chain, round: 38 } },
    } as const;
    expect(
      failuresOf(drawnWith(valueOf(WALKTHROUGH_38), forged), { ...OPTIONS, earlier: null }),
    ).toEqual(["chain"]);
  });

  test("signs by its own scheme only", () => {
    const chain = { ...KNOWN_CHAINS[0]!, scheme: "pedersen-bls-unchained" } as const;
    const changed = announced({ publicValue: { from: "drand", chain, round: 1_000 } });
    const findings = failuresOf(drawnWith(valueOf(QUICKNET_1000), changed), {
      ...OPTIONS,
      earlier: null,
    });
    expect(findings).toEqual(["chain", "signature"]);
  });
});

describe("[DRAW-10] a public value", () => {
  const witnessed = announced({ publicValue: { from: "witnesses" } });

  test("that was entered is for the witnesses to compare", () => {
    const record = drawnWith({ from: "witnesses", text: "red 7" }, witnessed);
    const found = examine(record, { ...OPTIONS, earlier: null });
    expect(found.filter(({ verdict }) => verdict === "fails")).toEqual([]);
    expect(found.find(({ of }) => of === "public-value")).toMatchObject({
      verdict: "look",
      says: expect.stringContaining('"red 7"') as string,
    });
  });

  test("that could not be had fails the draw, and the record says why", () => {
    const record = drawnWith({ from: "none", reason: "no relay answered" });
    expect(failuresOf(record)).toEqual(["public-value"]);
    expect(JSON.stringify(examine(record, OPTIONS))).toContain("no relay answered");
  });

  test("without one the seed is still not what was announced", () => {
    expect(drawnWith({ from: "none", reason: "" }).drawn?.seed).not.toBe(commitmentOf(SECRET));
  });

  test.each<[string, DrawRecord]>([
    ["entered, where drand was announced", drawnWith({ from: "witnesses", text: "red 7" })],
    ["drand's, where witnesses were announced", drawnWith(valueOf(QUICKNET_1000), witnessed)],
  ])("%s, fails", (_what, record) => {
    expect(failuresOf(record, { ...OPTIONS, earlier: null })).toEqual(["public-value"]);
  });
});

describe("[DRAW-11] moments", () => {
  const { startsAt } = CLOSED.announced;
  const dueAt = after(startsAt, 6_000);
  test.each([
    ["announced after the start", { at: after(startsAt, 1) }, {}, ["time"]],
    ["announced at the start", { at: startsAt }, {}, []],
    ["joining ended before the start", {}, { at: after(startsAt, -1) }, ["time"]],
    ["joining ended as the round was due", {}, { at: dueAt }, []],
    ["joining ended after the round was due", {}, { at: after(dueAt, 1) }, ["time"]],
  ])("%s", (_when, announcement, closing, failures) => {
    const closed = { ...CLOSED.closed, ...closing };
    const record = drawnWith(valueOf(QUICKNET_1000), { ...announced(announcement), closed });
    expect(failuresOf(record, { ...OPTIONS, earlier: null })).toEqual(failures);
  });

  test("drawn before the round was due", () => {
    const record = { ...DRAWN, drawn: { ...DRAWN.drawn!, at: after(dueAt, -1) } };
    expect(failuresOf(record)).toEqual(["time"]);
  });
});

describe("[DRAW-12] the record as it was before", () => {
  test("without it the reader is told to look", () => {
    const [found] = examine(DRAWN, { ...OPTIONS, earlier: null });
    expect(found).toMatchObject({ of: "earlier", verdict: "look" });
    expect(found?.says).toContain(DRAWN.announced.commitment);
  });

  test("from before the end of joining it binds the announcement alone", () => {
    expect(failuresOf(DRAWN, { ...OPTIONS, earlier: { ...CLOSED, closed: null } })).toEqual([]);
  });

  test.each<[string, DrawRecord]>([
    ["another room", { ...CLOSED, room: "other" }],
    ["another event", { ...CLOSED, event: "other" }],
    ["another commitment", announced({ commitment: "0".repeat(64) })],
    ["witnesses", announced({ publicValue: { from: "witnesses" } })],
    ["fewer numbers", { ...CLOSED, closed: { ...CLOSED.closed, last: CLOSED.closed.first } }],
  ])("with %s the draw fails", (_what, earlier) => {
    expect(failuresOf(DRAWN, { ...OPTIONS, earlier })).toEqual(["earlier"]);
  });
});

test("[DRAW-6] hex is two lower-case digits a byte, both ways", () => {
  expect(bytesOfHex("00ff7a")).toEqual(Uint8Array.of(0, 255, 122));
  expect(["0", "FF", "zz", "0x00"].map(bytesOfHex)).toEqual([null, null, null, null]);
});
