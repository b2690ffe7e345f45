import type { PageState, Spans } from "./state.ts";
import type { MessageKey, Words } from "./words.ts";

/** Everything the page says in one state; the Worker prints it, the script keeps it up to date. */
export interface PageView {
  /** `elsewhere`: another tab of this visitor goes in. */
  readonly phase: PageState["phase"] | "elsewhere";
  /** The door in the picture is shut. */
  readonly held: boolean;
  readonly title: string;
  readonly headline: string;
  readonly lead: string;
  readonly number: string;
  readonly ahead: string;
  readonly wait: string;
  readonly progress: string;
  readonly taken: string;
  readonly heard: string;
  readonly notices: readonly string[];
  readonly message: string;
  /** The label of the one button that starts over, or "" where there is nothing to start over. */
  readonly again: string;
}

type Said = readonly [headline: string, lead: string];

const waitingSaid = (state: PageState, words: Words): Said => {
  const key: MessageKey = state.held
    ? "held"
    : state.ticket?.state === "away"
      ? "away"
      : state.ticket?.ahead === 0
        ? "next"
        : "waiting";
  return [words.say(key), words.say(`${key}Lead`)];
};

const calledSaid = (state: PageState, spans: Spans, words: Words): Said => [
  words.say("called"),
  state.claimBy === null
    ? words.say("calledLead", { span: words.span(spans.claimWithin) })
    : words.say("calledLeadBy", { time: words.time(state.claimBy, true) }),
];

const said = (phase: PageView["phase"], state: PageState, spans: Spans, words: Words): Said => {
  const number = words.number(state.ticket?.number ?? 0);
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
      return [words.say("closed"), state.closed ?? ""];
    case "taking":
      return state.held
        ? [words.say("held"), words.say("heldTakingLead")]
        : [words.say("taking"), words.say("takingLead")];
    case "entering":
    case "elsewhere":
    case "cookies":
      return [words.say(phase), words.say(`${phase}Lead`)];
    default:
      return phase satisfies never;
  }
};

const troubleKey = {
  busy: "busy",
  "line-full": "lineFull",
  "too-many-joins": "tooManyJoins",
} as const satisfies Record<NonNullable<PageState["trouble"]>, MessageKey>;

const againKey: { readonly [phase in PageView["phase"]]?: MessageKey } = {
  ended: "takeNew",
  "given-up": "takeNew",
  closed: "checkAgain",
  cookies: "tryAgain",
};

const noticesOf = (state: PageState, spans: Spans, words: Words): readonly string[] => {
  const notices: string[] = [];
  if (state.formLost) notices.push(words.say("formLost"));
  if (state.trouble !== null) notices.push(words.say(troubleKey[state.trouble]));
  if (state.link === "offline" || state.link === "lost") {
    notices.push(words.say(state.link));
    if (state.ticket !== null && state.heardAt !== null) {
      const keptUntil = state.heardAt + spans.returnWindow * 1_000;
      notices.push(words.say("keptUntil", { time: words.time(keptUntil) }));
    }
  }
  return notices;
};

const titleOf = (phase: PageView["phase"], headline: string, ahead: number | null, words: Words) =>
  phase === "waiting" && ahead !== null && ahead > 0
    ? words.say("titleAhead", { n: ahead })
    : headline;

/** @param leads false in a tab that leaves the going in to another tab of the same visitor */
export const viewOf = (
  state: PageState,
  spans: Spans,
  name: string,
  words: Words,
  leads = true,
): PageView => {
  const goesElsewhere = !leads && (state.phase === "called" || state.phase === "entering");
  const phase = goesElsewhere ? "elsewhere" : state.phase;
  const [headline, lead] = said(phase, state, spans, words);
  const ahead = state.ticket?.ahead ?? null;
  const again = againKey[phase];
  const way = state.startAhead ?? 0;
  const done = ahead === null || way <= 0 ? 0 : Math.max(0, way - ahead) / way;
  return {
    phase,
    held: state.held,
    headline,
    lead,
    title: `${titleOf(phase, headline, ahead, words)} · ${name}`,
    number: state.ticket?.number == null ? "" : words.number(state.ticket.number),
    ahead: ahead === null ? "" : words.say("aheadValue", { n: ahead }),
    wait: state.held ? words.say("waitUnknown") : words.wait(state.ticket?.eta),
    progress: done < 0.01 ? "" : words.say("progress", { share: words.percent(done) }),
    taken: state.takenAt === null ? "" : words.say("taken", { time: words.time(state.takenAt) }),
    heard: state.heardAt === null ? "" : words.say("heard", { time: words.time(state.heardAt) }),
    notices: noticesOf(state, spans, words),
    message: state.message ?? "",
    again: again === undefined ? "" : words.say(again),
  };
};
