import type { ClaimReply, TicketClaims, TakeReply, TicketView } from "../../durable/contract.ts";
import { addressKey } from "../tokens/address-key.ts";
import { UnreachableError } from "../isolate/call-object.ts";
import { lobbyOf, pickLobby } from "../isolate/room-views.ts";
import type { Identity } from "../tokens/presented.ts";
import type { GateContext } from "./context.ts";
import { tellStep } from "./story.ts";
import { askAboutVisit } from "./visit-call.ts";

export interface TakenTicket {
  readonly who: Identity;
  readonly reply: TakeReply;
}

/**
 * Takes a ticket, or comes back with the one that the request brings. A visitor without one whose
 * lobby is full goes to another lobby, once, and keeps that lobby in a new visitor id.
 */
export const takeTicket = async (context: GateContext, who: Identity): Promise<TakenTicket> => {
  const { isolate, arrival, room, view, presented, issued } = context;
  const reply = await askToTake(context, who);
  if (reply.kind !== "refused" || reply.refusal !== "lobby-full" || presented.ticket !== null)
    return { who, reply };
  const open = view.snapshot?.lobbiesOpen.filter((lobby) => lobby !== who.lobby) ?? [];
  if (view.snapshot === null || open.length === 0) return { who, reply };
  const lobby = pickLobby(isolate, { ...view.snapshot, lobbiesOpen: open }, arrival, room);
  const moved = { visitor: who.visitor, lobby };
  await issued.visitor(moved, view.now);
  return { who: moved, reply: await askToTake(context, moved) };
};

const askToTake = async (context: GateContext, who: Identity): Promise<TakeReply> => {
  const { isolate, arrival, room, presented } = context;
  const key = addressKey(context.deployment.keys, arrival, room);
  const address = key instanceof Promise ? await key : key;
  const ask = { visitor: who.visitor, ticket: presented.ticket, address };
  const reply = await isolate.takes.ask(
    `${room.id}/${who.lobby}`,
    ask,
    (asks) => lobbyOf(arrival, room, who.lobby).take(asks),
    arrival.waitUntil,
  );
  if (reply.kind === "ticket" && reply.isNew) tellStep(context, "ticket-taken", reply.view.number);
  return reply;
};

/** Claims the permit that the ticket was called for. */
export const claimTurn = async (
  context: GateContext,
  ticket: TicketClaims,
): Promise<ClaimReply> => {
  const reply = await askAboutVisit(context, ticket.lobby, { claim: ticket });
  if (reply === null) throw new UnreachableError("a claim was answered as an end");
  if (reply.kind === "visit" && reply.isNew) tellStep(context, "visit-began", reply.visit.visit);
  return reply;
};

export const heldTicket = (view: TicketView, who: Identity): TicketClaims => ({
  number: view.number,
  visitor: who.visitor,
  lobby: who.lobby,
  joinedAt: view.joinedAt,
  heardAt: view.heardAt,
});
