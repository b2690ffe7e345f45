/** The calls to a lobby that the requests of one isolate share, in rooms of requests. */
import type { TicketNumber, VisitId } from "../core/ids.ts";
import type { LentTurns } from "../core/lobby/lent-turns.ts";
import type { WaitAsk, WaitReply } from "./contract.ts";

/** An isolate has passed the permit of a request to the next one, by what it was lent. */
export interface PassedBaton {
  readonly from: VisitId;
  readonly to: TicketNumber;
  readonly wait: string;
}

/** What the requests of one isolate have to say to a lobby, in one call. */
export interface TurnsAsk {
  /** Made by the isolate, unguessable. */
  readonly isolate: string;
  readonly asks: readonly WaitAsk[];
  /** In the order in which they were passed; taken in before the ends. */
  readonly passed: readonly PassedBaton[];
  readonly ended: readonly VisitId[];
  /** Waits whose clients have gone, as for `abandonWait`. */
  readonly gone: readonly string[];
  /** The stamps of answers that have come. */
  readonly heard: readonly number[];
  /** A call was lost on the way: what is not `heard` is answered once more. */
  readonly again: boolean;
  /** Not to be kept waiting for news. */
  readonly atOnce: boolean;
}

/** `unreachable`: the lobby has not reached the Room. */
export interface TurnReply {
  readonly wait: string;
  readonly reply: WaitReply | { readonly kind: "unreachable" };
}

export interface TurnsReply {
  /** Counts the answers to this isolate, from 1. */
  readonly stamp: number;
  readonly replies: readonly TurnReply[];
  readonly lent: LentTurns | null;
  /** Of `ended`: of these nobody knows whether the Room has heard. */
  readonly unended: readonly VisitId[];
}
