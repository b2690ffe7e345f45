/**
 * What the Room knows of its lobbies: which are open, which have reported, and which calls each
 * must hear again.
 */
import { LOBBY_INDEX_MAX, lobbyIndex, type LobbyIndex, type TicketNumber } from "../ids.ts";
import { lobbiesIn } from "../regions/lobbies.ts";
import { after, isOver, type InstantMs } from "../time.ts";
import type { Line } from "../line/line.ts";
import { settlingMs, type LobbyState, type RoomState, type LobbyDialogue } from "./state.ts";
import type { Batch, Call } from "./commands.ts";

/** A lobby takes joins until it has so many unspent tickets; half of that makes room for another. */
const LOBBY_TICKETS = 8_192;
/**
 * Joins still arrive until isolates have heard that a lobby is full; beyond this they are refused.
 */
const LOBBY_TICKETS_HARD = 16_384;
/** A lobby that sent nothing for so long is not counted among the active ones. */
const ACTIVE_MS = 10_000;
/** What a lobby waits for its next batch, for each active lobby; and the most that this can become. */
const GATHER_MS_EACH = 2;
const GATHER_MS_MAX = 250;
/** Lobbies with visitors speak every 30 s. After three silences their numbers are away. */
export const LOBBY_SILENT_MS = 95_000;
/**
 * In a room with regions they speak every 10 s. Silences are more likely there, and as long as one lasts
 * those whom nobody can reach are called in vain.
 */
const REGIONAL_LOBBY_SILENT_MS = 35_000;
/** A claim time is never shorter, so a call that was lost is told again within it. */
const CALLS_AGAIN_MS = 4_000;

export const lobbyIsFull = (state: RoomState, lobby: LobbyIndex): boolean =>
  state.line.unspentOf(lobby) >= LOBBY_TICKETS_HARD;

/** Another lobby speaks for it since: what this one sees of it is its leaving for there. */
export const isElsewhere = (
  { limits, line, permits }: RoomState,
  lobby: LobbyIndex,
  number: TicketNumber,
): boolean => {
  if (limits.regions === undefined) return false;
  // Of a visit only its permit knows where it was told.
  return (line.lobbyOf(number) ?? permits.of(number)?.lobby ?? lobby) !== lobby;
};

/**
 * The lobbies that take joins: the lowest that have room, more of them as the line grows. In a room
 * with regions each has its own, as many as its part of the line needs.
 */
export const lobbiesOpen = ({ line, limits }: RoomState): LobbyIndex[] => {
  const regions = limits.regions?.length ?? 1;
  const least = Math.ceil(limits.lobbiesMin / regions);
  const open = unspentIn(line, regions).flatMap((unspent, at) => {
    const wanted = Math.max(least, 1 + Math.floor(unspent / (LOBBY_TICKETS / 2)));
    const lowest: LobbyIndex[] = [];
    for (const index of lobbiesIn(at, regions)) {
      if (lowest.length === wanted) break;
      if (line.unspentOf(index) < LOBBY_TICKETS) lowest.push(index);
    }
    return lowest;
  });
  return open.length > 0 ? open : [lobbyIndex(LOBBY_INDEX_MAX)];
};

const unspentIn = (line: Line, regions: number): readonly number[] => {
  if (regions === 1) return [line.unspent];
  const unspent = Array.from({ length: regions }, () => 0);
  for (const index of line.lobbies()) {
    const at = index % regions;
    unspent[at] = (unspent[at] ?? 0) + line.unspentOf(index);
  }
  return unspent;
};

const isActive = (lobby: LobbyState, now: InstantMs): boolean =>
  lobby.heardAt !== null && !isOver(after(lobby.heardAt, ACTIVE_MS), now);

/** How long a lobby gathers: nothing when it is alone, longer the more there are. */
export const gatherMs = (state: RoomState, now: InstantMs): number => {
  let active = 0;
  for (const lobby of state.lobbies.values()) if (isActive(lobby, now)) active += 1;
  return active <= 1 ? 0 : Math.min(GATHER_MS_MAX, active * GATHER_MS_EACH);
};

const spokenBy = ({ instance, sequence, answer }: LobbyState): LobbyDialogue => ({
  instance,
  sequence,
  answer,
});

/** The lobby's record; a new instance of it starts with nothing that was said before. */
export const meetLobby = (state: RoomState, batch: Batch, now: InstantMs): LobbyState => {
  const known = state.lobbies.get(batch.lobby);
  if (known?.instance === batch.instance) {
    known.heardAt = now;
    return known;
  }
  const met: LobbyState = {
    instance: batch.instance,
    sequence: 0,
    answer: null,
    former: known === undefined ? null : spokenBy(known),
    heardAt: now,
    reported: false,
    callsToldAt: now,
    stored: false,
    fresh: true,
  };
  state.lobbies.set(batch.lobby, met);
  // Visitors of the former instance may be on the way back: they keep their order for a grace.
  const present = state.line.presentOf(batch.lobby);
  state.line.markUnconfirmed(batch.lobby);
  for (const number of state.attended.keys()) {
    if (state.line.lobbyOf(number) === batch.lobby) state.attended.delete(number);
  }
  if (present > 0) settleUntil(state, after(now, settlingMs(present)));
  return met;
};

const settleUntil = (state: RoomState, until: InstantMs): void => {
  if (state.settlesUntil === null || state.settlesUntil < until) state.settlesUntil = until;
};

/**
 * The lobby lists its numbers that are there. One that lived through the Room's restart knows who
 * left, too.
 */
export const report = (
  state: RoomState,
  lobby: LobbyState,
  batch: Batch,
  roster: Batch["present"],
  now: InstantMs,
): void => {
  const missing = lobby.fresh ? "unconfirmed" : "away";
  if (state.limits.regions === undefined) state.line.report(batch.lobby, roster, missing, now);
  else reportFromRegion(state, batch.lobby, roster, missing, now);
  lobby.reported = true;
  lobby.fresh = false;
  settleIfAllReported(state, now);
};

/**
 * The rows know only the lobby that a number was issued to: after a restart of the Room the one that
 * speaks for it since has to list it before its own can leave it out.
 */
const reportFromRegion = (
  state: RoomState,
  lobby: LobbyIndex,
  roster: Batch["present"],
  missing: "unconfirmed" | "away",
  now: InstantMs,
): void => {
  const { line, settlesUntil } = state;
  for (const number of roster) {
    const standing = line.standingOf(number);
    if (standing === "unconfirmed" || standing === "away") line.handOver(number, lobby);
  }
  line.report(lobby, roster, settlesUntil === null ? missing : "unconfirmed", now);
};

const settleIfAllReported = (state: RoomState, now: InstantMs): void => {
  if (state.settlesUntil !== null && state.line.unconfirmed === 0) settle(state, now);
};

const settle = (state: RoomState, now: InstantMs): void => {
  state.line.settleAll(now);
  state.settlesUntil = null;
};

/** Steps come every second while somebody waits. After a longer gap the Room itself was away. */
const SLEPT_MS = 10_000;

/**
 * A lobby's silence counts only while the Room could have heard: not while it slept, nor over a
 * jump of its clock.
 */
const discountSleep = (state: RoomState, now: InstantMs): void => {
  const gapMs = now - state.steppedAt;
  state.steppedAt = now;
  if (gapMs <= SLEPT_MS || state.line.waiting === 0) return;
  for (const lobby of state.lobbies.values()) {
    if (lobby.heardAt !== null) lobby.heardAt = after(lobby.heardAt, gapMs);
  }
};

/** Ends the settling when its time is over, and takes the numbers of silent lobbies for absent. */
export const expireLobbies = (state: RoomState, now: InstantMs): void => {
  discountSleep(state, now);
  if (state.settlesUntil !== null && isOver(state.settlesUntil, now)) settle(state, now);
  const silentMs = state.limits.regions === undefined ? LOBBY_SILENT_MS : REGIONAL_LOBBY_SILENT_MS;
  for (const [index, lobby] of state.lobbies) {
    if (lobby.heardAt === null || !isOver(after(lobby.heardAt, silentMs), now)) continue;
    state.line.report(index, [], "away", now);
    lobby.heardAt = null;
    lobby.reported = false;
  }
};

/** Every call of this lobby that is still unanswered. */
const outstandingCalls = (state: RoomState, lobby: LobbyIndex): Call[] => {
  const calls: Call[] = [];
  for (const { number, claimBy, lobby: at } of state.permits.calls())
    if (at === lobby) calls.push({ number, claimBy });
  return calls;
};

/** The lobby is told all its unanswered calls along with this step's. */
export const tellCallsAgain = (
  state: RoomState,
  index: LobbyIndex,
  lobby: LobbyState,
  now: InstantMs,
): void => {
  lobby.callsToldAt = now;
  // A visit that began with its call is not outstanding: it is told once, by its step.
  const begun = (state.callsMade.get(index) ?? []).filter(({ visit }) => visit !== undefined);
  const calls = [...begun, ...outstandingCalls(state, index)];
  if (calls.length > 0) state.callsMade.set(index, calls);
};

/** Calls may be lost on their way: now and then a lobby that is spoken to hears them again. */
export const tellCallsNowAndThen = (state: RoomState, index: LobbyIndex, now: InstantMs): void => {
  const lobby = state.lobbies.get(index);
  if (lobby === undefined || !isOver(after(lobby.callsToldAt, CALLS_AGAIN_MS), now)) return;
  tellCallsAgain(state, index, lobby, now);
};
