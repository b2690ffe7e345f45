import { describe, expect, test } from "vitest";
import { readFlags } from "../../../cli/launch/flags.ts";
import { refuseKeptByNpm } from "../../../cli/launch/npm-kept.ts";
import { bareWordMeant } from "../../../cli/simulate/meant.ts";
import { readSale, simulateSpecs } from "../../../cli/simulate/options.ts";
import { LIMITS } from "../../support/limits.ts";

const NAMES = Object.keys(simulateSpecs);

const read = (argv: readonly string[]) =>
  readSale(
    readFlags(argv, simulateSpecs, (word, before) => bareWordMeant(word, before, NAMES)),
    null,
    LIMITS,
  );

describe("what somebody who does not know the flags yet writes", () => {
  test.each([
    [["100000"], "--visitors 100000 (how many come) or --permits 100000"],
    [["10k"], "--visitors 10000 (how many come) or --permits 10000"],
    [["5m"], "--visit 5m (how long visits last) or --arrive 5m"],
    [["5 min"], "--visit 5m (how long visits last) or --arrive 5m"],
    [["--visit", "3", "m"], "did you mean --visit 3m?"],
    [["--visit", "3", "minutes"], "did you mean --visit 3m?"],
    [["--visitors", "100", "000"], "did you mean --visitors 100000?"],
    [["--visitors", "5", "7"], "--visitors 7 (how many come)"],
    [["rooms.json"], "did you mean --from rooms.json?"],
    [["crowd.csv"], "did you mean --arrivals crowd.csv?"],
    [["sale.html"], "did you mean --html sale.html?"],
    [["visitors=100"], "did you mean --visitors?"],
    [["help"], "did you mean --help?"],
    [["--vistors", "100"], "did you mean --visitors?"],
  ])("[SIMULATE-8] %j: the flag that was meant is named", (argv, said) => {
    expect(() => read(argv)).toThrow(said);
  });

  test.each([["zzzzzzzz"], ["-100"], ["100,5"]])(
    "[SIMULATE-8] of %s nobody knows what it means",
    (word) => {
      expect(bareWordMeant(word, null, NAMES)).toBeNull();
    },
  );

  test.each([
    ["--visitors=10k", "10000"],
    ["--visitors=1.5M", "1500000"],
    ["--visitors=1e5", "100000"],
    ["--visitors=100.000", "100000"],
    ["--visitors=100 000", "100000"],
    ["--visit=3", "3m"],
    ["--visit=3min", "3m"],
    ["--visit=90 Seconds", "90s"],
    ["--visit=1-5m", "1m..5m"],
    ["--visit=1 to 5 minutes", "1m..5m"],
    ["--visit=30s-5", "30s..5m"],
    ["--arrive=10", "10m"],
    ["--arrive=1h30", "90m"],
    ["--arrive=2 hours", "2h"],
    ["--prequeue=10", "10m"],
    ["--leave=30", "30%"],
    ["--leave=30 %", "30%"],
    ["--told=0,3", "0.3"],
    ["--shape=bursty", "burst"],
    ["--order=lifo", "fifo"],
  ])("[SIMULATE-8] %s: did you mean %s?, which is taken", (flag, meant) => {
    expect(() => read([flag])).toThrow(
      new RegExp(`; did you mean ${meant.replace(".", "\\.")}\\?$`),
    );
    const name = flag.split("=")[0] ?? "";
    const also = name === "--order" ? ["--prequeue=10m"] : [];
    expect(() => read([`${name}=${meant}`, ...also])).not.toThrow();
  });

  test.each([
    ["--visitors=-5"],
    ["--visitors=20m"],
    ["--permits=0"],
    ["--visit=5m..1m"],
    ["--visit=2 days"],
    ["--visit=1-2-3"],
    ["--arrive=ten minutes"],
    ["--arrive=9 days"],
    ["--prequeue=3"],
    ["--told=150"],
  ])("[SIMULATE-8] %s: nothing is named that would be refused as well", (flag) => {
    expect(() => read([flag])).toThrow(/^(?!.*did you mean)/);
  });
});

describe("flags without ` -- ` before them", () => {
  const keptOf = (argv: readonly string[], env: Record<string, string>) => {
    try {
      refuseKeptByNpm("npm run simulate", argv, simulateSpecs, env);
    } catch (error) {
      const { message, details } = error as { message: string; details: readonly string[] };
      return [message, ...details];
    }
    return null;
  };

  test.each([
    [[], { npm_config_visitors: "50" }, "npm run simulate -- --visitors 50"],
    [["50"], { npm_config_visitors: "true" }, "npm run simulate -- --visitors 50"],
    [[], { npm_config_from_history: "2d" }, "npm run simulate -- --from-history 2d"],
    [
      ["50", "3m"],
      { npm_config_visitors: "true", npm_config_visit: "true", npm_config_alone: "true" },
      "npm run simulate -- --visitors N --visit SPAN --alone",
    ],
  ])("[SIMULATE-8] %j with %j: how to write them is said", (argv, env, said) => {
    const [message, detail] = keptOf(argv, env) ?? [];
    expect(message).toMatch(/^npm took --/);
    expect(detail).toBe(`write " -- " before flags: ${said}`);
  });

  test("[SIMULATE-8] what npm knows itself, or knows nothing of, is no mistake", () => {
    expect(keptOf([], {})).toBeNull();
    expect(keptOf([], { npm_config_json: "true", npm_config_force: "true" })).toBeNull();
    expect(keptOf([], { npm_config_visitors: "", npm_config_cache: "/tmp" })).toBeNull();
  });

  test("[SIMULATE-8] what may be a token is not repeated", () => {
    const word = "0123456789abcdef0123";
    expect(keptOf([word], { npm_config_visitors: "true" })?.join()).not.toContain(word);
    expect(keptOf([], { npm_config_room: word })?.join()).not.toContain(word);
    expect(bareWordMeant(word, null, NAMES) ?? "").not.toContain(word);
  });
});
