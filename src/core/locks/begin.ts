/**
 * Runs under an idempotency key: may one begin, and what is kept of its end. Plain locks are in
 * step.ts.
 */
import { after, isOver, SECOND_MS, type InstantMs } from "../time.ts";
import { bytesOf, keptUntil, type AnswerContent, type AnswerRecord } from "./answers.ts";
import type { Begin, BeginReply, Finish, ReleaseReply } from "./commands.ts";
import type { Holder } from "./lock.ts";
import { namespaceOf } from "./name.ts";
import type { LocksState } from "./state.ts";
import {
  giveBack,
  grant,
  HELD_MAX,
  grantOf,
  putInOrder,
  changeTenure,
  retryAfterMs,
} from "./table.ts";

/**
 * May this run begin? One run for each name until its retention ends: a repeated request gets the
 * outcome of the first run (draft-ietf-httpapi-idempotency-key-header).
 */
export const begin = (state: LocksState, asked: Begin, now: InstantMs): BeginReply => {
  const { name } = asked;
  const tooEarlyMs = state.calls.count(namespaceOf(name), now);
  if (tooEarlyMs > 0)
    return { kind: "refused", refusal: "too-many-calls", retryAfterMs: tooEarlyMs };
  putInOrder(state, name, now);
  const holder = state.locks.get(name)?.holder ?? null;
  const record = liveRecord(asked.record, now);
  if (record !== null) {
    const seen = seenBefore(record, holder, asked);
    if (seen !== null) return seen;
  }
  if (holder !== null) {
    if (record === null || holder.owner !== asked.owner)
      return { kind: "running", retryAfterMs: retryAfterMs(holder, now) };
    const mode = { by: "lease", leaseMs: asked.leaseMs, waitMs: 0 } as const;
    return {
      kind: "granted",
      grant: grantOf(changeTenure(state, holder, mode, now)),
      isNew: false,
    };
  }
  if (state.retention.isFull || state.held >= HELD_MAX * state.shards)
    return { kind: "refused", refusal: "table-full", retryAfterMs: 10_000 };
  if (state.retention.isFullFor(asked.client))
    return { kind: "refused", refusal: "share-full", retryAfterMs: untilSomeGo(state, now) };
  return { kind: "granted", grant: start(state, asked, now), isNew: true };
};

/** How long until the next records go, at the end of a period. */
const untilSomeGo = (state: LocksState, now: InstantMs): number =>
  Math.max(SECOND_MS, (state.retention.nextAt() ?? now) - now);

/** What is on record; null where the run goes on under its own lock. */
const seenBefore = (
  record: AnswerRecord,
  holder: Holder | null,
  asked: Begin,
): BeginReply | null => {
  if (record.fingerprint !== asked.fingerprint) return { kind: "mismatch" };
  switch (record.state) {
    case "finished":
      return { kind: "replay" };
    case "not-kept":
      return { kind: "not-kept", status: record.status };
    case "running":
      return holder?.fence === record.fence ? null : { kind: "unknown" };
    default:
      return record.state satisfies never;
  }
};

const start = (state: LocksState, asked: Begin, now: InstantMs) => {
  const mode = { by: "lease", leaseMs: asked.leaseMs, waitMs: 0 } as const;
  const holder = grant(state, asked.name, asked.owner, mode, now);
  const record: AnswerRecord = {
    name: asked.name,
    fingerprint: asked.fingerprint,
    fence: holder.fence,
    until: keptUntil(after(now, asked.retentionMs)),
    state: "running",
    status: 0,
    bytes: 0,
    client: asked.client,
  };
  putRecord(state, asked.record, record, null);
  return grantOf(holder);
};

/**
 * The run is over. Its answer goes on record even if the lock was lost meanwhile, for nobody else
 * can have begun: an unknown end becomes a known one.
 */
export const finish = (state: LocksState, done: Finish, now: InstantMs): ReleaseReply => {
  const { name, owner } = done;
  const holder = state.locks.get(name)?.holder ?? null;
  const fence = done.fence ?? (holder?.owner === owner ? holder.fence : null);
  const record = liveRecord(done.record, now);
  if (record?.fence === fence && record.state === "running") writeDown(state, record, done, now);
  if (holder?.owner !== owner || holder.fence !== fence) return { kind: "not-yours" };
  giveBack(state, holder, now);
  return { kind: "released" };
};

const writeDown = (
  state: LocksState,
  record: AnswerRecord,
  { outcome, retentionMs }: Finish,
  now: InstantMs,
): void => {
  const until = keptUntil(after(now, retentionMs));
  switch (outcome.kind) {
    case "keep": {
      const { content } = outcome;
      const bytes = bytesOf(content);
      if (!state.retention.mayKeep(record.client, bytes))
        return putRecord(state, record, notKept(record, until, content.status), null);
      const finished = { ...record, until, state: "finished", status: content.status, bytes };
      return putRecord(state, record, finished as AnswerRecord, content);
    }
    case "too-large":
      return putRecord(state, record, notKept(record, until, outcome.status), null);
    case "forget":
      state.retention.take(record);
      state.unsaved.rest.push({ drop: "answer", name: record.name });
      return;
    case "unknown":
      // As it stands: a run without its lock.
      return;
    default:
      outcome satisfies never;
  }
};

const notKept = (record: AnswerRecord, until: InstantMs, status: number): AnswerRecord => ({
  ...record,
  until,
  state: "not-kept",
  status,
});

const putRecord = (
  state: LocksState,
  before: AnswerRecord | null,
  record: AnswerRecord,
  content: AnswerContent | null,
): void => {
  if (before !== null) state.retention.take(before);
  state.retention.put(record);
  state.unsaved.rest.push({ put: "answer", record, content });
};

const liveRecord = (record: AnswerRecord | null, now: InstantMs): AnswerRecord | null =>
  record === null || isOver(record.until, now) ? null : record;
