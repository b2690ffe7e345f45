import { describe } from "vitest";
import { takesTickets, tellsWhere, hearsClaims, hearsManyAtOnce } from "./tickets.ts";
import { opensTheDoor, keepsVisits, givesOneVisit } from "./visits.ts";
import { letsRequestsWait, tellsOfTheRoom, throwsOutOfReach } from "./room.ts";
import type { OpenStage } from "./stage.ts";

/** What the Worker builds on, of every lobby that answers its calls. */
export const lobbyContract = (name: string, open: OpenStage): void => {
  describe(`[LOBBY-15] the lobby's calls: ${name}`, () => {
    takesTickets(open);
    tellsWhere(open);
    hearsClaims(open);
    hearsManyAtOnce(open);
    opensTheDoor(open);
    keepsVisits(open);
    givesOneVisit(open);
    letsRequestsWait(open);
    tellsOfTheRoom(open);
    throwsOutOfReach(open);
  });
};
