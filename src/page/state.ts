/**
 * What the page knows, as data. The Worker makes the first state and renders it; the script in the
 * page goes on from there. This file and its neighbours `words.ts` and `view.ts` run in both.
 */
import type { Message } from "./words.ts";

export interface PageEta {
  readonly known: boolean;
  readonly seconds?: number | null;
  readonly low?: number | null;
  readonly high?: number | null;
  /** Why it is not known. */
  readonly reason?: string;
}

type PageEventPhase = "prequeue" | "drawing" | "running";

/** What is going on in the room, as tickets and the socket tell of it. */
export interface PageEvent {
  readonly id: string;
  readonly phase: PageEventPhase;
  /** RFC 3339. */
  readonly starts_at: string;
  readonly shuffle: boolean;
}

/** The ticket resource of the visitor API, as far as the page needs it. */
export interface PageTicket {
  readonly number: number | null;
  readonly state: "none" | "waiting" | "called" | "away" | "visiting";
  readonly ahead: number | null;
  /** Where turns are drawn: among how many. */
  readonly among?: number | null;
  readonly eta?: PageEta | null;
  /** RFC 3339. */
  readonly claim_by?: string | null;
  readonly poll_after_seconds?: number | null;
  readonly event?: PageEvent | null;
}

export type Phase =
  | "taking"
  | "waiting"
  | "called"
  | "entering"
  | "ended"
  | "given-up"
  | "closed"
  | "cookies";

/** How the page hears of the line. */
export type Link = "polling" | "live" | "lost" | "offline";

export type PageProblem = "busy" | "line-full" | "too-many-joins" | "unavailable";

/** What a visitor who lost a visit is told. `at` has a hole for the time of day. */
export interface LostVisit {
  readonly ago: string;
  readonly at: string;
  /** From the moment that is told to the making of the page. */
  readonly agoMs: number;
  /** Told by the page itself. */
  readonly endedAt?: number;
}

/** The event that is on, as the page goes by it. */
export interface EventState {
  readonly told: PageEvent;
  /** As told, or as the time has made it since. */
  readonly phase: PageEventPhase;
  /** From the making of the page to the start. */
  readonly opensInMs: number;
  readonly opensAt: number | null;
}

/**
 * Instants are milliseconds of the visitor's own clock; the Worker, which cannot know it, says
 * none. What is not so, or not known, is left out: these are bytes of every page.
 */
export interface PageState {
  readonly phase: Phase;
  readonly ticket?: PageTicket | null;
  /** Nobody is let in at the moment. */
  readonly paused?: boolean | undefined;
  readonly message?: string | null;
  readonly closed?: string | null | undefined;
  readonly formLost?: boolean | undefined;
  readonly waiting?: number | null | undefined;
  /** The page was made where turns are drawn, and has the words for it. */
  readonly drawn?: boolean;
  /** Only pages that are made while there is an event have the script and the words for it. */
  readonly event?: EventState | null;
  /** How many were ahead when this number was first seen: where the visitor's way began. */
  readonly startAhead?: number | null;
  readonly takenAt?: number | null;
  readonly heardAt?: number | null;
  readonly claimBy?: number | null;
  /** It is the visitor's turn, and none of their tabs is visible: the page waits until one is. */
  readonly asks?: boolean;
  /**
   * The visitor wants to be taken in even while no tab is visible. Not told where no script can ask.
   */
  readonly takesIn?: boolean | null;
  /** Until when the missed call could have been claimed. */
  readonly missedAt?: number | null;
  /** Polling, where none is told. */
  readonly link?: Link;
  readonly problem?: PageProblem | null;
  readonly lost?: LostVisit | null | undefined;
}

/** What the operator's settings promise, in seconds. */
export interface Spans {
  readonly returnWindow: number;
  readonly claimWithin: number;
}

/** How the page gets a Turnstile token. */
export interface TurnstileWidget {
  readonly siteKey: string;
  readonly script: string;
  readonly appearance: "always" | "interaction-only";
  readonly room: string;
  /** How long the widget may take before the page asks without a token. */
  readonly patienceMs: number;
}

/** What a ticket costs here; only in pages of rooms where it costs something. */
export interface PageProof {
  readonly text: string;
  /** The script that gets the proof, and that works as a worker too. */
  readonly script: string;
  readonly turnstile: TurnstileWidget | null;
}

/** The JSON inside the page. It carries no token: those stay in cookies that scripts cannot read. */
export interface Boot {
  readonly locale: string;
  readonly roomId: string;
  readonly name: string;
  readonly api: string;
  readonly to: string;
  readonly spans: Spans;
  readonly state: PageState;
  /** In the order of English: the script knows each by its place. */
  readonly words: readonly Message[];
  readonly proof?: PageProof;
}
