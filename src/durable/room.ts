import { DurableObject } from "cloudflare:workers";
import type { RoomDefinition, RoomLimits } from "../core/definition.ts";
import { lobbyIndex, type LobbyIndex, type VisitId } from "../core/ids.ts";
import type { Batch, BatchAnswer, Call, Command, OpReply } from "../core/room/commands.ts";
import type { HistoryRow } from "../core/room/history.ts";
import { restoreRoom, type RoomState } from "../core/room/state.ts";
import { step, type Outcome, type Replies } from "../core/room/step.ts";
import { noticeOf } from "../core/room/view.ts";
import type { RoomSnapshot, SnapshotVersion } from "../core/snapshot.ts";
import { after, instant, MINUTE_MS, type InstantMs } from "../core/time.ts";
import type { LobbyRpc, News, RoomRpc, VisitReply } from "./contract.ts";
import { logFailure } from "./log.ts";
import { SqlRoomStore } from "./room-store.ts";

interface RoomEnv {
  readonly LOBBY: DurableObjectNamespace<DurableObject & LobbyRpc>;
}

const HISTORY_ROWS_MAX = 1_440;
const DEFINED_AT = "defined-at";

/** The truth of one room: reads the clock, runs the step, writes what changed, then speaks. */
export class Room extends DurableObject<RoomEnv> implements RoomRpc {
  readonly #store: SqlRoomStore;
  #state: RoomState | null = null;
  #alarmAt: InstantMs | null = null;

  constructor(ctx: DurableObjectState, env: RoomEnv) {
    super(ctx, env);
    this.#store = new SqlRoomStore(ctx.storage);
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
    // What a lobby still does by the old limits comes before the new ones.
    const { reply: leftMs } = this.#run({ type: "withhold" }, null);
    if (leftMs > 0) await scheduler.wait(leftMs);
    if (this.#isOutdated(definition)) return;
    this.#run({ type: "configure", limits: limitsOf(definition) }, null);
    this.ctx.storage.kv.put(DEFINED_AT, definition.modifiedAt);
  }

  /** One that was under way for long must not undo a newer one. */
  #isOutdated({ modifiedAt }: RoomDefinition): boolean {
    return modifiedAt < (this.ctx.storage.kv.get<number>(DEFINED_AT) ?? 0);
  }

  batch(batch: Batch): Promise<{ answer: BatchAnswer; news: News }> {
    const outcome = this.#run({ type: "batch", batch }, batch.lobby);
    const told = outcome.tidingsFor.includes(batch.lobby);
    const news = this.#news(outcome, outcome.calls.get(batch.lobby) ?? [], told);
    return Promise.resolve({ answer: outcome.reply, news });
  }

  snapshot(since: SnapshotVersion | null): Promise<RoomSnapshot> {
    return Promise.resolve(this.#run({ type: "snapshot", since }, null).reply);
  }

  look(visit: VisitId): Promise<VisitReply> {
    const { reply, now } = this.#run({ type: "look", visit }, null);
    return Promise.resolve(visitReply(reply, now));
  }

  end(visit: VisitId, afterMs: number): Promise<boolean> {
    return Promise.resolve(this.#run({ type: "end", visit, afterMs }, null).reply);
  }

  revokeAll(): Promise<number> {
    return Promise.resolve(this.#run({ type: "revoke-all" }, null).reply);
  }

  history(minutes: number): Promise<readonly HistoryRow[]> {
    const { now } = this.#run({ type: "tick" }, null);
    const rows = Math.min(minutes, HISTORY_ROWS_MAX);
    const finished = this.#store.history(after(now, -rows * MINUTE_MS), rows);
    // The minute that runs is told as far as it has come: an operator looks at what happens now.
    const running = this.#load().history.current;
    return Promise.resolve(running === null ? finished : [...finished, running].slice(-rows));
  }

  async erase(): Promise<void> {
    const lobbies = new Set<LobbyIndex>([lobbyIndex(0), ...this.#load().lobbies.keys()]);
    await Promise.allSettled([...lobbies].map((index) => this.#lobby(index).close()));
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.#alarmAt = null;
    this.#state = null;
  }

  #load(): RoomState {
    if (this.#state !== null) return this.#state;
    this.#store.prepare();
    this.#state = restoreRoom(this.#store.load(), crypto.randomUUID(), instant(Date.now()));
    return this.#state;
  }

  /** Nothing is answered or sent before it is written: what throws is forgotten and loaded again. */
  #run<Type extends Command["type"]>(
    command: Extract<Command, { type: Type }>,
    asker: LobbyIndex | null,
  ): Outcome<Replies[Type]> {
    const state = this.#load();
    let outcome: Outcome<Replies[Type]>;
    try {
      outcome = step<Type>(state, command, Date.now());
      this.#store.write(outcome.changes);
    } catch (error) {
      this.#state = null;
      throw error;
    }
    this.#setAlarm(outcome.wakeAt === null ? null : state.clock.onMachine(outcome.wakeAt));
    this.#tell(outcome, asker);
    return outcome;
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

  /** Passes on calls and tidings; the lobby that asks gets its own with the answer. */
  #tell(outcome: Outcome<unknown>, asker: LobbyIndex | null): void {
    const lobbies = new Set<LobbyIndex>([...outcome.calls.keys(), ...outcome.tidingsFor]);
    for (const index of lobbies) {
      if (index === asker) continue;
      const told = outcome.tidingsFor.includes(index);
      const news = this.#news(outcome, outcome.calls.get(index) ?? [], told);
      const sent = this.#lobby(index).deliver(news);
      this.ctx.waitUntil(sent.catch((error: unknown) => logFailure("room-deliver", error)));
    }
  }

  #news(outcome: Outcome<unknown>, calls: readonly Call[], withTidings: boolean): News {
    const notice = noticeOf(this.#load(), outcome.now);
    return { now: outcome.now, notice, calls, tidings: withTidings ? outcome.tidings : null };
  }

  #lobby(index: LobbyIndex): DurableObjectStub<DurableObject & LobbyRpc> {
    return this.env.LOBBY.getByName(`${this.ctx.id.name ?? ""}/${index}`);
  }
}

const visitReply = (reply: OpReply, now: InstantMs): VisitReply =>
  reply.kind === "visit" ? { kind: "visit", visit: { ...reply.visit, now } } : { kind: "ended" };

/**
 * What of a definition the core needs. A request's permit lives as long as its origin may take, and
 * as each of its starts is a request to the origin, both limits per second are one: the lower.
 */
const limitsOf = ({
  limits,
  originTimeoutMs,
  originRequestsPerSecondMax,
}: RoomDefinition): RoomLimits => {
  if (limits.permit === "visit")
    return { ...limits, requestsPerSecondMax: originRequestsPerSecondMax };
  const perSecond = [limits.startsPerSecondMax, originRequestsPerSecondMax];
  const known = perSecond.filter((max) => max !== null);
  return {
    ...limits,
    leaseMs: originTimeoutMs,
    startsPerSecondMax: known.length === 0 ? null : Math.min(...known),
    requestsPerSecondMax: null,
  };
};
