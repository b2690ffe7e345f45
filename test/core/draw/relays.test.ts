import { expect, test } from "vitest";
import { drandRelays, roundFrom, ROUND_LENGTH_MAX } from "../../../src/core/draw/drand-relays.ts";
import { QUICKNET_1000 } from "../../support/drand-rounds.ts";

test.each([
  [undefined, ["https://drand.cloudflare.com"]],
  ["", ["https://drand.cloudflare.com"]],
  ["http://127.0.0.1:9/", ["http://127.0.0.1:9"]],
  ["https://a.example/drand, https://b.example", ["https://a.example/drand", "https://b.example"]],
  ["a.example", null],
  ["ftp://a.example", null],
  ["https://a.example?x", null],
  [Array.from({ length: 9 }, () => "https://a.example").join(","), null],
])("[DRAW-22] the relays of %j are %j", (text, relays) => {
  expect(drandRelays(text)).toEqual(relays);
});

const { round, signature } = QUICKNET_1000;
const told = { round, signature, randomness: "00" };
const read = { round, signature, previousSignature: null };

test.each([
  [told, read],
  [{ ...told, previous_signature: "" }, read],
  [
    { ...told, previous_signature: "ab" },
    { ...read, previousSignature: "ab" },
  ],
  [{ ...told, previous_signature: 7 }, null],
  [{ ...told, signature: "AB" }, null],
  [{ ...told, signature: "ab".repeat(97) }, null],
  [{ ...told, round: 0 }, null],
  [{ ...told, round: "1000" }, null],
  [[], null],
  [null, null],
])("[DRAW-22] of an answer %j is taken %j, and nothing throws", (answer, taken) => {
  expect(roundFrom(JSON.stringify(answer))).toEqual(taken);
});

test("[DRAW-22] an answer that is too long, or is not JSON, is none", () => {
  const text = JSON.stringify(told);
  expect(roundFrom(text.padEnd(ROUND_LENGTH_MAX))).toEqual(read);
  expect(roundFrom(text.padEnd(ROUND_LENGTH_MAX + 1))).toBeNull();
  expect(roundFrom(text.slice(1))).toBeNull();
});
