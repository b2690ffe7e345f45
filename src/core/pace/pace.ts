/**
 * All that may lower a room's limits beside its operator: two signals, from the API and from the
 * origin's answers, and what adapts to the origin. Which limits follow from it is for the Room.
 */
import type { RoomLimits } from "../definition.ts";
import type { OriginReport } from "../edge-report.ts";
import { after, earliest, instant, isOver, SECOND_MS, type InstantMs } from "../time.ts";
import { Adaptive, type AdaptiveChange, type AdaptiveState, type Load } from "./adaptive.ts";
import { bothHold, limitsUnder, NO_CEILINGS, type Ceilings } from "./ceilings.ts";
import { ceilingsOf, type PaceSignal } from "./signal.ts";

/** What the operator has set of it. */
export interface PaceSettings {
  readonly adaptive: boolean;
  /** Adaptive never goes below it; null: a tenth of P. */
  readonly leastPermits: number | null;
  /** What a room that a signal closes says; null: a word of our own. */
  readonly soldOut: string | null;
}

export const NO_PACE: PaceSettings = { adaptive: false, leastPermits: null, soldOut: null };
const SOLD_OUT = "Sold out.";

export type SignalSource = "api" | "origin";
/** operator: by taking it back, or by opening the room */
export type PaceSource = SignalSource | "adaptive" | "operator";

/** One change of the limits in effect, and why. */
export interface PaceChange {
  readonly at: InstantMs;
  readonly source: PaceSource;
  readonly reason: string;
  /** The limits in effect from then on, and whether a signal has closed the room. */
  readonly permitsMax: number;
  readonly startsPerSecondMax: number | null;
  readonly startsPerMinuteMax: number;
  readonly isClosed: boolean;
}

/** So many are kept, the latest. */
export const PACE_CHANGES_MAX = 50;

/** One row. */
export interface StoredPace {
  readonly settings: PaceSettings;
  readonly api: PaceSignal | null;
  readonly origin: PaceSignal | null;
  readonly adaptive: AdaptiveState | null;
  readonly closedBy: SignalSource | null;
  readonly changes: readonly PaceChange[];
}

/** The room as it is without any pace: its limits are the operator's, or those of the event that is on. */
export interface PacedRoom extends Pick<Load, "out" | "isWanted"> {
  readonly limits: RoomLimits;
}

/** A visit's first requests are its heaviest: at most this share of P begins in a second while it is lowered. */
const STARTS_SHARE = 1 / 4;
/** Of P: the least that adapting leaves where the operator has said nothing. */
const LEAST_SHARE = 1 / 10;
/** A stock that runs down is one change in so long, with the limits that it has come to. */
const ONE_CHANGE_MS = 10 * SECOND_MS;
/** How much of a signal's life a crash may take from it. */
const REWRITE_MS = 15 * SECOND_MS;

export class Pace {
  #settings: PaceSettings;
  #signals: Record<SignalSource, PaceSignal | null>;
  #adaptive: Adaptive | null;
  #closedBy: SignalSource | null;
  #changes: PaceChange[];
  /** The next signal's end; null without one. */
  #endsAt: InstantMs | null;
  #savedAt = instant(0);
  #wakesAt: InstantMs | null = null;
  isUnsaved = false;

  constructor(stored: StoredPace | null = null) {
    this.#settings = stored?.settings ?? NO_PACE;
    this.#signals = { api: stored?.api ?? null, origin: stored?.origin ?? null };
    this.#adaptive = this.#settings.adaptive ? new Adaptive(stored?.adaptive ?? null) : null;
    this.#closedBy = stored?.closedBy ?? null;
    this.#changes = [...(stored?.changes ?? [])];
    this.#endsAt = this.#nextEnd();
  }

  get settings(): PaceSettings {
    return this.#settings;
  }

  /**
   * Not later than the next end of a signal. Earlier where it has been put off since: an alarm that is
   * set anew with each answer of the origin would cost a row each time.
   */
  wakeAt(now: InstantMs): InstantMs | null {
    const endsAt = this.#endsAt;
    const isKept =
      this.#wakesAt !== null && endsAt !== null && now < this.#wakesAt && this.#wakesAt <= endsAt;
    if (!isKept) this.#wakesAt = endsAt;
    return this.#wakesAt;
  }

  get signals(): Readonly<Record<SignalSource, PaceSignal | null>> {
    return this.#signals;
  }

  get adaptive(): Adaptive | null {
    return this.#adaptive;
  }

  get closedBy(): SignalSource | null {
    return this.#closedBy;
  }

  get changes(): readonly PaceChange[] {
    return this.#changes;
  }

  /** The text with which a signal has closed the room; null while none has. */
  get soldOut(): string | null {
    return this.#closedBy === null ? null : (this.#settings.soldOut ?? SOLD_OUT);
  }

  /** Of the signals alone. */
  get signalled(): Ceilings {
    const { api, origin } = this.#signals;
    const of = (signal: PaceSignal | null) => (signal === null ? NO_CEILINGS : ceilingsOf(signal));
    return bothHold(of(api), of(origin));
  }

  /** Of each source that may lower something now, its last reason. */
  get because(): readonly string[] {
    const { api, origin } = this.#signals;
    const found = this.#changes.findLast(({ source }) => source === "adaptive");
    const adapting = (this.#adaptive?.ceiling ?? null) === null ? undefined : found?.reason;
    const reasons = [api?.reason, origin?.reason, adapting];
    return reasons.filter((reason) => reason !== undefined);
  }

  /** The limits in effect. */
  lowered(limits: RoomLimits): RoomLimits {
    return limitsUnder(limits, this.#ceilings(limits.permit), this.soldOut);
  }

  #ceilings(permit: RoomLimits["permit"]): Ceilings {
    const permitsMax = this.#adaptive?.ceiling ?? null;
    if (permitsMax === null) return this.signalled;
    const startsPerSecondMax = permit === "visit" ? Math.ceil(permitsMax * STARTS_SHARE) : null;
    return bothHold(this.signalled, { ...NO_CEILINGS, permitsMax, startsPerSecondMax });
  }

  toJSON(): StoredPace {
    const { api, origin } = this.#signals;
    const adaptive = this.#adaptive?.toJSON() ?? null;
    const closedBy = this.#closedBy;
    return { settings: this.#settings, api, origin, adaptive, closedBy, changes: this.#changes };
  }

  /** New settings. `isOpened`: the operator has opened what was closed. */
  configure(settings: PaceSettings, isOpened: boolean, room: PacedRoom, now: InstantMs): void {
    const before = this.#settings;
    const isSame =
      before.adaptive === settings.adaptive &&
      before.leastPermits === settings.leastPermits &&
      before.soldOut === settings.soldOut;
    if (!isSame) {
      this.#settings = settings;
      this.isUnsaved = true;
    }
    const hadCeiling = (this.#adaptive?.ceiling ?? null) !== null;
    if (settings.adaptive !== (this.#adaptive !== null)) {
      this.#adaptive = settings.adaptive ? new Adaptive() : null;
      if (hadCeiling) this.#note("operator", "adapting was turned off", room, now);
    }
    if (isOpened && this.#closedBy !== null) {
      this.#closedBy = null;
      this.#note("operator", "the operator opened the room", room, now);
    }
  }

  /**
   * A signal replaces the one before it of the same source, unless it is older. What was sold out is
   * open again where a signal says that something is left and none says that nothing is.
   */
  hear(source: SignalSource, signal: PaceSignal, room: PacedRoom, now: InstantMs): boolean {
    const before = this.#signals[source];
    if (before !== null && signal.saidAt < before.saidAt) return false;
    if (isOver(signal.until, now)) return false;
    const lowered = this.lowered(room.limits);
    this.#signals[source] = signal;
    this.#endsAt = this.#nextEnd();
    if (signal.stockLeft === 0) this.#closedBy ??= source;
    else if (signal.stockLeft !== null && !this.#isSoldOutBy(otherThan(source)))
      this.#closedBy = null;
    const isNews = source === "api" || differ(lowered, this.lowered(room.limits));
    if (isNews) this.#note(source, signal.reason, room, now);
    // One that is only said again need not be written each time.
    else if (before === null || isOver(after(this.#savedAt, REWRITE_MS), now))
      this.isUnsaved = true;
    if (this.isUnsaved) this.#savedAt = now;
    return true;
  }

  /** Takes every signal back, and opens what a signal closed. */
  clear(reason: string, room: PacedRoom, now: InstantMs): boolean {
    const { api, origin } = this.#signals;
    if (api === null && origin === null && this.#closedBy === null) return false;
    this.#signals = { api: null, origin: null };
    this.#closedBy = null;
    this.#endsAt = null;
    this.#note("operator", reason, room, now);
    return true;
  }

  /** Signals whose time is over hold no longer. What they closed stays closed. */
  expire(room: PacedRoom, now: InstantMs): boolean {
    if (this.#endsAt === null || !isOver(this.#endsAt, now)) return false;
    for (const source of ["api", "origin"] as const) {
      const signal = this.#signals[source];
      if (signal === null || !isOver(signal.until, now)) continue;
      this.#signals[source] = null;
      this.#note(source, "the time of its signal is over", room, now);
    }
    this.#endsAt = this.#nextEnd();
    return true;
  }

  /** True where the adaptive ceiling has changed. */
  adapt(report: OriginReport, room: PacedRoom, now: InstantMs): boolean {
    if (this.#adaptive === null) return false;
    const { permitsMax } = limitsUnder(room.limits, this.signalled, null);
    const least = this.#settings.leastPermits ?? Math.ceil(room.limits.permitsMax * LEAST_SHARE);
    const leastPermits = Math.min(least, permitsMax);
    const change = this.#adaptive.observe(report, { ...room, permitsMax, leastPermits }, now);
    if (change === null) return false;
    this.#note("adaptive", reasonOf(change), room, now);
    return true;
  }

  #isSoldOutBy(source: SignalSource): boolean {
    return this.#signals[source]?.stockLeft === 0;
  }

  #nextEnd(): InstantMs | null {
    const { api, origin } = this.#signals;
    return earliest(api?.until ?? null, origin?.until ?? null);
  }

  #note(source: PaceSource, reason: string, { limits }: PacedRoom, now: InstantMs): void {
    const { permitsMax, startsPerSecondMax, startsPerMinuteMax } = this.lowered(limits);
    const isClosed = this.#closedBy !== null;
    const inEffect = { permitsMax, startsPerSecondMax, startsPerMinuteMax, isClosed };
    const last = this.#changes.at(-1);
    const goesOn =
      source === "origin" &&
      last?.source === source &&
      last.isClosed === isClosed &&
      !isOver(after(last.at, ONE_CHANGE_MS), now);
    if (goesOn) this.#changes.pop();
    this.#changes.push({ at: goesOn ? last.at : now, source, reason, ...inEffect });
    if (this.#changes.length > PACE_CHANGES_MAX) this.#changes.shift();
    this.isUnsaved = true;
  }
}

const otherThan = (source: SignalSource): SignalSource => (source === "api" ? "origin" : "api");

const differ = (one: RoomLimits, other: RoomLimits): boolean =>
  one.permitsMax !== other.permitsMax ||
  one.startsPerSecondMax !== other.startsPerSecondMax ||
  one.startsPerMinuteMax !== other.startsPerMinuteMax ||
  one.closed !== other.closed;

const reasonOf = ({ move, latencyMs, quietMs, errorShare }: AdaptiveChange): string => {
  const times = `answers take ${latencyMs ?? "?"} ms, in quiet times ${quietMs ?? "?"} ms`;
  const figures = `${times}, ${Math.round(100 * errorShare)} % fail`;
  switch (move) {
    case "lower":
      return `slower: ${figures}`;
    case "back":
      return `to what was quiet: ${figures}`;
    case "raise":
      return `it keeps up: ${figures}`;
    case "probe":
      return `a try whether it bears more: ${figures}`;
    case "free":
      return `it needs no limit but the operator's: ${figures}`;
    case "new-quiet":
      return `fewer did not help, so this is its time now: ${figures}`;
    default:
      return move satisfies never;
  }
};
