/**
 * What the page says in each state, as texts. state.ts is what it knows; words.ts is how a language
 * says it.
 */
import type { Link, LostVisit, PageState, Spans, PageTicket } from "./state.ts";
import { keyOf, TO_THE_SECOND } from "./words.ts";
import type { MessageKey, Words } from "./words.ts";

/** Everything the page says in one state; the Worker prints it, the script keeps it up to date. */
export interface PageView {
  /** `elsewhere`: another tab of this visitor goes in. */
  readonly phase: PageState["phase"] | "elsewhere";
  /** The door in the picture is shut. */
  readonly paused: boolean;
  readonly title: string;
  readonly headline: string;
  readonly lead: string;
  readonly number: string;
  /** How many, or among how many where turns are drawn. */
  readonly ahead: string;
  /** It is known where in the line this visitor stands. */
  readonly placed: boolean;
  readonly wait: string;
  /** Why the wait is not known. */
  readonly why: string;
  readonly progress: string;
  readonly taken: string;
  readonly heard: string;
  readonly notices: readonly string[];
  readonly message: string;
  /** The label of the one button that starts over, or "" where there is nothing to start over. */
  readonly again: string;
}

const NO_TICKET: PageTicket = { number: null, state: "none", ahead: null };
const ticketOf = ({ ticket }: PageState): PageTicket => ticket || NO_TICKET;

/** Headline, lead, and in the end the label of the one button. */
type Said = readonly [headline: MessageKey, lead: MessageKey, again?: MessageKey];

const SAID: { readonly [phase in PageView["phase"]]: Said } = {
  taking: [keyOf("taking"), keyOf("takingLead")],
  waiting: [keyOf("waiting"), keyOf("waitingLead")],
  called: [keyOf("called"), keyOf("calledLead")],
  entering: [keyOf("entering"), keyOf("enteringLead")],
  elsewhere: [keyOf("elsewhere"), keyOf("elsewhereLead")],
  ended: [keyOf("ended"), keyOf("endedLead"), keyOf("takeNew")],
  "given-up": [keyOf("givenUp"), keyOf("givenUpLead"), keyOf("takeNew")],
  // What the operator says comes first.
  closed: [keyOf("closed"), keyOf("closedKept"), keyOf("checkAgain")],
  cookies: [keyOf("cookies"), keyOf("cookiesLead"), keyOf("tryAgain")],
};

/**
 * A visitor who sees the page at their turn, or asked to be taken in anyhow, is taken in without a
 * click.
 */
export const waitingLeadKey = ({ takesIn }: PageState): MessageKey =>
  takesIn === false ? keyOf("waitingLeadCalls") : keyOf("waitingLead");

const saidIn = (phase: PageView["phase"], state: PageState): Said => {
  const { state: place, ahead } = ticketOf(state);
  if (phase === "called" && state.claimBy) return [keyOf("called"), keyOf("calledLeadBy")];
  if (phase === "taking" && state.paused) return [keyOf("paused"), keyOf("pausedTaking")];
  if (phase !== "waiting") return SAID[phase];
  if (state.paused) return [keyOf("paused"), keyOf("pausedLead")];
  if (place === "away") return [keyOf("away"), keyOf("awayLead")];
  if (ahead === 0) return [keyOf("next"), keyOf("nextLead")];
  return [keyOf("waiting"), waitingLeadKey(state)];
};

const problemKey = {
  busy: keyOf("busy"),
  "line-full": keyOf("lineFull"),
  "too-many-joins": keyOf("tooManyJoins"),
  unavailable: keyOf("lost"),
} as const satisfies Record<NonNullable<PageState["problem"]>, MessageKey>;

/** What a page without its connection says. */
export const linkKey: { readonly [link in Link]?: MessageKey } = {
  offline: keyOf("offline"),
  lost: keyOf("lost"),
};

/** The page is without its connection. */
export const isCut = ({ link }: Partial<PageState>): boolean => !!link && link in linkKey;

/** Until the visitor's next turn. */
const tellsOfLost = (phase: PageView["phase"]): boolean =>
  phase !== "called" && phase !== "entering" && phase !== "elsewhere";

/** Says a text with what it may have a hole for. */
type Say = (key: MessageKey, at?: number | null, style?: Intl.DateTimeFormatOptions) => string;

const lostNotice = ({ ago, at, endedAt }: LostVisit, words: Words): string =>
  endedAt ? words.fill(at, { time: words.time(endedAt) }) : ago;

const noticesOf = (
  phase: PageView["phase"],
  state: PageState,
  spans: Spans,
  words: Words,
  say: Say,
): readonly string[] => {
  const { ticket, lost, missedAt, problem, link, heardAt } = state;
  const notices: string[] = [];
  if (lost && tellsOfLost(phase)) notices.push(lostNotice(lost, words));
  if (state.formLost) notices.push(say("formLost"));
  if (missedAt && ticket && ticket.state !== "away") notices.push(say("missed", missedAt));
  if (problem) notices.push(say(problemKey[problem]));
  const cut = link && linkKey[link];
  if (!cut) return notices;
  notices.push(say(cut));
  if (ticket && heardAt) notices.push(say("keptUntil", heardAt + spans.returnWindow * 1_000));
  return notices;
};

const titleOf = (phase: PageView["phase"], ticket: PageTicket, headline: string, words: Words) =>
  phase === "waiting" && ticket.state !== "away" && ticket.ahead
    ? words.say("titleAhead", { n: ticket.ahead })
    : headline;

const SECOND_MS = 1_000;

/** As a clock shows them, without hours. */
export const minutesOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${`0${seconds % 60}`.slice(-2)}`;

/**
 * The title of a tab that calls its visitor: in front what a narrow tab shows, the claim time left. The
 * mark before it changes with each second, so that the tab is noticed in the corner of an eye.
 */
export const callingTitle = (
  title: string,
  claimBy: number | null | undefined,
  now: number,
): string => {
  if (!claimBy) return `\u25cf ${title}`;
  const seconds = Math.max(0, Math.ceil((claimBy - now) / SECOND_MS));
  return `${seconds % 2 === 0 ? "\u25cf" : "\u25cb"} ${minutesOf(seconds)} ${title}`;
};

/** @param leads false in a tab that leaves the going in to another tab of the same visitor */
export const viewOf = (
  state: PageState,
  spans: Spans,
  name: string,
  words: Words,
  leads = true,
): PageView => {
  const isGoing = (state.phase === "called" && !state.asks) || state.phase === "entering";
  const phase = !leads && isGoing ? "elsewhere" : state.phase;
  const [headline, lead, again] = saidIn(phase, state);
  const ticket = ticketOf(state);
  const { paused, closed, startAhead } = state;
  const { ahead, number, eta } = ticket;
  const holes = {
    number: words.number(number || 0),
    span: words.span(phase === "called" ? spans.claimWithin : spans.returnWindow),
  };
  const say: Say = (key, at, style) =>
    words.say(key, at ? Object.assign({ time: words.time(at, style) }, holes) : holes);
  const counted = state.drawn ? ticket.among : ahead;
  const done = startAhead && ahead !== null ? 1 - ahead / startAhead : 0;
  const texts = [
    // The operator's own; who has a number is told that it still counts.
    phase === "closed" && closed,
    (phase !== "closed" || number !== null) && say(lead, state.claimBy, TO_THE_SECOND),
  ];
  return {
    phase,
    paused: !!paused,
    headline: say(headline),
    lead: texts.filter(Boolean).join("\n\n"),
    title: `${titleOf(phase, ticket, say(headline), words)} · ${name}`,
    number: number === null ? "" : holes.number,
    placed: ahead !== null,
    ahead: counted == null ? "" : words.say("aheadValue", { n: counted }),
    wait: paused ? say("waitUnknown") : words.wait(eta),
    why: !paused && eta && eta.reason === "no-ends" ? say("waitNoEnds") : "",
    progress: done < 0.01 ? "" : words.say("progress", { share: words.percent(done) }),
    taken: state.takenAt ? say("taken", state.takenAt) : "",
    heard: state.heardAt ? say("heard", state.heardAt) : "",
    notices: noticesOf(phase, state, spans, words, say),
    message: state.message || "",
    again: again ? say(again) : "",
  };
};
