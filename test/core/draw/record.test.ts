import { describe, expect, test } from "vitest";
import { drawResource, parseChainText, parseRecordText } from "../../../src/api/draws/record.ts";
import { QUICKNET } from "../../../src/core/draw/drand-chain.ts";
import { DEFAULT_1000, LEAGUE_DEFAULT } from "../../support/drand-rounds.ts";
import { CLOSED, DRAWN, drawnWith, valueOf } from "../../support/draw-record.ts";

/** As drand's relays answer GET /{chain hash}/info. */
const INFO = {
  public_key: QUICKNET.publicKey,
  period: 3,
  genesis_time: 1_692_803_367,
  hash: QUICKNET.hash,
  groupHash: QUICKNET.groupHash,
  schemeID: "bls-unchained-g1-rfc9380",
  metadata: { beaconID: "quicknet" },
};

const problemsOf = (record: unknown): readonly string[] => {
  const parsed = parseRecordText(typeof record === "string" ? record : JSON.stringify(record));
  return parsed.ok ? [] : parsed.problems;
};

describe("[DRAW-13] the record", () => {
  const chained = {
    ...CLOSED,
    announced: {
      ...CLOSED.announced,
      publicValue: { from: "drand", chain: LEAGUE_DEFAULT, round: 1_000 },
    },
  } as const;

  test.each([
    { ...CLOSED, closed: null },
    CLOSED,
    DRAWN,
    drawnWith(valueOf(DEFAULT_1000), chained),
    drawnWith({ from: "none", reason: "no relay answered" }),
    drawnWith(
      { from: "witnesses", text: "red 7" },
      { ...CLOSED, announced: { ...CLOSED.announced, publicValue: { from: "witnesses" } } },
    ),
  ])("is read as it was written: %#", (record) => {
    const json = JSON.stringify(drawResource(record));
    expect(parseRecordText(json)).toEqual({ ok: true, value: record });
  });

  test("names its fields as the API does", () => {
    expect(drawResource(DRAWN)).toEqual({
      room: "shop",
      event: "699d98642c564d2e855e9661899b7252",
      announced: {
        at: "2023-08-23T14:59:18.000Z",
        starts_at: "2023-08-23T15:59:18.000Z",
        commitment: DRAWN.announced.commitment,
        public_value: { from: "drand", chain: INFO, round: 1_000 },
      },
      closed: { at: "2023-08-23T15:59:18.200Z", first: 101, last: 4_100 },
      drawn: {
        at: "2023-08-23T15:59:25.000Z",
        secret: DRAWN.drawn?.secret,
        public_value: {
          from: "drand",
          round: 1_000,
          signature: DRAWN.drawn?.publicValue.from === "drand" && DRAWN.drawn.publicValue.signature,
          previous_signature: null,
        },
        seed: DRAWN.drawn?.seed,
      },
    });
  });

  test("with problems tells all of them, each with its place", () => {
    const { closed, ...resource } = drawResource(DRAWN);
    const wrong = {
      ...resource,
      room: 7,
      extra: true,
      announced: { ...resource.announced, commitment: "ABC", starts_at: "tomorrow" },
      closed: { ...closed, first: 0 },
    };
    expect(problemsOf(wrong).map((problem) => problem.split(" ")[0])).toEqual([
      "room",
      "announced.starts_at",
      "announced.commitment",
      "closed.first",
      "extra",
    ]);
  });

  test.each([
    ["no JSON", '{"room": }', "line 1, column 10 is not JSON"],
    ["too long a text", JSON.stringify("x".repeat(20_000)), "is longer than 20000 characters"],
    ["a list", "[]", "must be an object"],
    ["nothing", "", "line 1, column 1 is not JSON"],
    [
      "numbers the wrong way round",
      JSON.stringify({
        ...drawResource(CLOSED),
        closed: { ...drawResource(CLOSED).closed, last: 100 },
      }),
      "closed.last must not be below first",
    ],
    [
      "a draw of no numbers",
      JSON.stringify({ ...drawResource(DRAWN), closed: null }),
      "closed is required where drawn is given",
    ],
    [
      "a name that is none",
      JSON.stringify(drawResource(DRAWN)).replace('"event"', '"__proto__":{},"event"'),
      "__proto__ can't be the name of a setting",
    ],
  ])("that is %s is refused", (_what, json, problem) => {
    expect(problemsOf(json)).toContainEqual(expect.stringContaining(problem));
  });

  test("a value from elsewhere is refused", () => {
    const resource = drawResource(DRAWN);
    const dice = { ...resource, drawn: { ...resource.drawn, public_value: { from: "dice" } } };
    expect(problemsOf(dice)).toEqual([
      'drawn.public_value.from must have "from": "drand", "witnesses" or "none", and what belongs to it',
    ]);
  });
});

test("[DRAW-8] a chain is read from what drand's relays answer, and more may be told of it", () => {
  expect(parseChainText(JSON.stringify({ ...INFO, more: 1 }))).toEqual({
    ok: true,
    value: QUICKNET,
  });
  const parsed = parseChainText(JSON.stringify({ ...INFO, schemeID: "bls-bn254-unchained-on-g1" }));
  expect(parsed).toMatchObject({
    ok: false,
    problems: [expect.stringMatching(/^schemeID must be/)],
  });
});
