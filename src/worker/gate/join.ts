import type { ClaimReply, HeldTicket, TakeReply, TicketView } from "../../durable/contract.ts";
import { addressKey } from "../address-key.ts";
import { callObject } from "../isolate/call-object.ts";
import { lobbyOf, pickLobby } from "../isolate/room-views.ts";
import type { Identity } from "../tokens/in-hand.ts";
import type { Guarded } from "./guarded.ts";

export interface Taken {
  readonly who: Identity;
  readonly reply: TakeReply;
}

/**
 * Takes a ticket, or returns with the one in hand. A visitor who has none, and whose lobby takes no
 * more, is sent to another lobby, once, and keeps that in a new visitor id.
 */
export const takeTicket = async (guarded: Guarded, who: Identity): Promise<Taken> => {
  const { isolate, view, inHand, handout } = guarded;
  const reply = await askToTake(guarded, who);
  if (reply.kind !== "refused" || reply.refusal !== "lobby-full" || inHand.ticket !== null)
    return { who, reply };
  const open = view.snapshot?.lobbiesOpen.filter((lobby) => lobby !== who.lobby) ?? [];
  if (view.snapshot === null || open.length === 0) return { who, reply };
  const lobby = pickLobby(isolate.ports, { ...view.snapshot, lobbiesOpen: open });
  const moved = { visitor: who.visitor, lobby };
  await handout.visitor(moved, view.now);
  return { who: moved, reply: await askToTake(guarded, moved) };
};

const askToTake = async (guarded: Guarded, who: Identity): Promise<TakeReply> => {
  const { isolate, arrival, room, inHand } = guarded;
  const address = await addressKey(guarded.deployment.keys, arrival, room);
  const ask = { visitor: who.visitor, ticket: inHand.ticket, address };
  return isolate.takes.ask(
    `${room.id}/${who.lobby}`,
    ask,
    (asks) => lobbyOf(arrival, room, who.lobby).take(asks),
    arrival.waitUntil,
  );
};

/** Claims the permit that the ticket was called for. */
export const claimTurn = (guarded: Guarded, ticket: HeldTicket): Promise<ClaimReply> => {
  const { isolate, arrival, room } = guarded;
  return callObject(isolate.ports, () => lobbyOf(arrival, room, ticket.lobby).claim(ticket));
};

export const heldTicket = (view: TicketView, who: Identity): HeldTicket => ({
  number: view.number,
  visitor: who.visitor,
  lobby: who.lobby,
  joinedAt: view.joinedAt,
  heardAt: view.heardAt,
});
