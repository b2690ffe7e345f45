/**
 * What the page says of an event, over what it says anyhow (view.ts). Only pages that are made while
 * there is one have this.
 */
import type { PageEvent, EventState, PageState } from "./state.ts";
import { minutesOf, waitingLeadKey } from "./view.ts";
import type { PageView } from "./view.ts";
import { keyOf } from "./words.ts";
import type { Words } from "./words.ts";

export interface EventView extends PageView {
  readonly aheadLabel: string;
  readonly waitLabel: string;
  /** That the order was drawn, or "". */
  readonly fair: string;
  /** For those who listen: said when `milestone` changes. */
  readonly saying: string;
  readonly milestone: number;
}

const SECOND_MS = 1_000;
const HOUR = 3_600;
const DAY = 24 * HOUR;
/** What is nearer than this needs no date. */
const WITHOUT_DATE_MS = (DAY / 2) * SECOND_MS;
const WITH_DATE = {
  weekday: "long",
  day: "numeric",
  month: "long",
  hour: "numeric",
  minute: "2-digit",
} as const;
/** Minutes before the start at which those who listen hear of it. */
const MILESTONES = [1, 5, 10, 30, 60];
/** Two readings of the start by the server's clock may differ by so much: its dates have no fractions. */
const READING_MS = 2 * SECOND_MS;

/** By the clock the doors are open, told or not. Whether the order is drawn yet has to be told. */
export const phaseAt = (
  { phase, shuffle }: PageEvent,
  opensAt: number | null,
  now: number,
): PageEvent["phase"] => {
  if (phase !== "prequeue" || opensAt === null || now < opensAt) return phase;
  return shuffle ? "drawing" : "running";
};

/**
 * The event as it was told last. All readings of its start come late, by the way they took: the
 * earliest is the best.
 */
export const eventHeard = (
  told: PageEvent,
  opensAt: number,
  before: EventState | null | undefined,
  now: number,
): EventState => {
  const known = before && before.told.starts_at === told.starts_at ? before.opensAt : null;
  const isSame = known !== null && Math.abs(known - opensAt) < READING_MS;
  const best = isSame ? Math.min(known, opensAt) : opensAt;
  return { told, phase: phaseAt(told, best, now), opensInMs: best - now, opensAt: best };
};

/** Nobody stands before or behind anybody yet. */
const isUndrawn = ({ event }: PageState): boolean =>
  !!event && event.told.shuffle && event.phase !== "running";

const clockOf = (seconds: number): string =>
  seconds < HOUR
    ? minutesOf(seconds)
    : `${Math.floor(seconds / HOUR)}:${`0${minutesOf(seconds % HOUR)}`.slice(-5)}`;

const countdown = (leftMs: number, words: Words): string => {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND_MS));
  return seconds < DAY ? clockOf(seconds) : words.span(seconds - (seconds % HOUR));
};

const milestoneOf = (leftMs: number): number => {
  for (const milestone of MILESTONES) if (leftMs <= milestone * 60 * SECOND_MS) return milestone;
  return Infinity;
};

type ViewChanges = Partial<EventView>;

/** @param now null in the Worker, which does not know the visitor's clock */
const beforeStart = (
  view: PageView,
  state: PageState,
  { told, opensInMs, opensAt }: EventState,
  words: Words,
  now: number | null,
): ViewChanges => {
  const leftMs = Math.max(0, opensAt === null || now === null ? opensInMs : opensAt - now);
  const headline = words.say("early");
  const order = words.say(told.shuffle ? keyOf("earlyLeadDrawn") : keyOf("earlyLead"));
  const wait = now === null ? words.span(Math.ceil(leftMs / SECOND_MS)) : countdown(leftMs, words);
  const minutes = Math.ceil(leftMs / SECOND_MS / 60);
  return {
    headline,
    lead:
      view.phase === "taking"
        ? words.say("takingLead")
        : `${order} ${words.say(waitingLeadKey(state))}`,
    waitLabel: words.say("opensIn"),
    wait,
    why:
      opensAt === null ? "" : words.time(opensAt, leftMs < WITHOUT_DATE_MS ? undefined : WITH_DATE),
    title: now === null ? headline : `${wait} ${headline}`,
    paused: true,
    milestone: milestoneOf(leftMs),
    saying: words.say("saidOpens", { span: words.span(minutes * 60) }),
  };
};

const sinceStart = (view: PageView, { told, phase }: EventState, words: Words): ViewChanges => {
  if (phase === "drawing") {
    const headline = words.say("drawing");
    const wait = words.say("waitUnknown");
    return {
      headline,
      lead: view.phase === "taking" ? words.say("takingLead") : words.say("drawingLead"),
      wait,
      why: "",
      paused: true,
      milestone: 0,
      saying: headline,
    };
  }
  const fair = told.shuffle ? words.say("drawn") : "";
  return { fair, milestone: -1, saying: fair };
};

export const withEvent = (
  view: PageView,
  state: PageState,
  name: string,
  words: Words,
  now: number | null,
): EventView => {
  const { event, ticket, waiting } = state;
  const isHere = view.phase === "waiting" || view.phase === "taking";
  const undrawn = isHere && isUndrawn(state);
  const among = ticket && ticket.among != null ? ticket.among : waiting;
  const plain = {
    aheadLabel: words.say(undrawn || state.drawn ? keyOf("among") : keyOf("ahead")),
    waitLabel: words.say("wait"),
    fair: "",
    saying: "",
    milestone: -1,
  };
  const changes: ViewChanges =
    !event || !isHere
      ? {}
      : event.phase === "prequeue"
        ? beforeStart(view, state, event, words, now)
        : sinceStart(view, event, words);
  const title =
    changes.headline === undefined
      ? {}
      : { title: `${changes.title || changes.headline} · ${name}` };
  const counted =
    undrawn && ticket && among != null
      ? { ahead: words.say("aheadValue", { n: Math.max(1, among) }), placed: false }
      : {};
  return Object.assign({}, view, plain, changes, title, counted);
};
