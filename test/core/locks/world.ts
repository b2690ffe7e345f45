import type { AnswerClient, AnswerRecord } from "../../../src/core/locks/answers.ts";
import type {
  Acquire,
  AcquireReply,
  BeginReply,
  LocksCommand,
  Grant,
  RunOutcome,
  Notification,
} from "../../../src/core/locks/commands.ts";
import type { Fence, Owner, SessionId } from "../../../src/core/locks/lock.ts";
import { MemoryLocksStore } from "../../../src/core/locks/memory-store.ts";
import {
  lockName,
  parseLockKey,
  parseNamespace,
  type LockName,
} from "../../../src/core/locks/name.ts";
import { restoreLocks, type LocksState } from "../../../src/core/locks/state.ts";
import { step, type LocksOutcome, type LocksReplies } from "../../../src/core/locks/step.ts";
import type { LiveSession } from "../../../src/core/locks/stored.ts";
import { instant } from "../../../src/core/time.ts";

export const SECOND = 1_000;
export const LEASE = 30 * SECOND;

export const nameOf = (key: string, namespace = "orders"): LockName => {
  const parsed = { namespace: parseNamespace(namespace), key: parseLockKey(key) };
  if (parsed.namespace === null || parsed.key === null) throw new Error(`no name: ${key}`);
  return lockName(parsed.namespace, parsed.key);
};

/** `a` is the owner of that letter; any text will do. */
export const ownerOf = (text: string): Owner => `owner-${text}`.padEnd(22, "_") as Owner;
export const clientOf = (number: number): AnswerClient => number as AnswerClient;
export const sessionOf = (text: string): SessionId => `session-${text}` as SessionId;

/** A shard on a clock of the test's own, with a store that survives `crash()`. */
export class World {
  now = 1_800_000_000_000;
  readonly store = new MemoryLocksStore();
  /** Sockets that are open, as the object would find them after a sleep. */
  readonly sockets = new Map<SessionId, LiveSession>();
  state: LocksState = this.#load();
  last: LocksOutcome<unknown> | null = null;

  run<Type extends LocksCommand["type"]>(
    command: Extract<LocksCommand, { type: Type }>,
  ): LocksReplies[Type] {
    const outcome = step<Type>(this.state, command, this.now);
    this.store.write(outcome.changes);
    this.last = outcome;
    return outcome.reply;
  }

  /** The step is run, but the process dies before anything of it is written. */
  runLost<Type extends LocksCommand["type"]>(command: Extract<LocksCommand, { type: Type }>): void {
    step<Type>(this.state, command, this.now);
    this.crash();
  }

  acquire(key: string, owner: string, mode: Partial<Acquire["mode"]> = {}): AcquireReply {
    const full = { by: "lease", leaseMs: LEASE, waitMs: 0, ...mode } as Acquire["mode"];
    return this.run({ type: "acquire", name: nameOf(key), owner: ownerOf(owner), mode: full });
  }

  /** Asks over a socket that is named after the owner, unless it is named otherwise. */
  open(key: string, owner: string, session = owner): AcquireReply {
    const id = sessionOf(session);
    const reply = this.acquire(key, owner, { by: "socket", session: id });
    const arrival = reply.kind === "waiting" ? reply.arrival : 0;
    this.sockets.set(id, {
      session: id,
      name: nameOf(key),
      owner: ownerOf(owner),
      arrival,
      since: instant(this.now),
    });
    return reply;
  }

  close(session: string, isClean = true): void {
    this.sockets.delete(sessionOf(session));
    this.run({ type: "drop", session: sessionOf(session), isClean });
  }

  /** Acquires, and expects to get it. */
  hold(key: string, owner: string, mode: Partial<Acquire["mode"]> = {}): Grant {
    return granted(this.acquire(key, owner, mode));
  }

  renew(key: string, owner: string, leaseMs = LEASE): LocksReplies["renew"] {
    return this.run({ type: "renew", name: nameOf(key), owner: ownerOf(owner), leaseMs });
  }

  release(key: string, owner: string): string {
    return this.run({ type: "release", name: nameOf(key), owner: ownerOf(owner) }).kind;
  }

  begin(
    key: string,
    owner: string,
    fingerprint = "f",
    retentionMs = 3_600_000,
    client = clientOf(1),
  ): BeginReply {
    return this.run({
      type: "begin",
      name: nameOf(key),
      owner: ownerOf(owner),
      leaseMs: LEASE,
      fingerprint,
      retentionMs,
      client,
      record: this.record(key),
    });
  }

  finish(key: string, owner: string, fence: Fence | null, outcome: RunOutcome): string {
    return this.run({
      type: "finish",
      name: nameOf(key),
      owner: ownerOf(owner),
      fence,
      retentionMs: 3_600_000,
      outcome,
      record: this.record(key),
    }).kind;
  }

  record(key: string): AnswerRecord | null {
    return this.store.record(nameOf(key));
  }

  list(namespace = "orders", rowsMax = 100): LocksReplies["list"] {
    return this.run({ type: "list", namespace: parseNamespace(namespace)!, rowsMax });
  }

  tick(ms = 0): void {
    this.now += ms;
    this.run({ type: "tick" });
  }

  /** What the last step said to others. */
  get told(): readonly Notification[] {
    return this.last?.told ?? [];
  }

  /** The owners that the last step granted a lock they had waited for. */
  get justGranted(): string[] {
    return this.told.filter(({ event }) => event === "granted").map(({ to }) => plain(to.owner));
  }

  get wakeAt(): number | null {
    return this.last?.wakeAt ?? null;
  }

  /** The process dies: only what was written is left, and no socket. */
  crash(): void {
    this.sockets.clear();
    this.state = this.#load();
  }

  /** The object sleeps and wakes: sockets are still open. */
  sleep(): void {
    this.state = this.#load();
  }

  #load(): LocksState {
    return restoreLocks(this.store.load(), [...this.sockets.values()], this.now);
  }
}

export const plain = (owner: Owner): string => owner.replace(/^owner-|_+$/g, "");

export const granted = (reply: { kind: string }): Grant => {
  if (reply.kind !== "granted") throw new Error(`no hold but ${JSON.stringify(reply)}`);
  return (reply as unknown as { grant: Grant }).grant;
};
