import type { Boot, PageState, TicketResource } from "../../../src/worker/page/state.ts";
import type { Api } from "./api.ts";
import type { Memory } from "./memory.ts";
import { outcomeOf, STEPS } from "./outcome.ts";
import type { Outcome, Step } from "./outcome.ts";
import { createSocket } from "./socket.ts";
import type { SocketMessage } from "./socket.ts";
import { backoff, createTimer, jittered, reconnectSpread, SECOND } from "./timing.ts";

/** What the visitor does at the counter: take a ticket, ask where it stands, go in, give it up. */
export interface Counter {
  /** Goes on from whatever phase the page is in. Only the leading tab does. */
  start(): void;
  stop(): void;
  /** The visitor looks at the page again, or the network is back. */
  wake(): void;
  startOver(): void;
  giveUp(): void;
}

export interface CounterPorts {
  readonly boot: Boot;
  readonly api: Api;
  readonly memory: Memory;
  state(): PageState;
  update(change: Partial<PageState>): void;
  enter(): void;
  /** What answered is not ours: load the page again, with growing pauses. */
  reload(): void;
  reloadNow(): void;
}

const POLL_SECONDS = 5;
const NOT_YET_SPREAD_MS = 200;
const LOOK_AGAIN_MS = 3 * SECOND;
/** Closings after which the ticket's own answer says what happened: ticket-invalid, room-closed. */
const ASK_AT_ONCE = [4401, 4410];
const UNREACHABLE_FIRST_MS = 2 * SECOND;

export const createCounter = (ports: CounterPorts): Counter => {
  const { boot, api, memory, state, update } = ports;
  const next = createTimer();
  let running = false;
  let failures = 0;
  let askedAt = 0;
  /** Steps are numbered, so that a slow answer to an older one changes nothing. */
  let turn = 0;

  const socket = createSocket(boot.api, {
    spreadMs: () => reconnectSpread(state().waiting),
    down: (code) => {
      if (state().link === "live") update({ link: "polling" });
      if (state().phase === "closed") return socket.close();
      if (state().phase !== "waiting") return;
      const spread = ASK_AT_ONCE.indexOf(code) < 0 ? reconnectSpread(state().waiting) : SECOND;
      next.set(Math.random() * spread + 200, () => step("ask"));
    },
    message: hear,
  });

  /** Counted from the last question, so that news on the socket does not put the next one off. */
  const askLater = (): void => {
    const { link, ticket } = state();
    // On the socket a poll only has the ticket signed again, well within its return window.
    const seconds =
      link === "live"
        ? boot.spans.returnWindow / 4
        : (ticket && ticket.poll_after_seconds) || POLL_SECONDS;
    next.set(Math.max(SECOND, jittered(seconds * SECOND) - (Date.now() - askedAt)), () =>
      step("ask"),
    );
  };

  const stand = (news: Partial<TicketResource> & { waiting?: number }): void => {
    const known = state().ticket;
    const ticket = Object.assign({}, known, news) as TicketResource;
    if (ticket.number === null || ticket.number === undefined) return step("take");
    if (ticket.state === "visiting") return ports.enter();
    const ahead = ticket.ahead || 0;
    const way = memory.wayOf(ticket.number, ahead);
    const moved = known !== null && (known.ahead || 0) > ahead;
    const isCalled = ticket.state === "called";
    const wasCalled = state().phase === "called";
    update({
      ticket,
      phase: isCalled ? "called" : "waiting",
      claimBy: isCalled && ticket.claim_by ? api.local(ticket.claim_by) : null,
      startAhead: way.startAhead,
      takenAt: way.takenAt,
      heardAt: Date.now(),
      waiting: news.waiting === undefined ? state().waiting : news.waiting,
      held: state().held && !moved && !isCalled,
      trouble: null,
    });
    socket.open();
    if (!isCalled) askLater();
    else if (!wasCalled) step("claim");
  };

  function hear(message: SocketMessage): void {
    if (state().link !== "live") update({ link: "live" });
    if (message.type === "message") update({ message: message.text || null });
    else if (message.type === "held") update({ held: message.held });
    else if (message.type === "closed") close(message.text);
    else if (message.type === "reload") {
      next.set(Math.random() * reconnectSpread(state().waiting), ports.reloadNow);
    } else if (state().phase === "waiting" || state().phase === "called") {
      if (message.type === "position") {
        stand(message);
        // A call was missed: whoever asks is back in line.
        if (message.state === "away") step("ask");
      } else if (message.type === "called") {
        stand({ state: "called", ahead: 0, claim_by: message.claim_by || null });
      }
    }
  }

  const end = (phase: PageState["phase"]): void => {
    next.clear();
    socket.close();
    update({ phase, link: "polling", trouble: null });
  };

  /** The socket stays, to hear of a reopening; when it goes, the visitor has a button. */
  const close = (text: string | null | undefined): void => {
    next.clear();
    update({ phase: "closed", closed: text || state().closed, trouble: null });
  };

  const act = (asked: Step, outcome: Outcome): void => {
    const isCut = outcome.kind === "unreachable" || outcome.kind === "reload";
    if (isCut) update({ link: navigator.onLine === false ? "offline" : "lost" });
    else if (state().link === "lost" || state().link === "offline") update({ link: "polling" });
    if (!isCut && outcome.kind !== "refused") failures = 0;
    switch (outcome.kind) {
      case "stand":
        return stand(outcome.ticket);
      case "enter":
        return ports.enter();
      case "look":
        return step("look");
      case "ended":
      case "given-up":
      case "cookies":
        return end(outcome.kind);
      case "closed":
        return close(outcome.text);
      case "reload":
        return ports.reload();
      case "not-yet":
        return next.set(outcome.retryMs + Math.random() * NOT_YET_SPREAD_MS, () => step("claim"));
      case "refused":
        update({ trouble: outcome.trouble });
        return again(asked, jittered(outcome.retryMs * Math.min(8, 2 ** failures++)));
      case "unreachable":
        return again(asked, backoff(1 + failures++, UNREACHABLE_FIRST_MS));
      default:
        return outcome satisfies never;
    }
  };

  const again = (asked: Step, afterMs: number): void => next.set(afterMs, () => step(asked));

  const step = (asked: Step): void => {
    next.clear();
    askedAt = Date.now();
    const mine = ++turn;
    const [method, path] = STEPS[asked];
    void api.ask(method, path).then((answer) => {
      if (mine !== turn || !running) return;
      if (answer.kind === "json") memory.forgetReloads();
      act(asked, outcomeOf(asked, answer));
    });
  };

  const goOn = (): void => {
    const { phase } = state();
    if (phase === "taking") return step("take");
    if (phase !== "waiting" && phase !== "called") return;
    socket.open();
    if (phase === "called") step("claim");
    else askLater();
  };

  return {
    start() {
      running = true;
      if (state().link === "live") update({ link: "polling" });
      goOn();
    },
    stop() {
      running = false;
      next.clear();
      socket.close();
    },
    wake() {
      const { phase } = state();
      const isCut = state().link === "lost" || state().link === "offline";
      if (!running || (!isCut && Date.now() - askedAt < LOOK_AGAIN_MS)) return;
      if (phase === "taking") step("take");
      if (phase === "called") step("claim");
      if (phase !== "waiting") return;
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
