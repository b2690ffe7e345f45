/** What a page of one's own is told: the `seiriken` event's detail, and the texts of marked elements. */
import type { EventState, Link, PageProblem, PageState } from "../../../src/page/state.ts";

/** The names are an interface: operators' pages read them. Instants are RFC 3339, spans seconds. */
export interface Facts {
  /** `elsewhere`: another tab of this visitor goes in. */
  readonly phase: PageState["phase"] | "elsewhere";
  readonly number: number | null;
  readonly ahead: number | null;
  readonly among: number | null;
  readonly waitSeconds: number | null;
  readonly claimBy: string | null;
  readonly paused: boolean;
  readonly message: string | null;
  readonly closed: string | null;
  /** The event that is on, and until it starts how long that is. */
  readonly event: {
    readonly id: string;
    readonly phase: EventState["phase"];
    readonly startsAt: string;
    readonly shuffle: boolean;
  } | null;
  readonly opensInSeconds: number | null;
  /** polling, live, lost or offline. */
  readonly link: Link;
  readonly problem: PageProblem | null;
}

const eventFacts = ({ event }: PageState): Facts["event"] =>
  event
    ? {
        id: event.told.id,
        phase: event.phase,
        startsAt: event.told.starts_at,
        shuffle: event.told.shuffle,
      }
    : null;

const opensIn = ({ event }: PageState, now: number): number | null =>
  event && event.phase === "prequeue" && event.opensAt !== null
    ? Math.max(0, Math.ceil((event.opensAt - now) / 1_000))
    : null;

export const factsOf = (state: PageState, goesElsewhere: boolean, now: number): Facts => {
  const { ticket, claimBy } = state;
  const eta = ticket && !state.paused && ticket.eta;
  return {
    phase: goesElsewhere ? "elsewhere" : state.phase,
    number: ticket ? ticket.number : null,
    ahead: ticket ? ticket.ahead : null,
    among: (ticket && ticket.among) || null,
    waitSeconds: eta && eta.known && eta.seconds !== undefined ? eta.seconds : null,
    claimBy: claimBy ? new Date(claimBy).toISOString() : null,
    paused: !!state.paused,
    message: state.message || null,
    closed: state.closed || null,
    event: eventFacts(state),
    opensInSeconds: opensIn(state, now),
    link: state.link || "polling",
    problem: state.problem || null,
  };
};

const MINUTE_SECONDS = 60;
const HOUR_MINUTES = 60;

const counted = (lang: string, count: number, unit: "minute" | "hour"): string => {
  try {
    // Newer than the types of the oldest browsers that this script is for.
    const options: object = { style: "unit", unit, unitDisplay: "long" };
    return count.toLocaleString(lang || undefined, options);
  } catch (_older) {
    return `${count} ${unit === "minute" ? "min" : "h"}`;
  }
};

/** Whole minutes, rounded up, as the page's language writes them. */
const span = (lang: string, seconds: number): string => {
  const minutes = Math.max(1, Math.ceil(seconds / MINUTE_SECONDS));
  const hours = Math.floor(minutes / HOUR_MINUTES);
  const rest = minutes % HOUR_MINUTES;
  if (hours === 0) return counted(lang, minutes, "minute");
  const whole = counted(lang, hours, "hour");
  return rest === 0 ? whole : `${whole} ${counted(lang, rest, "minute")}`;
};

const padded = (count: number): string => `0${count}`.slice(-2);

/** `3:07`, or `1:03:07`. */
const clock = (seconds: number): string => {
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / MINUTE_SECONDS) % HOUR_MINUTES;
  const rest = padded(seconds % MINUTE_SECONDS);
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${padded(minutes)}:${rest}`;
};

const figure = (lang: string, value: number | null): string =>
  value === null ? "" : value.toLocaleString(lang || undefined);

/** By the name in `data-seiriken`. */
export const textsOf = (facts: Facts, lang: string): Readonly<Record<string, string>> => ({
  number: figure(lang, facts.number),
  ahead: figure(lang, facts.ahead),
  among: figure(lang, facts.among),
  wait: facts.waitSeconds === null ? "" : span(lang, facts.waitSeconds),
  opensIn: facts.opensInSeconds === null ? "" : clock(facts.opensInSeconds),
  message: facts.message || "",
  closed: facts.closed || "",
});
