import { ticketNumber, type VisitorId } from "../../../src/core/ids.ts";
import type {
  ClaimReply,
  EnterAsk,
  EnterReply,
  WaitReply,
  LobbyRpc,
  TakeReply,
  TicketClaims,
  TicketView,
  VisitReply,
  VisitView,
} from "../../../src/durable/contract.ts";
import { held, takeOne, visitorId } from "../objects.ts";

/** The lobby of a room with plenty of permits, or of one whose only permit somebody else has. */
export interface LobbyStage {
  readonly lobby: LobbyRpc;
  /** On the Room's clock. */
  pass(ms: number): Promise<void>;
  /** Who has the only permit of a full room is done. */
  frees(): Promise<void>;
  /** From now on the lobby gets no answer of its room, or the Worker none of the lobby. */
  breaks(): Promise<void>;
  /** The operator changes the room. */
  becomes(mode: "paused" | "closed" | "suspended"): Promise<void>;
}

export interface StageOptions {
  readonly isFull?: boolean;
  readonly permit?: "visit" | "request";
}

export type OpenStage = (options?: StageOptions) => Promise<LobbyStage>;

/** Of the stage's room. */
export const LEASE_MS = 300_000;
export const CLAIM_WITHIN_MS = 60_000;
export const ASK_AGAIN_MS = 2_000;
export const NEVER_ISSUED = ticketNumber(4_000_000);

export const ask = (visitor: VisitorId, ticket: TicketClaims | null = null) => ({
  visitor,
  ticket,
  address: null,
});

export const viewIn = (reply: TakeReply | WaitReply): TicketView => {
  if (!("view" in reply)) throw new Error(JSON.stringify(reply));
  return reply.view;
};
export const visitIn = (reply: EnterReply | ClaimReply | VisitReply | WaitReply): VisitView => {
  if (reply.kind !== "visit") throw new Error(JSON.stringify(reply));
  return reply.visit;
};
export const take = async (lobby: LobbyRpc, visitor = visitorId()): Promise<TicketClaims> =>
  held(visitor, viewIn(await takeOne(lobby, ask(visitor))));
export const enter = (
  lobby: LobbyRpc,
  visitor: VisitorId,
  change: Partial<EnterAsk> = {},
): Promise<EnterReply> =>
  lobby.enter({ visitor, transient: false, number: null, address: null, ...change });
export const inside = async (lobby: LobbyRpc, visitor = visitorId()): Promise<VisitView> =>
  visitIn(await enter(lobby, visitor));
export const forOneAnswer = async (lobby: LobbyRpc, visitor = visitorId()): Promise<VisitView> =>
  visitIn(await enter(lobby, visitor, { transient: true }));
export const unknown = (ticket: TicketClaims): TicketClaims => ({
  ...ticket,
  number: NEVER_ISSUED,
});
