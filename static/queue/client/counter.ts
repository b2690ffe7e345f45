import type { Boot, PageState, TicketResource, Trouble } from "../../../src/worker/page/state.ts";
import type { Answer, Api, Body } from "./api.ts";
import type { Memory } from "./memory.ts";
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
  reload(): void;
}

type Step = "take" | "ask" | "claim" | "giveUp" | "look";

const STEPS = {
  take: ["POST", "/tickets"],
  ask: ["GET", "/tickets/mine"],
  claim: ["POST", "/visits"],
  giveUp: ["DELETE", "/tickets/mine"],
  look: ["GET", "/visits/mine"],
} as const satisfies Record<Step, readonly ["GET" | "POST" | "DELETE", string]>;

const POLL_SECONDS = 5;
const LOOK_AGAIN_MS = 3 * SECOND;
/** Closings after which the ticket's own answer says what happened: ticket-invalid, room-closed. */
const ASK_AT_ONCE = [4401, 4410];
const UNREACHABLE_FIRST_MS = 2 * SECOND;

const troubleOf = (code: string | undefined): Trouble =>
  code === "line-full" ? "line-full" : code === "too-many-joins" ? "too-many-joins" : "busy";

export const createCounter = (ports: CounterPorts): Counter => {
  const { boot, api, memory, state, update } = ports;
  const next = createTimer();
  let running = false;
  let failures = 0;
  let askedAt = 0;
  let hasEnded = false;
  /** Steps are numbered, so that a slow answer to an older one changes nothing. */
  let turn = 0;

  const socket = createSocket(boot.api, {
    spreadMs: () => reconnectSpread(state().waiting),
    down: (code) => {
      if (state().link === "live") update({ link: "polling" });
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
    const ticket = { ...known, ...news } as TicketResource;
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
    else if (message.type === "closed") close(message.text);
    else if (state().phase === "waiting" || state().phase === "called") {
      if (message.type === "position") {
        const { type: _type, ...news } = message;
        stand(news);
      } else if (message.type === "called") {
        stand({ state: "called", ahead: 0, claim_by: message.claim_by || null });
      }
    }
  }

  const end = (phase: PageState["phase"], change: Partial<PageState> = {}): void => {
    next.clear();
    socket.close();
    update({ ...change, phase, link: "polling", trouble: null });
  };

  const close = (text: string | null | undefined): void =>
    end("closed", { closed: text || state().closed });

  const refused = (asked: Step, body: Body, retryMs: number): void => {
    switch (body.code) {
      case "cookies-needed":
        return end("cookies");
      case "room-closed":
        return close(body.closed);
      case "room-suspended":
        return ports.enter();
      default:
        update({ trouble: troubleOf(body.code) });
        next.set(jittered(retryMs * Math.min(8, 2 ** failures++)), () => step(asked));
    }
  };

  const notYet = (body: Body, retryMs: number): void => {
    if (body.state !== undefined && body.state !== "called") return stand(body);
    next.set(retryMs + Math.random() * 200, () => step("claim"));
  };

  const answered = (asked: Step, status: number, body: Body, retryMs: number): void => {
    memory.forgetReloads();
    if (state().link === "lost" || state().link === "offline") update({ link: "polling" });
    if (asked === "giveUp" && (status < 300 || status === 404 || status === 410)) {
      return end("given-up");
    }
    if (status >= 400 && status !== 404 && status !== 410) return refused(asked, body, retryMs);
    failures = 0;
    if (status === 404 || status === 410) return gone(asked, status);
    if (asked === "look") return ports.enter();
    if (asked !== "claim") return stand(body);
    if (status === 202) return notYet(body, retryMs);
    ports.enter();
  };

  /** A ticket also ends by going in, perhaps in a tab that this one never heard of. */
  const gone = (asked: Step, status: number): void => {
    if (asked === "take") return ports.reload();
    if (asked !== "look") {
      hasEnded = status === 410;
      return step("look");
    }
    if (hasEnded) end("ended");
    else retake();
  };

  const retake = (): void => {
    update({ phase: "taking", ticket: null });
    step("take");
  };

  const unreachable = (asked: Step): void => {
    update({ link: navigator.onLine === false ? "offline" : "lost" });
    next.set(backoff(1 + failures++, UNREACHABLE_FIRST_MS), () => step(asked));
  };

  const step = (asked: Step): void => {
    next.clear();
    askedAt = Date.now();
    const mine = ++turn;
    const [method, path] = STEPS[asked];
    void api.ask(method, path).then((answer: Answer) => {
      if (mine !== turn || !running) return;
      if (answer.kind === "page") {
        update({ link: "lost" });
        return ports.reload();
      }
      if (answer.kind === "down") return unreachable(asked);
      answered(asked, answer.status, answer.body, answer.retryMs);
    });
  };

  const goOn = (): void => {
    switch (state().phase) {
      case "taking":
        return step("take");
      case "waiting":
        socket.open();
        return askLater();
      case "called":
        socket.open();
        return step("claim");
    }
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
      retake();
    },
    giveUp: () => step("giveUp"),
  };
};
