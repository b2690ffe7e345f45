/** What Cloudflare asks for a sale, at published rates (November 2026, Workers Paid, beyond what is included). */
import type { RoomLimits } from "../definition.ts";
import { MINUTE_MS } from "../time.ts";
import type { SaleOutcome } from "./sale.ts";

/** Dollars. An object that is awake is charged 128 MB. */
export const PRICE = {
  workerRequest: 0.3e-6,
  objectRequest: 0.15e-6,
  row: 1e-6,
  cpuMs: 0.02e-6,
  awakeHour: 0.128 * 3_600 * 12.5e-6,
};

/**
 * What one visitor takes, as bench/tickets.ts counts it with 100 permits and short visits: whoever
 * stands in line (the page, a ticket, a socket), and whoever gets in (the claim, the visit's end).
 * A page asks for its ticket anew four times in each return window.
 */
export const TAKES = {
  joined: { requests: 3, objectCalls: 1.2, rows: 0.3, cpuMs: 1.9 },
  entered: { requests: 1, objectCalls: 1.1, rows: 0.4, cpuMs: 1.4 },
  page: { requests: 1, objectCalls: 0, rows: 0, cpuMs: 0.2 },
  poll: { requests: 1, objectCalls: 1, rows: 0, cpuMs: 0.4 },
};
const POLLS_A_WINDOW = 4;

export interface Bill {
  readonly requests: number;
  readonly objectCalls: number;
  readonly rows: number;
  readonly cpuMs: number;
  readonly awakeHours: number;
  readonly dollars: number;
}

/** @param pages requests of each visit that pass the Worker */
export const billOf = (
  outcome: Pick<SaleOutcome, "joined" | "entered" | "waitedMs" | "awakeMs">,
  { returnWindowMs }: Pick<RoomLimits, "returnWindowMs">,
  pages: number,
): Bill => {
  const polls = (outcome.waitedMs * POLLS_A_WINDOW) / returnWindowMs;
  const counts = [
    [TAKES.joined, outcome.joined],
    [TAKES.entered, outcome.entered],
    [TAKES.page, outcome.entered * pages],
    [TAKES.poll, polls],
  ] as const;
  const sum = (what: keyof (typeof TAKES)["joined"]): number =>
    counts.reduce((total, [takes, count]) => total + takes[what] * count, 0);
  const [requests, objectCalls, rows, cpuMs] = [
    sum("requests"),
    sum("objectCalls"),
    sum("rows"),
    sum("cpuMs"),
  ];
  const awakeHours = outcome.awakeMs / (60 * MINUTE_MS);
  const dollars =
    requests * PRICE.workerRequest +
    objectCalls * PRICE.objectRequest +
    rows * PRICE.row +
    cpuMs * PRICE.cpuMs +
    awakeHours * PRICE.awakeHour;
  return { requests, objectCalls, rows, cpuMs, awakeHours, dollars };
};
