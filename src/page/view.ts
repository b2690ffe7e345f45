/**
 * What the page says in each state, as texts. state.ts is what it knows; words.ts is how a language
 * says it.
 */
import type { LostVisit, PageState, Spans, PageTicket } from "./state.ts";
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

type HeadlineAndLead = readonly [headline: string, lead: string];

/**
 * A visitor who sees the page at their turn, or asked to be taken in anyhow, is taken in without a
 * click.
 */
export const waitingLeadKey = ({ takesIn }: PageState): MessageKey =>
  takesIn === false ? keyOf("waitingLeadCalls") : keyOf("waitingLead");

const waitingSaid = (state: PageState, words: Words): HeadlineAndLead => {
  const ticket = ticketOf(state);
  if (state.paused) return [words.say("paused"), words.say("pausedLead")];
  if (ticket.state === "away") return [words.say("away"), words.say("awayLead")];
  if (ticket.ahead === 0) return [words.say("next"), words.say("nextLead")];
  return [words.say("waiting"), words.say(waitingLeadKey(state))];
};

const calledLead = ({ claimBy }: PageState, spans: Spans, words: Words): string =>
  claimBy === null
    ? words.say("calledLead", { span: words.span(spans.claimWithin) })
    : words.say("calledLeadBy", { time: words.time(claimBy, TO_THE_SECOND) });

const calledSaid = (state: PageState, spans: Spans, words: Words): HeadlineAndLead => [
  words.say("called"),
  calledLead(state, spans, words),
];

/** The operator's text; a visitor with a number is told that the number still counts. */
const closedLead = ({ closed, ticket }: PageState, spans: Spans, words: Words): string => {
  const text = closed || "";
  if (ticket === null || ticket.number === null) return text;
  const span = words.span(spans.returnWindow);
  const kept = words.say("closedKept", { number: words.number(ticket.number), span });
  return text === "" ? kept : `${text}\n\n${kept}`;
};

const said = (
  phase: PageView["phase"],
  state: PageState,
  spans: Spans,
  words: Words,
): HeadlineAndLead => {
  const number = words.number(ticketOf(state).number || 0);
  switch (phase) {
    case "waiting":
      return waitingSaid(state, words);
    case "called":
      return calledSaid(state, spans, words);
    case "ended":
      return [words.say("ended"), words.say("endedLead", { number })];
    case "given-up":
      return [words.say("givenUp"), words.say("givenUpLead", { number })];
    case "closed":
      return [words.say("closed"), closedLead(state, spans, words)];
    case "taking":
      return state.paused
        ? [words.say("paused"), words.say("pausedTaking")]
        : [words.say("taking"), words.say("takingLead")];
    case "entering":
      return [words.say("entering"), words.say("enteringLead")];
    case "elsewhere":
      return [words.say("elsewhere"), words.say("elsewhereLead")];
    case "cookies":
      return [words.say("cookies"), words.say("cookiesLead")];
    default:
      return phase satisfies never;
  }
};

const problemKey = {
  busy: keyOf("busy"),
  "line-full": keyOf("lineFull"),
  "too-many-joins": keyOf("tooManyJoins"),
  unavailable: keyOf("lost"),
} as const satisfies Record<NonNullable<PageState["problem"]>, MessageKey>;

const againKey: { readonly [phase in PageView["phase"]]?: MessageKey } = {
  ended: keyOf("takeNew"),
  "given-up": keyOf("takeNew"),
  closed: keyOf("checkAgain"),
  cookies: keyOf("tryAgain"),
};

/** What a page without its connection says. */
export const linkKey = {
  offline: keyOf("offline"),
  lost: keyOf("lost"),
} as const satisfies { readonly [link in PageState["link"]]?: MessageKey };

/** Until the visitor's next turn. */
const tellsOfLost = (phase: PageView["phase"]): boolean =>
  phase !== "called" && phase !== "entering" && phase !== "elsewhere";

const lostNotice = ({ ago, at, endedAt }: LostVisit, words: Words): string =>
  endedAt === null ? ago : words.fill(at, { time: words.time(endedAt) });

const noticesOf = (
  phase: PageView["phase"],
  state: PageState,
  spans: Spans,
  words: Words,
): readonly string[] => {
  const notices: string[] = [];
  if (state.lost !== null && tellsOfLost(phase)) notices.push(lostNotice(state.lost, words));
  if (state.formLost) notices.push(words.say("formLost"));
  if (state.missedAt !== null && state.ticket !== null && state.ticket.state !== "away") {
    const number = words.number(state.ticket.number || 0);
    notices.push(words.say("missed", { time: words.time(state.missedAt), number }));
  }
  if (state.problem !== null) notices.push(words.say(problemKey[state.problem]));
  if (state.link === "offline" || state.link === "lost") {
    notices.push(words.say(linkKey[state.link]));
    if (state.ticket !== null && state.heardAt !== null) {
      const keptUntil = state.heardAt + spans.returnWindow * 1_000;
      notices.push(words.say("keptUntil", { time: words.time(keptUntil) }));
    }
  }
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
export const callingTitle = (title: string, claimBy: number | null, now: number): string => {
  if (claimBy === null) return `\u25cf ${title}`;
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
  const goesElsewhere = !leads && isGoing;
  const phase = goesElsewhere ? "elsewhere" : state.phase;
  const [headline, lead] = said(phase, state, spans, words);
  const ticket = ticketOf(state);
  const { ahead, number, eta } = ticket;
  const counted = state.drawn ? ticket.among : ahead;
  const again = againKey[phase];
  const way = state.startAhead || 0;
  const done = ahead === null || way <= 0 ? 0 : Math.max(0, way - ahead) / way;
  return {
    phase,
    paused: state.paused,
    headline,
    lead,
    title: `${titleOf(phase, ticket, headline, words)} · ${name}`,
    number: number === null ? "" : words.number(number),
    placed: ahead !== null,
    ahead: counted == null ? "" : words.say("aheadValue", { n: counted }),
    wait: state.paused ? words.say("waitUnknown") : words.wait(eta),
    why: state.paused || !eta || eta.reason !== "no-ends" ? "" : words.say("waitNoEnds"),
    progress: done < 0.01 ? "" : words.say("progress", { share: words.percent(done) }),
    taken: state.takenAt === null ? "" : words.say("taken", { time: words.time(state.takenAt) }),
    heard: state.heardAt === null ? "" : words.say("heard", { time: words.time(state.heardAt) }),
    notices: noticesOf(phase, state, spans, words),
    message: state.message || "",
    again: again === undefined ? "" : words.say(again),
  };
};
