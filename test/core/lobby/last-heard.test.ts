import { expect, test } from "vitest";
import { lobbyIndex, ticketNumber } from "../../../src/core/ids.ts";
import { lastHeard, wasElsewhere } from "../../../src/core/lobby/last-heard.ts";
import { instant } from "../../../src/core/time.ts";

const ticket = (heardAt: number, lobby?: number) => ({
  number: ticketNumber(7),
  heardAt: instant(heardAt),
  ...(lobby === undefined ? {} : { lobby: lobbyIndex(lobby) }),
});

const own = (heardAt: number | null, since: number | null = 100) => ({
  lobby: lobbyIndex(3),
  heardAt: heardAt === null ? null : instant(heardAt),
  since: since === null ? null : instant(since),
});

test.each([
  ["what the lobby heard itself", ticket(500, 3), own(600), 600, true],
  ["in the same moment", ticket(600, 3), own(600), 600, true],
  ["its last answer, long ago", ticket(500, 3), own(null), 500, true],
  ["an answer of its former life", ticket(99, 3), own(null), 99, false],
  ["before it heard the Room", ticket(500, 3), own(null, null), 500, false],
  ["what it remembers of a visitor", ticket(500), own(null), 500, true],
  ["[REGION-12] a ticket of another lobby", ticket(500, 0), own(null), 500, false],
  ["[REGION-12] one that it has heard itself since", ticket(500, 0), own(600), 600, true],
  ["[REGION-12] its own ticket, answered elsewhere since", ticket(700, 3), own(600), 700, false],
] as const)("heard last: %s", (_, came, known, heardAt, exact) => {
  expect(lastHeard(came, known)).toEqual({ heardAt, exact });
});

test("[REGION-12] a ticket that another lobby has answered since is newer than what this one heard", () => {
  expect(wasElsewhere(ticket(601), own(600))).toBe(true);
  expect(wasElsewhere(ticket(600), own(600))).toBe(false);
  expect(wasElsewhere(ticket(601), own(null))).toBe(false);
});
