/** The object of a shard of locks, and of the lock rules. What a command does is core/locks. */
import { DurableObject } from "cloudflare:workers";
import type { LocksCommand, Notification } from "../../core/locks/commands.ts";
import { parseOwner, type Holder, type SessionId } from "../../core/locks/lock.ts";
import { parseNamespace } from "../../core/locks/name.ts";
import type { LockRule } from "../../core/locks/rule.ts";
import { LOCK_SEAT_HEADER } from "../../core/locks/seat.ts";
import { restoreLocks, type LocksState } from "../../core/locks/state.ts";
import { step, type LocksOutcome, type LocksReplies } from "../../core/locks/step.ts";
import type { ChangeOf, SettingsChange } from "../../core/settings-change.ts";
import { instant, type InstantMs } from "../../core/time.ts";
import type {
  AcquireAnswer,
  AcquireAsk,
  BeginAnswer,
  BeginAsk,
  FinishAsk,
  HolderAsk,
  LockRules,
  LocksRpc,
  RenewAnswer,
  RuleReply,
} from "./contract.ts";
import { Calls, Watchers } from "./calls.ts";
import { LockRulesKeeper } from "./rules.ts";
import { closeSocket, isCleanClose, LocksSockets, SILENT_MAX_MS } from "./sockets.ts";
import { SqlLocksStore } from "./store.ts";
import { logFailure } from "../log.ts";

/** A call that waits for a run's end looks again at least so often: its lock may be lost, not freed. */
const LOOK_AGAIN_MS = 1_000;
const RETRY_ALARM_MS = 1_000;
const DROP_TRIES = 2;

/** One shard of named locks: reads the clock, runs the step, writes what changed, then answers. */
export class Locks extends DurableObject implements LocksRpc {
  readonly #store: SqlLocksStore;
  readonly #rules: LockRulesKeeper;
  readonly #sockets: LocksSockets;
  readonly #calls = new Calls();
  readonly #watchers = new Watchers();
  #state: LocksState | null = null;
  /** A write has failed: what sockets were told may be less than what is written. */
  #isTorn = false;
  /** On the machine's clock. */
  #alarmAt: number | null = null;
  #timer: number | null = null;
  #timerAt = 0;

  /** `ruleChanged` knows the settings' names and bounds, which are the Worker's. */
  constructor(ctx: DurableObjectState, env: unknown, ruleChanged: ChangeOf<LockRule>) {
    super(ctx, env as never);
    this.#store = new SqlLocksStore(ctx.storage);
    this.#rules = new LockRulesKeeper(ctx.storage, ruleChanged);
    this.#sockets = new LocksSockets(ctx);
  }

  override alarm(): void {
    this.#alarmAt = null;
    try {
      this.#dropSilent();
      this.#run({ type: "tick" });
    } catch (error) {
      // The runtime would try six times and give up; a second from now is soon enough.
      logFailure("locks-tick", error);
      this.#setAlarm(Date.now() + RETRY_ALARM_MS);
    }
  }

  async acquire({ name, owner, leaseMs, waitMs, ask }: AcquireAsk): Promise<AcquireAnswer> {
    const mode = { by: "lease", leaseMs, waitMs } as const;
    const { reply } = this.#run({ type: "acquire", name, owner, mode });
    this.#calls.note(name, owner, ask);
    if (reply.kind !== "waiting") return reply;
    const answer = this.#calls.wait(name, owner);
    this.#keepTimer();
    return answer;
  }

  renew({ name, owner, leaseMs }: HolderAsk & { leaseMs: number }): Promise<RenewAnswer> {
    return Promise.resolve(this.#run({ type: "renew", name, owner, leaseMs }).reply);
  }

  release({ name, owner }: HolderAsk): Promise<boolean> {
    const { reply } = this.#run({ type: "release", name, owner });
    return Promise.resolve(reply.kind === "released");
  }

  abandonAcquire({ name, owner, ask }: HolderAsk & { ask: string }): Promise<void> {
    if (this.#calls.isLast(name, owner, ask)) this.#run({ type: "release", name, owner });
    return Promise.resolve();
  }

  async begin({ waitMs, ...asked }: BeginAsk): Promise<BeginAnswer> {
    const until = Date.now() + waitMs;
    for (;;) {
      const { reply } = this.#begin(asked);
      if (reply.kind === "replay") {
        const content = this.#store.content(asked.name);
        if (content !== null) return { kind: "replay", content };
        return { kind: "not-kept", status: this.#store.record(asked.name)?.status ?? 200 };
      }
      const leftMs = until - Date.now();
      if (reply.kind !== "running" || leftMs <= 0 || this.#watchers.isCrowded(asked.name))
        return reply;
      await this.#watchers.freed(asked.name, Math.min(leftMs, LOOK_AGAIN_MS));
    }
  }

  finish(asked: FinishAsk): Promise<void> {
    const record = this.#load() && this.#store.record(asked.name);
    this.#run({ type: "finish", ...asked, record });
    return Promise.resolve();
  }

  list(namespace: string, rowsMax: number): Promise<LocksReplies["list"] & { now: InstantMs }> {
    const parsed = parseNamespace(namespace);
    const none = { reply: { rows: [], locks: 0, waiting: 0 }, now: instant(Date.now()) };
    const { reply, now } =
      parsed === null ? none : this.#run({ type: "list", namespace: parsed, rowsMax });
    return Promise.resolve({ ...reply, now });
  }

  override fetch(request: Request): Promise<Response> {
    const asked = JSON.parse(
      decodeURIComponent(request.headers.get(LOCK_SEAT_HEADER) ?? "null"),
    ) as HolderAsk | null;
    const pair = new WebSocketPair();
    if (asked === null || parseOwner(asked.owner) === null)
      return Promise.resolve(new Response(null, { status: 400 }));
    this.#seat(pair[1], asked);
    return Promise.resolve(new Response(null, { status: 101, webSocket: pair[0] }));
  }

  override webSocketMessage(socket: WebSocket): void {
    // A ping is answered without us, and there is nothing else to say.
    const session = this.#sockets.sessionOf(socket);
    if (session === null) closeSocket(socket, "bad-message");
    else this.#dropSession(session, "bad-message");
  }

  override webSocketClose(
    socket: WebSocket,
    code: number,
    reason: string,
    wasClean: boolean,
  ): void {
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

  override webSocketError(socket: WebSocket): void {
    this.webSocketClose(socket, 1006, "", false);
  }

  rules(version: number | null): Promise<LockRules | null> {
    return Promise.resolve(this.#rules.since(version));
  }

  createRule(rule: LockRule): Promise<RuleReply<LockRule>> {
    return Promise.resolve(this.#rules.create(rule, instant(Date.now())));
  }

  changeRule(
    name: string,
    change: SettingsChange,
    readAt?: InstantMs,
  ): Promise<RuleReply<LockRule>> {
    return Promise.resolve(this.#rules.change(name, change, instant(Date.now()), readAt));
  }

  deleteRule(name: string): Promise<RuleReply<string>> {
    return Promise.resolve(this.#rules.delete(name));
  }

  #begin(asked: Omit<BeginAsk, "waitMs">): LocksOutcome<LocksReplies["begin"]> {
    const record = this.#load() && this.#store.record(asked.name);
    return this.#run({ type: "begin", ...asked, record });
  }

  /** The socket is the lock: it waits in line, and holds until it closes. */
  #seat(socket: WebSocket, { name, owner }: HolderAsk): void {
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
    return this.#setAlarm(Date.now() + SILENT_MAX_MS);
  }

  #load(): LocksState {
    if (this.#state !== null) return this.#state;
    this.#store.prepare();
    this.#state = restoreLocks(this.#store.load(), this.#sockets.live(), Date.now());
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

  /** Nothing is answered or sent before it is written: what throws is forgotten and loaded again. */
  #run<Type extends LocksCommand["type"]>(
    command: Extract<LocksCommand, { type: Type }>,
  ): LocksOutcome<LocksReplies[Type]> {
    const state = this.#load();
    let outcome: LocksOutcome<LocksReplies[Type]>;
    try {
      outcome = step<Type>(state, command, Date.now());
      this.#store.write(outcome.changes);
    } catch (error) {
      this.#forget(error);
      throw error;
    }
    for (const told of outcome.told) this.#tell(told);
    for (const name of outcome.freed) this.#watchers.tell(name);
    if (outcome.wakeAt !== null) this.#setAlarm(state.clock.onMachine(outcome.wakeAt));
    this.#keepTimer();
    return outcome;
  }

  /** What is written is the truth, whatever the step did in memory: it is loaded again soon. */
  #forget(error: unknown): void {
    this.#state = null;
    this.#isTorn = true;
    this.#calls.failAll(error);
    this.#setAlarm(Date.now() + RETRY_ALARM_MS);
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
    if (nextAt !== null) this.#setAlarm(nextAt);
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

  /** Only ever moved earlier: an alarm that comes too early finds nothing, and costs less than a row. */
  #setAlarm(at: number): void {
    if (this.#alarmAt !== null && this.#alarmAt <= at) return;
    this.#alarmAt = at;
    this.ctx.storage.setAlarm(at).catch((error: unknown) => {
      this.#alarmAt = null;
      logFailure("locks-alarm", error);
    });
  }

  /**
   * Calls that wait keep the object awake anyhow, and a timer is more exact than an alarm. Only ever
   * moved earlier, as most waits end before their time: a timer that comes too early looks again.
   */
  #keepTimer(): void {
    const due = this.#calls.isEmpty ? null : (this.#state?.dues.first() ?? null);
    const at = due === null ? null : (this.#state?.clock.onMachine(due.at) ?? null);
    if (at !== null && this.#timer !== null && this.#timerAt <= at) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (at === null) return;
    this.#timerAt = at;
    this.#timer = setTimeout(() => this.#onTimer(), Math.max(0, at - Date.now()));
  }

  #onTimer(): void {
    this.#timer = null;
    try {
      this.#run({ type: "tick" });
    } catch (error) {
      logFailure("locks-timer", error);
    }
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
