/** When a visitor who comes back was heard last, by what its lobby knows and by what its ticket says. */
import type { LobbyIndex, TicketNumber } from "../ids.ts";
import type { InstantMs } from "../time.ts";

/** Of a ticket that came, or of what this lobby remembers of a visitor: then it names no lobby. */
export interface HeardTicket {
  readonly number: TicketNumber;
  readonly heardAt: InstantMs;
  readonly lobby?: LobbyIndex;
}

export interface OwnHearing {
  readonly lobby: LobbyIndex;
  /** When this lobby heard the number last; null where it does not know it. */
  readonly heardAt: InstantMs | null;
  /** When it first heard the Room in this life. */
  readonly since: InstantMs | null;
}

/** Another lobby has answered since: the Room is to hear who speaks for the number now. */
export const wasElsewhere = ({ heardAt }: HeardTicket, own: OwnHearing): boolean =>
  own.heardAt !== null && heardAt > own.heardAt;

/**
 * `exact`: this lobby knows that itself. A number that it has answered for and forgotten since was silent
 * for the whole return window: its last answer will do. What another lobby has heard it cannot know.
 */
export const lastHeard = (
  ticket: HeardTicket,
  own: OwnHearing,
): { readonly heardAt: InstantMs; readonly exact: boolean } => {
  const { heardAt, lobby = own.lobby } = ticket;
  if (own.heardAt !== null && !wasElsewhere(ticket, own))
    return { heardAt: own.heardAt, exact: true };
  const isOurs = lobby === own.lobby && own.heardAt === null;
  return { heardAt, exact: isOurs && own.since !== null && heardAt >= own.since };
};
