/**
 * What a Room learns of waits, in one place: it feeds the forecast from what happens in the room,
 * and keeps the latest table. The step calls it; how a wait is worded is for lobbies and pages.
 */
import type { TicketNumber } from "../ids.ts";
import type { HeldPermit, Permit } from "../permits/permit.ts";
import type { Outlook } from "../ring/outlook.ts";
import { SECOND_MS } from "../time.ts";
import type { InstantMs } from "../time.ts";
import type { EtaUnknown, WaitTable } from "./eta.ts";
import type { ForecastInput } from "./forecast.ts";
import { ForecastCheck } from "./forecast-check.ts";
import { LineFlow } from "./line-flow.ts";
import type { LineFlowState } from "./line-flow.ts";
import { startsAhead } from "./starts.ts";
import type { StartFigures } from "./starts.ts";
import { VisitLengths } from "./visit-lengths.ts";
import type { VisitLengthsState } from "./visit-lengths.ts";
import { waitTable } from "./wait-table.ts";

/** How long one table is used; in a room with very many permits it is longer. */
const TABLE_MS = SECOND_MS;
const PERMITS_PER_MS = 20;

export interface EstimatorState {
  readonly lengths: VisitLengthsState;
  readonly flow: LineFlowState;
}

/** What the estimator needs to know of a room each time that it makes a table. */
export interface RoomFigures {
  readonly permits: Iterable<{ readonly permit: Permit }>;
  readonly permitsMax: number;
  readonly waiting: number;
  /** False in a room of requests: nobody leaves its line for good. */
  readonly leaves: boolean;
  /** No visit lasts longer; Infinity where activity prolongs it. */
  readonly longestMs: number;
  readonly startFigures: StartFigures;
  readonly unknown: EtaUnknown | null;
  readonly outlook: Outlook;
}

/** Learns how a room's line moves, and tells those who wait how long it takes. */
export class Estimator {
  readonly lengths: VisitLengths;
  readonly flow: LineFlow;
  readonly forecastCheck = new ForecastCheck();
  #table: WaitTable | null = null;
  #input: ForecastInput | null = null;
  #servesUntil = 0;

  constructor(lengths = new VisitLengths(), flow = new LineFlow()) {
    this.lengths = lengths;
    this.flow = flow;
  }

  static restore(state: EstimatorState | null): Estimator {
    return new Estimator(
      VisitLengths.restore(state?.lengths ?? null),
      LineFlow.restore(state?.flow ?? null),
    );
  }

  toJSON(): EstimatorState {
    return { lengths: this.lengths.toJSON(), flow: this.flow.toJSON() };
  }

  /** Drops what was forecast: the limits, or what the operator wants, have changed. */
  forget(): void {
    this.forecastCheck.clear();
    this.#table = null;
  }

  /** What the latest table was made of. */
  get input(): ForecastInput | null {
    return this.#input;
  }

  /** The table that was made last, if any: to look without making one. */
  get latest(): WaitTable | null {
    return this.#table;
  }

  /** `figures` are asked for only when a new table is due. */
  table(figures: () => RoomFigures, now: InstantMs): WaitTable {
    if (this.#table !== null && now < this.#servesUntil) return this.#table;
    const asked = figures();
    const outset = this.#outset(asked, now);
    this.#input = outset;
    this.#table = waitTable(outset, asked.waiting, asked.unknown, asked.outlook);
    const out = outset.agesMs.length + outset.calledForMs.length;
    this.#servesUntil = now + Math.max(TABLE_MS, out / PERMITS_PER_MS);
    return this.#table;
  }

  #outset(figures: RoomFigures, now: InstantMs): ForecastInput {
    const visits: { readonly visit: TicketNumber; readonly ageMs: number }[] = [];
    const endsInMs: number[] = [];
    const calledForMs: number[] = [];
    for (const { permit } of figures.permits) {
      if (permit.state === "called") calledForMs.push(now - permit.calledAt);
      else if (isReleased(permit)) endsInMs.push(permit.endsAt - now);
      else visits.push({ visit: permit.number, ageMs: now - permit.startedAt });
    }
    const { flow } = this;
    return {
      permitsMax: figures.permitsMax,
      agesMs: visits.map(({ ageMs }) => ageMs),
      endsInMs,
      calledForMs,
      survival: this.lengths.survival(visits, figures.longestMs),
      claimMs: flow.claimMs,
      callsPerEntry: flow.callsPerEntry,
      leavingPerMs: figures.leaves ? flow.leavingPerMs : 0,
      starts: startsAhead(figures.startFigures),
    };
  }
}

/** The origin has said when the visit ends. */
const isReleased = (permit: HeldPermit): permit is HeldPermit & { readonly endsAt: InstantMs } =>
  permit.released && permit.endsAt !== null;
