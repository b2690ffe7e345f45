/** What `npm run verify-draw` says of a record. */
import type { Finding, Verdict } from "../../src/core/draw/examine.ts";
import { DrawnOrder } from "../../src/core/draw/drawn-order.ts";
import type { DrawRecord } from "../../src/core/draw/record.ts";
import { bytesOfHex } from "../../src/core/hex.ts";
import type { TicketNumber } from "../../src/core/ids.ts";
import { invariant } from "../../src/core/invariant.ts";
import { Failure } from "../launch/failure.ts";

const MARKS: Readonly<Record<Verdict, string>> = { holds: "ok  ", look: "look", fails: "FAIL" };

const digits = (n: number): string => n.toLocaleString("en-US");

/** A line each: whose draw, then what was found. */
export const reportOf = (
  { room, event, closed }: DrawRecord,
  findings: readonly Finding[],
): readonly string[] => [
  `draw of ${JSON.stringify(event)} in the room ${JSON.stringify(room)}` +
    (closed === null
      ? ", which is open still"
      : `, numbers ${digits(closed.first)} to ${digits(closed.last)}`),
  ...findings.map(({ verdict, says }) => `${MARKS[verdict]}  ${says}`),
];

/** Null: the draw holds. */
export const outcomeOf = (findings: readonly Finding[]): Failure | null => {
  const failed = findings.filter(({ verdict }) => verdict === "fails");
  if (failed.length === 0) return null;
  return new Failure(
    "draw-fails",
    `the draw does not hold: ${failed.map(({ of }) => of).join(", ")}`,
    ["nothing is said of ranks, since they would prove nothing"],
  );
};

/** For a record that holds, and so has its draw. */
export const rankLine = ({ closed, drawn }: DrawRecord, number: TicketNumber): string => {
  const seed = bytesOfHex(drawn?.seed ?? "");
  invariant(closed !== null && seed !== null, "only a draw that was held has ranks");
  const order = new DrawnOrder(seed, closed);
  const rank = order.rankOf(number);
  if (rank !== null)
    return `number ${digits(number)} has rank ${digits(rank)} of ${digits(order.size)}`;
  return number < closed.first
    ? `number ${digits(number)} is not in the draw: it was in line before it`
    : `number ${digits(number)} is not in the draw: it came later, and follows in its order`;
};
