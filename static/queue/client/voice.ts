import type { EventView } from "../../../src/page/event.ts";
import type { PageState } from "../../../src/page/state.ts";
import { linkKey } from "../../../src/page/view.ts";
import type { Words } from "../../../src/page/words.ts";
import { SECOND } from "./timing.ts";

/** Screen readers hear of these places, not of every step between them. */
const MILESTONES = [0, 1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000];
/** Phases that end the waiting are said at once. */
const ENDINGS = ["ended", "given-up", "closed", "cookies"];
const QUIET_MS = 60 * SECOND;

const milestoneOf = (ahead: number): number => {
  for (const milestone of MILESTONES) if (ahead <= milestone) return milestone;
  return Math.ceil(ahead / 10_000) * 10_000;
};

/** Speaks politely, at milestones and at most once a minute; only the turn itself is an alert. */
export const createVoice = (status: Element, alert: Element, words: Words) => {
  let spokenAt = -QUIET_MS;
  let milestone: number | null = null;
  let number: number | null = null;
  let wasAway = false;
  let message: string | null = null;
  let phase = "";

  let heardOf: number | undefined;

  const news = (state: PageState, event: EventView | null): string[] => {
    const { ticket } = state;
    const ahead = ticket && ticket.ahead;
    const texts: string[] = [];
    const { link } = state;
    const isAway = link === "lost" || link === "offline";
    if (isAway && !wasAway) texts.push(words.say(linkKey[link]));
    if (wasAway && !isAway) texts.push(words.say("saidBack"));
    if (state.message !== null && state.message !== message) texts.push(state.message);
    if (ticket === null || state.phase !== "waiting") return texts;
    if (ticket.number !== number) {
      texts.push(words.say("saidTicket", { number: words.number(ticket.number || 0) }));
    }
    if (EVENTS && event && event.milestone !== heardOf && event.saying) texts.push(event.saying);
    if (ahead !== null && (milestone === null || milestoneOf(ahead) < milestone)) {
      texts.push(words.say("saidAhead", { n: ahead }));
      if (ticket.eta && ticket.eta.known) {
        texts.push(words.say("saidWait", { wait: words.wait(ticket.eta) }));
      }
    }
    return texts;
  };

  return {
    follow(state: PageState, headline: string, event: EventView | null): void {
      const isNew = phase !== state.phase;
      phase = state.phase;
      if (ENDINGS.indexOf(phase) >= 0) {
        if (isNew) status.textContent = headline;
        return;
      }
      const texts = news(state, event);
      if (texts.length === 0 || Date.now() - spokenAt < QUIET_MS) return;
      spokenAt = Date.now();
      status.textContent = texts.join(" ");
      wasAway = state.link === "lost" || state.link === "offline";
      message = state.message;
      if (state.ticket === null || state.phase !== "waiting") return;
      number = state.ticket.number;
      if (EVENTS && event) heardOf = event.milestone;
      const { ahead } = state.ticket;
      milestone = EVENTS && ahead === null ? null : milestoneOf(ahead || 0);
    },
    alert(text: string): void {
      if (alert.textContent !== text) alert.textContent = text;
    },
  };
};
