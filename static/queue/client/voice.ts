import type { EventView } from "../../../src/page/event.ts";
import type { PageState, PageTicket } from "../../../src/page/state.ts";
import { isCut, linkKey } from "../../../src/page/view.ts";
import type { PageView } from "../../../src/page/view.ts";
import { state } from "./page.ts";
import { element, words, write } from "./screen.ts";
import { SECOND } from "./timing.ts";

/** Screen readers hear of these places, not of every step between them. */
const MILESTONES = [0, 1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000];
const QUIET_MS = 60 * SECOND;

const milestoneOf = (ticket: PageTicket | null | undefined): number => {
  if (!ticket || ticket.ahead === null) return Infinity;
  const { ahead } = ticket;
  return MILESTONES.find((milestone) => ahead <= milestone) || Math.ceil(ahead / 10_000) * 10_000;
};

let spokenAt = -QUIET_MS;
/** What was known when it spoke last, and the ticket when it last spoke of a place in line. */
let last: Partial<PageState> = {};
let ticketThen: PageTicket | null | undefined;
let heardOf: number | undefined;
let phase = "";

const news = (event: EventView | null): string[] => {
  const { ticket, message, link } = state;
  const texts: string[] = [];
  if (link && isCut(state) && !isCut(last)) texts.push(words.say(linkKey[link]!));
  if (isCut(last) && !isCut(state)) texts.push(words.say("saidBack"));
  if (message && message !== last.message) texts.push(message);
  if (!ticket || phase !== "waiting") return texts;
  if (!ticketThen || ticket.number !== ticketThen.number)
    texts.push(words.say("saidTicket", { number: words.number(ticket.number || 0) }));
  if (EVENTS && event && event.milestone !== heardOf && event.saying) texts.push(event.saying);
  if (milestoneOf(ticket) < milestoneOf(ticketThen)) {
    texts.push(words.say("saidAhead", { n: ticket.ahead || 0 }));
    if (ticket.eta && ticket.eta.known)
      texts.push(words.say("saidWait", { wait: words.wait(ticket.eta) }));
  }
  return texts;
};

/** Speaks politely, at milestones and at most once a minute; only the turn itself is an alert. */
export const speak = (view: PageView, event: EventView | null): void => {
  const before = phase;
  phase = view.phase;
  if (phase === "called" || phase === "elsewhere") write("alert", view.headline);
  // What ends the waiting is said at once: there is a button to begin again.
  if (view.again) {
    if (before !== phase) element("status").textContent = view.headline;
    return;
  }
  const texts = news(event);
  if (!texts.length || Date.now() - spokenAt < QUIET_MS) return;
  spokenAt = Date.now();
  element("status").textContent = texts.join(" ");
  last = state;
  if (phase !== "waiting") return;
  ticketThen = state.ticket;
  if (EVENTS && event) heardOf = event.milestone;
};
