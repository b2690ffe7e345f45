import type { Presence } from "../../core/lobby/presence.ts";
import { instant } from "../../core/time.ts";
import type { ClockEstimate } from "../../core/lobby/clock-estimate.ts";
import type { LobbyTickets } from "./tickets.ts";
import type { LobbySockets } from "./sockets.ts";

/**
 * A lobby that has slept finds its sockets as they were: a number that was away is still away, a
 * call that was missed meanwhile is missed, and only pings count as heard, which are answered
 * without waking the lobby.
 */
export const wakeUp = (
  sockets: LobbySockets,
  presence: Presence,
  tickets: LobbyTickets,
  clock: ClockEstimate,
  localNow: number,
): void => {
  const known = [...sockets.numbers()].map((number) => ({ number, kept: sockets.known(number) }));
  for (const { kept } of known) for (const { at } of kept) clock.recall(at.room, at.local);
  for (const { number, kept } of known) {
    // All sockets of a number have the same, except one that was opened as the lobby died.
    const [last] = kept.toSorted((a, b) => b.at.room - a.at.room);
    if (last === undefined) continue;
    const ping = sockets.lastPing(number);
    const pingedAt = ping === null ? 0 : clock.fromLocal(ping, localNow);
    const heardAt = instant(Math.max(last.remembered.heardAt, pingedAt));
    presence.wakes(number, { ...last.remembered, heardAt }, kept.length);
    tickets.wakes(number, sockets.visitorOf(number));
  }
};
