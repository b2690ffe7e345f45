/** What Cloudflare asks for a sale, at published rates (November 2026, Workers Paid, beyond what is included). */
import type { RoomLimits } from "../definition.ts";
import { MINUTE_MS } from "../time.ts";
import { MEASURED } from "./measured.ts";
import type { SaleOutcome } from "./sale.ts";

/** Dollars. An object that is awake is charged 128 MB. */
export const PRICE = {
  workerRequest: 0.3e-6,
  objectRequest: 0.15e-6,
  row: 1e-6,
  cpuMs: 0.02e-6,
  awakeHour: 0.128 * 3_600 * 12.5e-6,
};

const { requests, objectCalls, rows, cpuMs, requestCpuMs } = MEASURED;

/** What joining and entering share by halves. */
const bothCalls = (objectCalls.batches + objectCalls.others) / 2;
const bothRows = (rows.journal + rows.others) / 2;
/** Processor time of each request that is no look at a page inside. */
const ownCpuMs =
  (cpuMs - requests.inside * requestCpuMs.inside) / (requests.joining + requests.entering);

/** A socket is one request of its lobby. */
const SOCKET_CALLS = 1;

/**
 * What one visitor takes: whoever is turned away, whoever stands in line (the page, a ticket, a socket), and whoever gets in
 * (the claim, the visit's end). A page asks for its ticket anew four times in each return window.
 */
export const TAKES = {
  joined: {
    requests: requests.joining,
    objectCalls: objectCalls.joining + bothCalls,
    rows: bothRows,
    cpuMs: requests.joining * ownCpuMs,
  },
  entered: {
    requests: requests.entering,
    objectCalls: objectCalls.entering + bothCalls,
    rows: bothRows,
    cpuMs: requests.entering * ownCpuMs,
  },
  /** The page, and a ticket that is refused: no socket and no place. */
  refused: {
    requests: requests.joining - 1,
    objectCalls: objectCalls.joining - SOCKET_CALLS + bothCalls,
    rows: 0,
    cpuMs: (requests.joining - 1) * ownCpuMs,
  },
  page: { requests: 1, objectCalls: 0, rows: 0, cpuMs: requestCpuMs.inside },
  poll: { requests: 1, objectCalls: 1, rows: 0, cpuMs: requestCpuMs.ticket },
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
  outcome: Pick<SaleOutcome, "joined" | "entered" | "refused" | "waitedMs" | "awakeMs">,
  { returnWindowMs }: Pick<RoomLimits, "returnWindowMs">,
  pages: number,
): Bill => {
  const polls = (outcome.waitedMs * POLLS_A_WINDOW) / returnWindowMs;
  const counts = [
    [TAKES.joined, outcome.joined],
    [TAKES.entered, outcome.entered],
    [TAKES.refused, Object.values(outcome.refused).reduce((all, count) => all + count, 0)],
    [TAKES.page, outcome.entered * pages],
    [TAKES.poll, polls],
  ] as const;
  const sum = (what: keyof (typeof TAKES)["joined"]): number =>
    counts.reduce((total, [takes, count]) => total + takes[what] * count, 0);
  const items = {
    requests: sum("requests"),
    objectCalls: sum("objectCalls"),
    rows: sum("rows"),
    cpuMs: sum("cpuMs"),
    awakeHours: outcome.awakeMs / (60 * MINUTE_MS),
  };
  const dollars =
    items.requests * PRICE.workerRequest +
    items.objectCalls * PRICE.objectRequest +
    items.rows * PRICE.row +
    items.cpuMs * PRICE.cpuMs +
    items.awakeHours * PRICE.awakeHour;
  return { ...items, dollars };
};
