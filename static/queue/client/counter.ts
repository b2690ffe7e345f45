/**
 * Takes the visitor through ticket, wait and claim, by the API and the socket. What is drawn is
 * main.ts; when to claim is claim-moment.ts.
 */
import type { PageEvent, PageState, PageTicket } from "../../../src/page/state.ts";
import { eventHeard } from "../../../src/page/event.ts";
import { isCut } from "../../../src/page/view.ts";
import type { EventState } from "../../../src/page/state.ts";
import { askApi, local } from "./api.ts";
import type { ApiAnswer } from "./api.ts";
import { claimAt } from "./claim-moment.ts";
import { forgetReloads, noteWay } from "./memory.ts";
import { A_PAGE, outcomeOf, STEPS } from "./outcome.ts";
import type { Step } from "./outcome.ts";
import { boot, isShown, state } from "./page.ts";
import { createSocket } from "./socket.ts";
import type { SocketMessage } from "./socket.ts";
import { backoff, createTimer, jittered, lateness, RETURN_SPREAD, SECOND } from "./timing.ts";

/** What the visitor does at the counter: take a ticket, ask where it stands, go in, give it up. */
export interface PageCounter {
  /** Goes on from whatever phase the page is in. Only the leading tab does. */
  start(): void;
  stop(): void;
  /** The visitor looks at the page again, or the network is back. */
  wake(): void;
  /** The page was hidden, or time has passed: a turn is looked at anew. */
  look(): void;
  startOver(): void;
  giveUp(): void;
}

export interface CounterPorts {
  update(change: Partial<PageState>): void;
  enter(): void;
  /** What answered is not ours: load the page again, with growing pauses. */
  reload(): void;
  reloadNow(): void;
}

const POLL_SECONDS = 5;
/** The page's idea of the server's clock may be off by so much. */
const CLOCK_SLACK_MS = 2 * SECOND;
const NOT_YET_SPREAD_MS = 200;
/** What the Worker knows of a room is at most so old. */
const SNAPSHOT_OLD_MS = 2 * SECOND;
const LOOK_AGAIN_MS = 3 * SECOND;
/** Closings after which the ticket's own answer says what happened: ticket-invalid, room-closed. */
const ASK_AT_ONCE = [4401, 4410];
const UNREACHABLE_FIRST_MS = 2 * SECOND;
/** A call that nobody claimed is missed so long after its time: the clocks of both sides differ. */
const MISSED_AFTER_MS = 1.5 * SECOND;

/** From here on somebody is let in. */
const hasBegun = (before: EventState | null | undefined, event: EventState | null) =>
  !!before && before.phase !== "running" && (!event || event.phase === "running");

export const createCounter = (ports: CounterPorts): PageCounter => {
  const { update } = ports;
  const next = createTimer();
  let running = false;
  let failures = 0;
  let askedAt = 0;
  /** Steps are numbered, so that a slow answer to an older one changes nothing. */
  let turn = 0;
  let isClaiming = false;
  /** A claim was refused for the moment: from then on it may be repeated. */
  let claimAgainAt: number | null = null;

  /** As the lobby told last: so long after a loss of the socket the page is back. */
  let returnAfter = 0;

  const socket = createSocket({
    returnAfterMs: () => returnAfter,
    down: (code) => {
      const { link, phase } = state;
      if (link === "live") update({ link: "polling" });
      if (phase === "closed" || rests()) return socket.close();
      if (phase !== "waiting") return;
      // After a loss another socket is tried first: when it opens it tells the place, and nothing is asked.
      const ms =
        ASK_AT_ONCE.indexOf(code) < 0 ? returnAfter + (link === "live" ? RETURN_SPREAD : 0) : 0;
      next(200 + ms + Math.random() * RETURN_SPREAD, () => step("ask"));
    },
    message: hear,
  });

  /**
   * A call was missed unseen. To ask now, or to open a socket, would be to stand in line again, to miss
   * the next calls as well, and to lose the number with the third. It is kept while the page rests.
   */
  const rests = (): boolean => {
    const { phase, ticket, takesIn } = state;
    const isAway = phase === "waiting" && !!ticket && ticket.state === "away";
    return isAway && !takesIn && !isShown();
  };

  /** Counted from the last question, so that news on the socket does not put the next one off. */
  const askLater = (): void => {
    if (rests()) {
      askedAt = 0;
      return next();
    }
    const { link, ticket } = state;
    // On the socket a poll only has the ticket signed again, well within its return window.
    const seconds =
      link === "live"
        ? boot.spans.returnWindow / 4
        : (ticket && ticket.poll_after_seconds) || POLL_SECONDS;
    next(Math.max(SECOND, jittered(seconds * SECOND) - (Date.now() - askedAt)), () => step("ask"));
  };

  /** An answer of the API tells of the event, or that there is none; a position on the socket tells neither. */
  const eventChange = ({ event: told, poll_after_seconds: isAnswer }: Partial<PageTicket>) => {
    if (!isAnswer) return {};
    const before = state.event;
    const event = told ? eventHeard(told, local(told.starts_at), before, Date.now()) : null;
    return hasBegun(before, event) ? { event, paused: false } : { event };
  };

  /** Told with the Room's own clock. */
  const hearEvent = (told: PageEvent | null, roomNow: string): void => {
    const now = Date.now();
    const opensInMs = told === null ? 0 : Date.parse(told.starts_at) - Date.parse(roomNow);
    update({ event: told && eventHeard(told, now + opensInMs, state.event, now) });
  };

  const stand = (news: Partial<PageTicket> & { waiting?: number }): void => {
    const known = state.ticket;
    const ticket = Object.assign({}, known, news) as PageTicket;
    if (ticket.number === null || ticket.number === undefined) return step("take");
    if (ticket.state === "visiting") return ports.enter();
    const now = Date.now();
    const ahead = ticket.ahead || 0;
    const moved = !!known && (known.ahead || 0) > ahead;
    const isCalled = ticket.state === "called";
    const claimBy = isCalled && ticket.claim_by ? local(ticket.claim_by) : null;
    const way = noteWay(ticket.number, ahead, claimBy);
    if (state.phase !== "called") claimAgainAt = null;
    if (!EVENTS && news.event && news.event.phase === "prequeue" && !isCalled) ports.reload();
    const change: Partial<PageState> = {
      ticket,
      phase: isCalled ? "called" : "waiting",
      claimBy,
      asks: isCalled && !isShown(),
      takesIn: !!way.takesIn,
      missedAt:
        !isCalled && way.claimBy && way.claimBy - CLOCK_SLACK_MS <= now ? way.claimBy : null,
      startAhead: way.startAhead || 0,
      takenAt: way.takenAt || 0,
      heardAt: now,
      waiting: news.waiting === undefined ? state.waiting : news.waiting,
      paused: state.paused && !moved && !isCalled,
      problem: null,
    };
    if (EVENTS) Object.assign(change, eventChange(news));
    update(change);
    if (!rests()) socket.open();
    if (isCalled) approach();
    else askLater();
  };

  /** Claims the turn now or later, or leaves it to the visitor to come and see. */
  const approach = (): void => {
    if (isClaiming) return;
    const now = Date.now();
    const { claimBy, takesIn, asks } = state;
    const inSight = isShown();
    const at = claimAt(
      {
        isShown: inSight,
        takesIn: !!takesIn,
        claimBy,
        claimWithinMs: boot.spans.claimWithin * SECOND,
        askAgainAt: claimAgainAt,
        lateMs: lateness(),
      },
      now,
    );
    if (!!asks === inSight) update({ asks: !inSight });
    if (at !== null) return at <= now ? step("claim") : next(at - now, approach);
    // The page has not heard yet until when.
    if (!claimBy) return next(SECOND, () => step("ask"));
    next(claimBy + MISSED_AFTER_MS - now, () => stand({ state: "away", claim_by: null }));
  };

  function hear(message: SocketMessage): void {
    if (state.link !== "live") update({ link: "live" });
    if (EVENTS && message.type === "event") hearEvent(message.event, message.now);
    else if (message.type === "message") update({ message: message.text || null });
    else if (message.type === "paused") update({ paused: message.paused });
    else if (message.type === "closed") close(message.text);
    else if (
      message.type === "reload" ||
      ((message as { closed?: boolean }).closed === false && state.phase === "closed")
    ) {
      // Before, an answer could be made from what was known before the room opened.
      next(SNAPSHOT_OLD_MS + returnAfter + Math.random() * RETURN_SPREAD, goBack);
    } else if (state.phase === "waiting" || state.phase === "called") {
      if (message.type === "position") {
        returnAfter = message.return_after_ms || 0;
        stand(message);
        // The first on a socket tells what the page may have missed the end of.
        if (message.paused !== undefined)
          update({ paused: message.paused, message: message.message || null });
        // A call was missed: by asking, the visitor is back in line.
        if (message.state === "away" && !rests()) step("ask");
      } else if (message.type === "called") {
        stand({ state: "called", ahead: 0, claim_by: message.claim_by || null });
      }
    }
  }

  const end = (phase: PageState["phase"]): void => {
    next();
    socket.close();
    update({ phase, link: "polling", problem: null, missedAt: null });
  };

  /** The room has opened. A load would begin a visit, so where nobody looks the page only asks. */
  const goBack = (): void => {
    if (isShown()) return ports.reloadNow();
    update({ phase: "taking" });
    step("take");
  };

  /** The socket stays, to hear of a reopening; when it goes, the visitor has a button. */
  const close = (text: string | null | undefined): void => {
    next();
    update({ phase: "closed", closed: text || state.closed, problem: null });
  };

  const act = (asked: Step, answer: ApiAnswer): void => {
    const { body, retryMs } = answer;
    const outcome = outcomeOf(asked, answer);
    const before = failures++;
    if (outcome === "unreachable" || outcome === "reload")
      update({ link: navigator.onLine ? "lost" : "offline" });
    else if (isCut(state)) update({ link: "polling" });
    if (outcome === "reload") return ports.reload();
    if (outcome === "unreachable") return again(asked, backoff(failures, UNREACHABLE_FIRST_MS));
    if (
      outcome === "busy" ||
      outcome === "line-full" ||
      outcome === "too-many-joins" ||
      outcome === "unavailable"
    ) {
      update({ problem: outcome });
      return again(asked, jittered(retryMs * Math.min(8, 2 ** before)));
    }
    failures = 0;
    switch (outcome) {
      case "stand":
        return stand(body);
      case "enter":
        return ports.enter();
      case "look":
        return step("look");
      case "ended":
      case "given-up":
      case "cookies":
        return end(outcome);
      case "closed":
        return close(body.closed);
      case "not-yet":
        claimAgainAt = Date.now() + retryMs + Math.random() * NOT_YET_SPREAD_MS;
        return stand(Object.assign({}, body, { state: "called" as const }));
      default:
        return outcome satisfies never;
    }
  };

  const again = (asked: Step, afterMs: number): void => {
    if (asked !== "claim") return next(afterMs, () => step(asked));
    claimAgainAt = Date.now() + afterMs;
    approach();
  };

  const step = (asked: Step): void => {
    next();
    askedAt = Date.now();
    isClaiming = asked === "claim";
    const mine = ++turn;
    const [method, path] = STEPS[asked];
    void askApi(method, path).then((answer) => {
      if (mine !== turn || !running) return;
      isClaiming = false;
      if (answer.status > A_PAGE) forgetReloads();
      act(asked, answer);
    });
  };

  const goOn = (): void => {
    const { phase } = state;
    if (phase === "taking") return step("take");
    // With a number the socket goes on, to hear when the line opens again.
    if (phase === "closed" && state.ticket) return socket.open();
    if ((phase !== "waiting" && phase !== "called") || rests()) return;
    socket.open();
    look();
    if (phase === "waiting") askLater();
  };

  const look = (): void => {
    if (running && state.phase === "called") approach();
  };

  return {
    look,
    start() {
      running = true;
      if (state.link === "live") update({ link: "polling" });
      goOn();
    },
    stop() {
      running = false;
      isClaiming = false;
      turn++;
      next();
      socket.close();
    },
    wake() {
      const { phase } = state;
      look();
      if (!running || (!isCut(state) && Date.now() - askedAt < LOOK_AGAIN_MS)) return;
      if (phase === "taking") step("take");
      if (phase !== "waiting") return;
      socket.open();
      socket.wake();
      step("ask");
    },
    startOver() {
      failures = 0;
      update({ phase: "taking", ticket: null });
      step("take");
    },
    giveUp: () => step("giveUp"),
  };
};
