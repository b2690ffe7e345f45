import fc from "fast-check";
import { expect, test } from "vitest";
import { entitle } from "../../../src/core/strangers/entitle.ts";
import type {
  Entitlement,
  RoomAsks,
  StrangerFacts,
  TurnstileVerdict,
} from "../../../src/core/strangers/entitle.ts";

const VERDICTS: readonly TurnstileVerdict[] = [
  "none",
  "passed",
  "failed",
  "unreachable",
  "overload",
];
const asks = (turnstile: RoomAsks["turnstile"], work: boolean): RoomAsks => ({ turnstile, work });
const brings = (change: Partial<StrangerFacts> = {}): StrangerFacts => ({
  turnstile: "none",
  isSolved: false,
  hasWaited: false,
  ...change,
});

test.each<[RoomAsks["turnstile"], boolean, readonly Entitlement[]]>([
  [null, false, ["ticket", "ticket", "ticket", "ticket", "ticket"]],
  ["log", false, ["ticket", "ticket", "ticket", "ticket", "ticket"]],
  [null, true, ["puzzle", "puzzle", "puzzle", "puzzle", "puzzle"]],
  ["log", true, ["puzzle", "puzzle", "puzzle", "puzzle", "puzzle"]],
  ["infinite_queue", false, ["wait", "ticket", "wait", "ticket", "again"]],
  ["infinite_queue", true, ["puzzle", "ticket", "puzzle", "puzzle", "again"]],
])("[TURNSTILE-6] Turnstile %s, work %s: by verdict %j", (turnstile, work, expected) => {
  const found = VERDICTS.map((verdict) =>
    entitle(asks(turnstile, work), brings({ turnstile: verdict })),
  );
  expect(found).toEqual(expected);
});

test("[TURNSTILE-6] work that is done, or waited for, is enough where work is asked, and nothing elsewhere", () => {
  for (const done of [{ isSolved: true }, { hasWaited: true }]) {
    expect(entitle(asks("infinite_queue", true), brings(done))).toBe("ticket");
    expect(entitle(asks("log", true), brings(done))).toBe("ticket");
    expect(entitle(asks("infinite_queue", false), brings(done))).toBe("wait");
  }
});

test("[TURNSTILE-6] bringing more never gets less, but where tokens are too many", () => {
  const verdict = fc.constantFrom(...VERDICTS.filter((one) => one !== "overload"));
  const turnstile = fc.constantFrom(null, "log" as const, "infinite_queue" as const);
  fc.assert(
    fc.property(turnstile, fc.boolean(), verdict, (mode, work, told) => {
      const room = asks(mode, work);
      const least = entitle(room, brings({ turnstile: told }));
      const most = entitle(room, { turnstile: told, isSolved: true, hasWaited: true });
      if (least === "ticket") expect(most).toBe("ticket");
      if (work) expect(most).toBe("ticket");
    }),
  );
});
