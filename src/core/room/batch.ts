/**
 * Runs a lobby's batch: presence, then its ops, once each. The ops themselves are in
 * tickets.ts, visits.ts, requests.ts, door.ts and batons.ts.
 */
import type { InstantMs } from "../time.ts";
import { isNobodyAway, nextInLine, takeBaton } from "./batons.ts";
import type { Batch, BatchAnswer, Op, OpReply } from "./commands.ts";
import {
  gatherMs,
  isElsewhere,
  meetLobby,
  report,
  tellCallsAgain,
  tellCallsNowAndThen,
} from "./lobbies.ts";
import type { LobbyState, RoomState, LobbyDialogue } from "./state.ts";
import { enter } from "./door.ts";
import { rejoin, claim, join, leave, type LateReply } from "./tickets.ts";
import { moment, request, withdraw } from "./requests.ts";
import { end, peek, renew } from "./visits.ts";

/** How many ops a lobby sends at once at most, so that no answer outgrows a row. */
export const BATCH_OPS_MAX = 2_000;

const RETRY_STALE_MS = 1_000;

/** Ops that may run again after a crash without effect; the others need their stored answer. */
const repeatable = ({ op }: Op): boolean => op !== "join" && op !== "enter" && op !== "request";

const perform = (state: RoomState, batch: Batch, op: Op, now: InstantMs): LateReply => {
  switch (op.op) {
    case "join":
      return join(state, batch.lobby, op, now);
    case "rejoin":
      return rejoin(state, batch.lobby, op, now);
    case "request":
      return request(state, batch.lobby, op, now);
    case "withdraw":
      return withdraw(state, batch.lobby, op.number, now);
    case "baton":
      return takeBaton(state, op, now);
    case "moment":
      return moment(state, op.holdMs, now);
    case "leave":
      leave(state, op.number, now);
      return { kind: "done" };
    case "claim":
      return claim(state, op, now);
    case "enter":
      return enter(state, batch.lobby, op, now);
    case "renew":
      return renew(state, op.visit, now);
    case "peek":
      return peek(state, op.visit);
    case "end":
      return end(state, op.visit, op.afterMs, now) ? { kind: "done" } : { kind: "ended" };
    default:
      return op satisfies never;
  }
};

/** Presence first, then the ops in the order in which they came. */
const runFresh = (
  state: RoomState,
  lobby: LobbyState,
  batch: Batch,
  now: InstantMs,
): (() => readonly OpReply[]) => {
  if (batch.roster !== null) report(state, lobby, batch, batch.roster, now);
  for (const number of batch.away) {
    if (!isElsewhere(state, batch.lobby, number)) state.line.markAway(number, now);
  }
  for (const number of batch.present) state.line.markPresent(number);
  const late = batch.ops.map((op) => perform(state, batch, op, now));
  return () => late.map((reply) => (typeof reply === "function" ? reply() : reply));
};

/** What a lobby hears to a batch that it has sent before; null for a new one. */
const answered = (lobby: LobbyDialogue, batch: Batch): readonly OpReply[] | null => {
  if (batch.sequence > lobby.sequence || lobby.answer === null) return null;
  if (batch.sequence === lobby.sequence) return JSON.parse(lobby.answer) as readonly OpReply[];
  // A straggler whose answer has long been read: another batch's answer must never pass for its own.
  return batch.ops.map(() => ({ kind: "refused", refusal: "busy", retryAfterMs: RETRY_STALE_MS }));
};

const remember = (
  state: RoomState,
  lobby: LobbyState,
  batch: Batch,
  replies: readonly OpReply[],
): void => {
  lobby.sequence = batch.sequence;
  lobby.answer = JSON.stringify(replies);
  const { instance, sequence, answer } = lobby;
  if (lobby.stored && batch.ops.every(repeatable)) return;
  lobby.stored = true;
  state.unsaved.rest.push({
    put: "lobby",
    row: { lobby: batch.lobby, instance, sequence, answer },
  });
};

/**
 * A late batch of the lobby's former life gets its old answer, and does not begin that life again.
 */
const echo = (state: RoomState, batch: Batch): readonly OpReply[] | null => {
  const former = state.lobbies.get(batch.lobby)?.former;
  return former?.instance === batch.instance ? answered(former, batch) : null;
};

/** One batch of a lobby. Repeated, it changes nothing and gets the answer that it got before. */
export const runBatch = (state: RoomState, batch: Batch, now: InstantMs): (() => BatchAnswer) => {
  const echoed = echo(state, batch);
  if (echoed !== null) {
    return () => ({ replies: echoed, waitMs: 0, reportWanted: false });
  }
  const lobby = meetLobby(state, batch, now);
  const before = answered(lobby, batch);
  const replies = before === null ? runFresh(state, lobby, batch, now) : () => before;
  return () => {
    const all = replies();
    if (before === null) remember(state, lobby, batch, all);
    if (before !== null || batch.roster !== null) tellCallsAgain(state, batch.lobby, lobby, now);
    else tellCallsNowAndThen(state, batch.lobby, now);
    const next = batch.passesBatons === true ? nextInLine(state, batch.lobby, lobby, now) : null;
    return {
      replies: all,
      waitMs: gatherMs(state, now),
      reportWanted: !lobby.reported,
      ...(next === null ? {} : { next, nobodyAway: isNobodyAway(state) }),
    };
  };
};
