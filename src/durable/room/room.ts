/**
 * The Room object: the shell around core/room. It reads the clock, stores, and speaks to lobbies;
 * it has no rule of its own.
 */
import { DurableObject } from "cloudflare:workers";
import { liveMessage } from "../../core/live/message.ts";
import type { NotedAlert } from "../../core/alerts/alert.ts";
import { changedAt, type RoomDefinition } from "../../core/definition.ts";
import type { EdgeReport } from "../../core/edge-report.ts";
import type { EventId } from "../../core/events/event.ts";
import { plannedEventsOf } from "../../core/events/planned.ts";
import { lobbyIndex, type LobbyIndex, type VisitId } from "../../core/ids.ts";
import { NO_PACE } from "../../core/pace/pace.ts";
import { roomIdIn, type RoomAddress } from "../../core/regions/address.ts";
import type { PaceAsk } from "../../core/pace/signal.ts";
import type { Batch, BatchAnswer, Command, OpReply } from "../../core/room/commands.ts";
import type { DeskAct, DeskReply } from "../../core/room/desk.ts";
import type { NamedDraw, RoundWanted } from "../../core/room/draw-state.ts";
import { drawsOf, type DrawReply } from "../../core/room/draws.ts";
import type { HistoryRow } from "../../core/room/history.ts";
import type { HistoryStep } from "../../core/room/history-steps.ts";
import { stepLimitsOf } from "../../core/room/limits.ts";
import type { PaceView } from "../../core/room/pace.ts";
import { MemoryRoomStore } from "../../core/room/memory-store.ts";
import { restoreRoom, type RoomState } from "../../core/room/state.ts";
import { step, type RoomOutcome, type RoomReplies } from "../../core/room/step.ts";
import { liveFigures } from "../../core/room/live.ts";
import type { RoomSnapshot, SnapshotVersion } from "../../core/snapshot.ts";
import { instant, type InstantMs } from "../../core/time.ts";
import type { DeskWho, RoomMeter, RoomUpdate, RoomRpc, VisitReply } from "../contract.ts";
import { logFailure } from "../log.ts";
import { overReply } from "../over-reply.ts";
import { tellAnalytics } from "./analytics.ts";
import { findNumber, happenedTo } from "./desk.ts";
import { minutesTold } from "./history.ts";
import { DrandRelays } from "./drand.ts";
import type { RoomEnv } from "./env.ts";
import { LobbiesTold } from "./lobbies-told.ts";
import { SqlRoomStore } from "./store.ts";
import { RoomWatchers } from "./watchers.ts";

const DEFINED_AT = "defined-at";
/** Set while the room is deleted and can be restored. */
const RETIRED = "retired";
const NOTHING = new MemoryRoomStore().load();
const NOBODY_BOOT = "gone";

/** The truth of one room: reads the clock, runs the step, writes what changed, then answers. */
export class Room extends DurableObject<RoomEnv> implements RoomRpc {
  readonly #store: SqlRoomStore;
  readonly #address: RoomAddress;
  #state: RoomState | null = null;
  readonly #relays: DrandRelays;
  readonly #watchers: RoomWatchers;
  readonly #lobbies: LobbiesTold;
  #alarmAt: InstantMs | null = null;

  constructor(ctx: DurableObjectState, env: RoomEnv) {
    super(ctx, env);
    this.#store = new SqlRoomStore(ctx.storage);
    this.#address = (ctx.id.name ?? "") as RoomAddress;
    this.#relays = new DrandRelays(env.DRAND_URL);
    this.#lobbies = new LobbiesTold(ctx, env.LOBBY, this.#address, () => this.#load());
    this.#watchers = new RoomWatchers(ctx, {
      message: () => this.#liveMessage(),
      living: async (tokens) => await env.REGISTRY.getByName("registry").livingTokens(tokens),
    });
  }

  override alarm(): void {
    this.#alarmAt = null;
    try {
      this.#run({ type: "tick" }, null);
    } catch (error) {
      // The runtime would try six times and give up; the next second is soon enough.
      logFailure("room-tick", error);
      this.#setAlarm(instant(Date.now() + 1_000));
    }
  }

  async configure(definition: RoomDefinition): Promise<void> {
    if (this.#isOutdated(definition)) return;
    this.ctx.storage.kv.delete(RETIRED);
    this.#store.prepare();
    // First waits until no lobby may pass batons by the old limits any more.
    const { reply: leftMs } = this.#run({ type: "withhold" }, null);
    if (leftMs > 0) await scheduler.wait(leftMs);
    if (this.#isOutdated(definition)) return;
    const planned = { events: plannedEventsOf(definition), pace: definition.pace ?? NO_PACE };
    this.#run({ type: "configure", limits: stepLimitsOf(definition), ...planned }, null);
    this.ctx.storage.kv.put(DEFINED_AT, changedAt(definition));
  }

  /** A definition that was under way for long must not undo a newer one. */
  #isOutdated(definition: RoomDefinition): boolean {
    return changedAt(definition) < (this.ctx.storage.kv.get<number>(DEFINED_AT) ?? 0);
  }

  batch(batch: Batch): Promise<{ answer: BatchAnswer; update: RoomUpdate }> {
    if (!this.#isHere) return Promise.resolve(this.#gone(batch));
    const outcome = this.#run({ type: "batch", batch }, batch.lobby);
    const update = this.#lobbies.updateFor(batch.lobby, outcome);
    return Promise.resolve({ answer: outcome.reply, update });
  }

  /**
   * A lobby that has not heard yet that the room is gone hears that it is busy, and no room is made
   * again.
   */
  #gone({ lobby, ops }: Batch): { answer: BatchAnswer; update: RoomUpdate } {
    const outcome = this.#run({ type: "tick" }, null);
    const busy = { kind: "refused", refusal: "busy", retryAfterMs: 2_000 } as const;
    const replies = ops.map(() => busy);
    const answer: BatchAnswer = { replies, waitMs: 0, reportWanted: false };
    return { answer, update: this.#lobbies.updateFor(lobby, outcome) };
  }

  snapshot(since: SnapshotVersion | null, report: EdgeReport | null = null): Promise<RoomSnapshot> {
    return Promise.resolve(
      this.#run({ type: "snapshot", since, report: asReport(report) }, null).reply,
    );
  }

  peek(visit: VisitId): Promise<VisitReply> {
    const { reply, now } = this.#run({ type: "peek", visit }, null);
    return Promise.resolve(visitReply(reply, now));
  }

  pace(ask: PaceAsk | "taken-back" | null): Promise<PaceView> {
    return Promise.resolve(this.#run({ type: "signal", ask }, null).reply);
  }

  end(visit: VisitId, afterMs: number): Promise<boolean> {
    return Promise.resolve(this.#run({ type: "end", visit, afterMs }, null).reply);
  }

  async desk(who: DeskWho, act: DeskAct): Promise<DeskReply> {
    // Loaded first: rows of an older version have no table of what happened until then.
    const state = this.#load();
    const number =
      "number" in who
        ? who.number
        : await findNumber(state, who.reference, (index) => this.#lobbies.lobby(index));
    if (number === null) return { kind: "never-issued" };
    const kept = this.#isHere ? happenedTo(this.#store, number) : null;
    return this.#run({ type: "desk", number, act, kept }, null).reply;
  }

  revokeAll(): Promise<number> {
    return Promise.resolve(this.#run({ type: "revoke-all" }, null).reply);
  }

  draws(): Promise<readonly NamedDraw[]> {
    this.#run({ type: "tick" }, null);
    return Promise.resolve(drawsOf(this.#load()));
  }

  enterDrawValue(event: EventId, text: string): Promise<DrawReply> {
    const value = { from: "witnesses", text } as const;
    return Promise.resolve(this.#run({ type: "draw", event, value }, null).reply);
  }

  history(
    minutes: number,
    until: InstantMs | null = null,
    every: HistoryStep = "minute",
  ): Promise<readonly HistoryRow[]> {
    const { now } = this.#run({ type: "tick" }, null);
    const asked = { minutes, until, step: every };
    return Promise.resolve(minutesTold(this.#store, this.#load().history, asked, now));
  }

  meter(): Promise<RoomMeter> {
    return Promise.resolve(this.#run({ type: "meter" }, null).reply);
  }

  async retire(deletedAt: InstantMs): Promise<void> {
    if (deletedAt < (this.ctx.storage.kv.get<number>(DEFINED_AT) ?? 0)) return;
    const lobbies = this.#lobbiesKnown();
    if (this.#isHere) {
      // Paused first: nobody is called by the permits that come free.
      const { own, plan } = this.#load();
      const paused = { ...own, paused: true };
      this.#run({ type: "configure", limits: paused, events: plan.list }, null);
      this.#run({ type: "revoke-all" }, null);
      this.ctx.storage.kv.put(DEFINED_AT, deletedAt);
      this.ctx.storage.kv.put(RETIRED, true);
      this.#state = null;
      this.#setAlarm(null);
    }
    this.#watchers.closeAll("room-gone");
    await this.#lobbies.closeAll(lobbies);
  }

  async erase(): Promise<void> {
    this.#watchers.closeAll("room-gone");
    await this.#lobbies.closeAll(this.#lobbiesKnown());
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.#alarmAt = null;
    this.#state = null;
  }

  override fetch(request: Request): Promise<Response> {
    return Promise.resolve(this.#watchers.open(request));
  }

  override webSocketMessage(socket: WebSocket): void {
    this.#watchers.heard(socket);
  }

  override webSocketClose(socket: WebSocket, code: number, reason: string): void {
    this.#watchers.closed(socket, code, reason);
  }

  override webSocketError(socket: WebSocket): void {
    this.#watchers.closed(socket, 1011, "error");
  }

  /** Null: there is no room. */
  #liveMessage(): string | null {
    if (!this.#isHere) return null;
    const state = this.#load();
    const settings = this.ctx.storage.kv.get<number>(DEFINED_AT) ?? 0;
    return JSON.stringify(liveMessage(liveFigures(state, state.clock.read(Date.now())), settings));
  }

  /** False before its definition came, and after it was deleted. */
  get #isHere(): boolean {
    if (this.#state !== null) return true;
    return this.#store.exists && this.ctx.storage.kv.get(RETIRED) === undefined;
  }

  /** Also of a room that is retired. */
  #lobbiesKnown(): Set<LobbyIndex> {
    // Its rows may be of a version that had fewer tables.
    if (this.#store.exists) this.#store.prepare();
    const stored = this.#store.exists ? [...this.#store.load().lobbies] : [];
    const rows = stored.map(({ lobby }) => lobby);
    return new Set([lobbyIndex(0), ...rows, ...this.#load().lobbies.keys()]);
  }

  #load(): RoomState {
    if (this.#state !== null) return this.#state;
    // A caller that only looks at a room that is gone sees an empty one, and makes no tables.
    if (!this.#isHere) return restoreRoom(NOTHING, NOBODY_BOOT, instant(Date.now()));
    this.#store.prepare();
    this.#state = restoreRoom(this.#store.load(), crypto.randomUUID(), instant(Date.now()));
    return this.#state;
  }

  /** Nothing is answered or sent before it is written: what throws is forgotten and loaded again. */
  #run<Type extends Command["type"]>(
    command: Extract<Command, { type: Type }>,
    asker: LobbyIndex | null,
  ): RoomOutcome<RoomReplies[Type]> {
    const state = this.#load();
    let outcome: RoomOutcome<RoomReplies[Type]>;
    try {
      this.#lobbies.beginStep();
      outcome = step<Type>(state, command, Date.now());
      if (this.#state !== null) this.#store.write(outcome.changes);
    } catch (error) {
      this.#state = null;
      throw error;
    }
    if (this.#state !== null) tellAnalytics(this.env, roomIdIn(this.#address), outcome.changes);
    this.#setAlarm(outcome.wakeAt === null ? null : state.clock.onMachine(outcome.wakeAt));
    this.#lobbies.tell(outcome, asker);
    if (outcome.alertsDue.length > 0) this.ctx.waitUntil(this.#raise(outcome.alertsDue));
    if (outcome.changes.length > 0 || state.line.standing > 0) this.#watchers.changed();
    if (outcome.roundWanted !== null) this.ctx.waitUntil(this.#drawBy(outcome.roundWanted));
    return outcome;
  }

  /** Where the Registry does not answer, a later step hands them over again. */
  async #raise(alerts: readonly NotedAlert[]): Promise<void> {
    try {
      const registry = this.env.REGISTRY.getByName("registry");
      const upTo = await registry.raise(roomIdIn(this.#address), alerts);
      if (this.#isHere) this.#run({ type: "alerts-heard", upTo }, null);
    } catch (error) {
      logFailure("room-alerts", error);
    }
  }

  /** Where no relay has the round yet, the next second asks again. */
  async #drawBy(wanted: RoundWanted): Promise<void> {
    const value = await this.#relays.round(wanted);
    if (value === null || !this.#isHere) return;
    try {
      this.#run({ type: "draw", event: wanted.event, value }, null);
    } catch (error) {
      logFailure("room-draw", error);
    }
  }

  #setAlarm(at: InstantMs | null): void {
    if (at === this.#alarmAt) return;
    this.#alarmAt = at;
    const set = at === null ? this.ctx.storage.deleteAlarm() : this.ctx.storage.setAlarm(at);
    set.catch((error: unknown) => {
      this.#alarmAt = null;
      logFailure("room-alarm", error);
    });
  }
}

/** A lobby of the version before this one tells a bare number. */
const asReport = (told: unknown): EdgeReport | null =>
  typeof told === "object" ? (told as EdgeReport | null) : null;

const visitReply = (reply: OpReply, now: InstantMs): VisitReply =>
  reply.kind === "visit" ? { kind: "visit", visit: { ...reply.visit, now } } : overReply(reply);
