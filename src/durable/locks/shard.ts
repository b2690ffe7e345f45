/**
 * Locks in their object: reads the clock, runs the step, writes what changed, then answers. What a
 * command does is core/locks; which object is asked is locks.ts.
 */
import type { AnswerRecord } from "../../core/locks/answers.ts";
import type { LocksCommand, MovedShard, Notification } from "../../core/locks/commands.ts";
import type { Holder, SessionId } from "../../core/locks/lock.ts";
import type { LockName, Namespace } from "../../core/locks/name.ts";
import { restoreLocks, type LocksState } from "../../core/locks/state.ts";
import { step, stepAll, type LocksOutcome, type LocksReplies } from "../../core/locks/step.ts";
import { instant, type InstantMs } from "../../core/time.ts";
import { logFailure } from "../log.ts";
import { acquireCommand, beginCommand, commandFor, finishCommand } from "./asks.ts";
import { Calls, Watchers } from "./calls.ts";
import type {
  AcquireAnswer,
  AcquireAsk,
  BeginAnswer,
  BeginAsk,
  FinishAsk,
  HolderAsk,
  LeaveAnswer,
  LockAsk,
  LockReply,
  RenewAnswer,
  RenewAsk,
} from "./contract.ts";
import { closeSocket, isCleanClose, LocksSockets, SILENT_MAX_MS } from "./sockets.ts";
import { SqlLocksStore } from "./store.ts";
import { Wakeups } from "./wakeups.ts";

/** A call that waits for a run's end looks again at least so often: its lock may be lost, not freed. */
const LOOK_AGAIN_MS = 1_000;
const RETRY_ALARM_MS = 1_000;
const DROP_TRIES = 2;

export class LockShard {
  /** How many shards are kept here together. */
  readonly #shards: number;
  readonly #store: SqlLocksStore;
  readonly #sockets: LocksSockets;
  readonly #calls = new Calls();
  readonly #watchers = new Watchers();
  #state: LocksState | null = null;
  /** A write has failed: what sockets were told may be less than what is written. */
  #isTorn = false;
  readonly #wakeups: Wakeups;

  constructor(ctx: DurableObjectState, shards: number) {
    this.#shards = shards;
    this.#store = new SqlLocksStore(ctx.storage);
    this.#sockets = new LocksSockets(ctx);
    this.#wakeups = new Wakeups(ctx, () => this.#run({ type: "tick" }));
  }

  /** The alarm went off. */
  wake(): void {
    this.#wakeups.alarmWentOff();
    try {
      this.#dropSilent();
      this.#run({ type: "tick" });
    } catch (error) {
      // The runtime would try six times and give up; a second from now is soon enough.
      logFailure("locks-tick", error);
      this.#wakeups.setAlarm(Date.now() + RETRY_ALARM_MS);
    }
  }

  /**
   * Many asks in one go, each answered on its own. Their writes are one, as nothing is awaited between
   * them; who has to wait in line hears so, and comes again by `acquire` with the same ask.
   */
  answerAll(asks: readonly LockAsk[]): LockReply[] {
    const replies: LockReply[] = [];
    let group: LockAsk[] = [];
    const names = new Set<LockName>();
    for (const ask of asks) {
      // A later ask for the same lock has to see what an earlier one wrote and told.
      if (names.has(ask.name)) {
        replies.push(...this.#answerGroup(group));
        group = [];
        names.clear();
      }
      names.add(ask.name);
      group.push(ask);
    }
    replies.push(...this.#answerGroup(group));
    return replies;
  }

  async acquire(asked: AcquireAsk): Promise<AcquireAnswer> {
    const { name, owner, ask } = asked;
    const told = this.#calls.pending(name, owner, ask);
    if (told !== null) return told;
    const { reply } = this.#run(acquireCommand(asked));
    this.#calls.note(name, owner, ask);
    if (reply.kind !== "waiting") return reply;
    const answer = this.#calls.wait(name, owner, null);
    this.#keepTimer();
    return answer;
  }

  renew({ name, owner, leaseMs }: RenewAsk): RenewAnswer {
    return this.#run({ type: "renew", name, owner, leaseMs }).reply;
  }

  release({ name, owner }: HolderAsk): boolean {
    return this.#run({ type: "release", name, owner }).reply.kind === "released";
  }

  abandonAcquire({ name, owner, ask }: HolderAsk & { ask: string }): void {
    if (this.#calls.isLast(name, owner, ask)) this.#run({ type: "release", name, owner });
  }

  async begin({ waitMs, ...asked }: BeginAsk): Promise<BeginAnswer> {
    const until = Date.now() + waitMs;
    for (;;) {
      const answer = this.#beginAnswer(
        asked.name,
        this.#run(beginCommand(asked, this.#recordOf(asked.name))).reply,
      );
      const leftMs = until - Date.now();
      if (answer.kind !== "running" || leftMs <= 0 || this.#watchers.isCrowded(asked.name))
        return answer;
      await this.#watchers.freed(asked.name, Math.min(leftMs, LOOK_AGAIN_MS));
    }
  }

  finish(asked: FinishAsk): void {
    this.#run(finishCommand(asked, this.#recordOf(asked.name)));
  }

  list(namespace: Namespace | null, rowsMax: number): LocksReplies["list"] & { now: InstantMs } {
    if (namespace === null) return { rows: [], locks: 0, waiting: 0, now: instant(Date.now()) };
    const { reply, now } = this.#run({ type: "list", namespace, rowsMax });
    return { ...reply, now };
  }

  /** Does the object of all shards keep this one? */
  hasMoved(shard: number): boolean {
    return this.#load().moved.has(shard);
  }

  leave(shard: number): LeaveAnswer {
    const { reply } = this.#run({ type: "leave", shard });
    if (reply.kind === "stays") return null;
    const { head, holders } = reply;
    return { head, holders, answers: this.#store.answers() };
  }

  takeIn(shard: number, moved: MovedShard): void {
    this.#run({ type: "take-in", shard, moved });
  }

  socketSaid(socket: WebSocket): void {
    // A ping is answered without us, and there is nothing else to say.
    const session = this.#sockets.sessionOf(socket);
    if (session === null) closeSocket(socket, "bad-message");
    else this.#dropSession(session, "bad-message");
  }

  socketClosed(socket: WebSocket, code: number, reason: string, wasClean: boolean): void {
    const session = this.#sockets.sessionOf(socket);
    if (session !== null) {
      this.#drop(session, isCleanClose(code, wasClean));
      this.#sockets.remove(session);
    }
    try {
      socket.close(code === 1005 || code === 1006 ? 1000 : code, reason);
    } catch {
      // Closed from both sides: nothing is left to answer.
    }
  }

  /** The socket is the lock: it waits in line, and holds until it closes. */
  seat(socket: WebSocket, { name, owner }: HolderAsk): void {
    if (this.#sockets.isFull) return refuseSocket(socket, "too-many");
    const session = crypto.randomUUID() as SessionId;
    const mode = { by: "socket", session } as const;
    const { reply, now } = this.#run({ type: "acquire", name, owner, mode });
    if (reply.kind === "refused" || reply.kind === "held")
      return refuseSocket(socket, reply.kind === "refused" ? reply.refusal : "line-full");
    try {
      const place = { arrival: reply.kind === "waiting" ? reply.arrival : 0, since: now };
      this.#sockets.accept(socket, { name, owner, session }, place, Date.now());
    } catch (error) {
      this.#drop(session, true);
      throw error;
    }
    if (reply.kind === "waiting")
      this.#sockets.tell(session, { type: "waiting", ahead: reply.ahead });
    else this.#tellGranted(session, reply.grant);
    return this.#wakeups.setAlarm(Date.now() + SILENT_MAX_MS);
  }

  #load(): LocksState {
    if (this.#state !== null) return this.#state;
    this.#store.prepare();
    this.#state = restoreLocks(this.#store.load(), this.#sockets.live(), Date.now(), this.#shards);
    if (this.#isTorn) this.#tellHolders(this.#state);
    this.#isTorn = false;
    return this.#state;
  }

  /** Tells holders again: one granted by a write that was made after all may not know it yet. */
  #tellHolders(state: LocksState): void {
    for (const { holder } of state.locks.values())
      if (holder?.tenure.by === "socket") this.#tellGranted(holder.tenure.session, holder);
  }

  #tellGranted(session: SessionId, { owner, fence }: Pick<Holder, "owner" | "fence">): void {
    this.#sockets.tell(session, { type: "granted", owner, fence });
  }

  #answerGroup(group: readonly LockAsk[]): LockReply[] {
    if (group.length === 0) return [];
    const commands = group.map((ask) => commandFor(ask, (name) => this.#recordOf(name)));
    const { reply } = this.#perform((state, now) => stepAll(state, commands, now));
    // After an older call of the same owner was told that its place is taken.
    group.forEach((ask, at) => {
      if (ask.op !== "acquire") return;
      this.#calls.note(ask.name, ask.owner, ask.ask);
      const { kind } = reply[at] as LocksReplies["acquire"];
      if (kind === "waiting") void this.#calls.wait(ask.name, ask.owner, ask.ask);
    });
    this.#keepTimer();
    return group.map((ask, at) => {
      const answer = reply[at] as LocksReplies[(typeof ask)["op"]];
      return ask.op === "begin"
        ? this.#beginAnswer(ask.name, answer as LocksReplies["begin"])
        : (answer as LockReply);
    });
  }

  #recordOf(name: LockName): AnswerRecord | null {
    this.#load();
    return this.#store.record(name);
  }

  /** With what is on record, where it is to be given again. */
  #beginAnswer(name: LockName, reply: LocksReplies["begin"]): BeginAnswer {
    if (reply.kind !== "replay") return reply;
    const content = this.#store.content(name);
    if (content !== null) return { kind: "replay", content };
    return { kind: "not-kept", status: this.#store.record(name)?.status ?? 200 };
  }

  #run<Type extends LocksCommand["type"]>(
    command: Extract<LocksCommand, { type: Type }>,
  ): LocksOutcome<LocksReplies[Type]> {
    return this.#perform((state, now) => step<Type>(state, command, now));
  }

  /** Nothing is answered or sent before it is written: what throws is forgotten and loaded again. */
  #perform<Reply>(
    steps: (state: LocksState, machineNow: number) => LocksOutcome<Reply>,
  ): LocksOutcome<Reply> {
    const state = this.#load();
    let outcome: LocksOutcome<Reply>;
    try {
      outcome = steps(state, Date.now());
      this.#store.write(outcome.changes);
    } catch (error) {
      this.#forget(error);
      throw error;
    }
    for (const told of outcome.told) this.#tell(told);
    for (const name of outcome.freed) this.#watchers.tell(name);
    if (outcome.wakeAt !== null) this.#wakeups.setAlarm(state.clock.onMachine(outcome.wakeAt));
    this.#keepTimer();
    return outcome;
  }

  /** What is written is the truth, whatever the step did in memory: it is loaded again soon. */
  #forget(error: unknown): void {
    this.#state = null;
    this.#isTorn = true;
    this.#calls.failAll(error);
    this.#wakeups.setAlarm(Date.now() + RETRY_ALARM_MS);
  }

  #tell(told: Notification): void {
    const { name, owner, session } = told.to;
    switch (told.event) {
      case "granted": {
        const { grant } = told;
        if (session === null)
          this.#calls.answer(name, owner, { kind: "granted", isNew: true, grant });
        else this.#tellGranted(session, grant);
        return;
      }
      case "moved":
        if (session !== null) this.#sockets.tell(session, { type: "waiting", ahead: told.ahead });
        return;
      case "timed-out":
        return this.#calls.answer(name, owner, { kind: "held", retryAfterMs: told.retryAfterMs });
      case "taken-over":
        if (session === null) return this.#calls.answer(name, owner, { kind: "taken-over" });
        return this.#sockets.close(session, "taken-over");
      default:
        told satisfies never;
    }
  }

  #dropSilent(): void {
    const { vanished, nextAt } = this.#sockets.silent(Date.now());
    for (const session of vanished) this.#dropSession(session, "silent");
    if (nextAt !== null) this.#wakeups.setAlarm(nextAt);
  }

  #dropSession(session: SessionId, reason: "silent" | "bad-message"): void {
    this.#drop(session, false);
    this.#sockets.close(session, reason);
  }

  /** Tried twice; if it can't be written down the shard is loaded again, and finds the socket gone. */
  #drop(session: SessionId, isClean: boolean): void {
    for (let tries = 0; tries < DROP_TRIES; tries += 1) {
      try {
        this.#run({ type: "drop", session, isClean });
        return;
      } catch (error) {
        logFailure("locks-drop", error);
      }
    }
  }

  /** For calls that wait: when the next lock is due. */
  #keepTimer(): void {
    const due = this.#calls.isEmpty ? null : (this.#state?.dues.first() ?? null);
    this.#wakeups.keepTimer(due === null ? null : (this.#state?.clock.onMachine(due.at) ?? null));
  }
}

const CLOSE_FOR = {
  "too-many": "too-many",
  "line-full": "too-many",
  "table-full": "try-again",
  "too-many-calls": "try-again",
  "share-full": "try-again",
} as const;

/** Accepted first: a client is told nothing else than a close's reason. */
const refuseSocket = (socket: WebSocket, why: keyof typeof CLOSE_FOR): void => {
  socket.accept();
  closeSocket(socket, CLOSE_FOR[why]);
};
