/**
 * The object of a shard of locks, and of the lock rules. What it does with locks is shard.ts.
 */
import { DurableObject } from "cloudflare:workers";
import { parseOwner } from "../../core/locks/lock.ts";
import { ALL_SHARDS, parseNamespace, shardOf, SHARDS } from "../../core/locks/name.ts";
import type { LockRule } from "../../core/locks/rule.ts";
import { LOCK_SEAT_HEADER } from "../../core/locks/seat.ts";
import type { ChangeOf, SettingsChange } from "../../core/settings-change.ts";
import { instant, type InstantMs } from "../../core/time.ts";
import type {
  AcquireAnswer,
  AcquireAsk,
  BeginAnswer,
  BeginAsk,
  FinishAsk,
  HolderAsk,
  LeaveAnswer,
  ListReply,
  LockAsk,
  LockReply,
  LockRules,
  LocksRpc,
  RenewAnswer,
  RenewAsk,
  RuleReply,
} from "./contract.ts";
import { ShardMoves, type Keeper, type LocksEnv } from "./moves.ts";
import { LockRulesKeeper } from "./rules.ts";
import { LockShard } from "./shard.ts";

/** One object of named locks: hands each question to where its lock is kept. */
export class Locks extends DurableObject implements LocksRpc {
  readonly #shard: LockShard;
  readonly #moves: ShardMoves;
  readonly #rules: LockRulesKeeper;

  /** `ruleChanged` knows the settings' names and bounds, which are the Worker's. */
  constructor(ctx: DurableObjectState, env: unknown, ruleChanged: ChangeOf<LockRule>) {
    super(ctx, env as never);
    const name = ctx.id.name ?? "";
    this.#shard = new LockShard(ctx, name === ALL_SHARDS ? SHARDS : 1);
    this.#moves = new ShardMoves(env as LocksEnv, this.#shard, name);
    this.#rules = new LockRulesKeeper(ctx.storage, ruleChanged);
  }

  override alarm(): void {
    this.#shard.wake();
  }

  async askAll(asks: readonly LockAsk[]): Promise<readonly LockReply[]> {
    const keepers = asks.map(({ name }) => this.#moves.keeperOf(name));
    if (keepers.every((keeper) => keeper === "here")) return this.#shard.answerAll(asks);
    return askKeepers(asks, await Promise.all(keepers.map(async (keeper) => keeper)), (own) =>
      this.#shard.answerAll(own),
    );
  }

  acquire(asked: AcquireAsk): Promise<AcquireAnswer> {
    return this.#at(asked, (keeper) =>
      keeper === "here" ? this.#shard.acquire(asked) : keeper.acquire(asked),
    );
  }

  renew(asked: RenewAsk): Promise<RenewAnswer> {
    return this.#at(asked, (keeper) =>
      keeper === "here" ? this.#shard.renew(asked) : keeper.renew(asked),
    );
  }

  release(asked: HolderAsk): Promise<boolean> {
    return this.#at(asked, (keeper) =>
      keeper === "here" ? this.#shard.release(asked) : keeper.release(asked),
    );
  }

  abandonAcquire(asked: HolderAsk & { ask: string }): Promise<void> {
    return this.#at(asked, (keeper) =>
      keeper === "here" ? this.#shard.abandonAcquire(asked) : keeper.abandonAcquire(asked),
    );
  }

  begin(asked: BeginAsk): Promise<BeginAnswer> {
    return this.#at(asked, (keeper) =>
      keeper === "here" ? this.#shard.begin(asked) : keeper.begin(asked),
    );
  }

  finish(asked: FinishAsk): Promise<void> {
    return this.#at(asked, (keeper) =>
      keeper === "here" ? this.#shard.finish(asked) : keeper.finish(asked),
    );
  }

  async list(namespace: string, rowsMax: number): Promise<ListReply & { now: InstantMs }> {
    if (this.#moves.hasLeft) return this.#shard.list(null, rowsMax);
    const others = this.#moves.others().map((other) => other.list(namespace, rowsMax));
    const here = this.#shard.list(parseNamespace(namespace), rowsMax);
    const all = [here, ...(await Promise.all(others))];
    return {
      rows: all.flatMap(({ rows }) => rows).slice(0, rowsMax),
      locks: all.reduce((sum, { locks }) => sum + locks, 0),
      waiting: all.reduce((sum, { waiting }) => sum + waiting, 0),
      now: here.now,
    };
  }

  leave(): Promise<LeaveAnswer> {
    return Promise.resolve(this.#moves.leave());
  }

  override async fetch(request: Request): Promise<Response> {
    const asked = JSON.parse(
      decodeURIComponent(request.headers.get(LOCK_SEAT_HEADER) ?? "null"),
    ) as HolderAsk | null;
    if (asked === null || parseOwner(asked.owner) === null)
      return new Response(null, { status: 400 });
    return this.#at(asked, (keeper) => {
      if (keeper !== "here") return keeper.fetch(request);
      const pair = new WebSocketPair();
      this.#shard.seat(pair[1], asked);
      return new Response(null, { status: 101, webSocket: pair[0] });
    });
  }

  override webSocketMessage(socket: WebSocket): void {
    this.#shard.socketSaid(socket);
  }

  override webSocketClose(
    socket: WebSocket,
    code: number,
    reason: string,
    wasClean: boolean,
  ): void {
    this.#shard.socketClosed(socket, code, reason, wasClean);
  }

  override webSocketError(socket: WebSocket): void {
    this.#shard.socketClosed(socket, 1006, "", false);
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

  async #at<T>({ name }: HolderAsk, ask: (keeper: Keeper) => T | Promise<T>): Promise<T> {
    const keeper = this.#moves.keeperOf(name);
    return ask(keeper instanceof Promise ? await keeper : keeper);
  }
}

/** Each keeper is asked once, for all that is its; the replies come in the order of the asks. */
const askKeepers = async (
  asks: readonly LockAsk[],
  keepers: readonly Keeper[],
  answerHere: (asks: readonly LockAsk[]) => LockReply[],
): Promise<LockReply[]> => {
  const replies = new Map<LockAsk, LockReply>();
  // Stubs are made anew for each ask, and differ although they lead to one object.
  const places = new Map<string, { readonly keeper: Keeper; readonly asks: LockAsk[] }>();
  asks.forEach((ask, at) => {
    const keeper = keepers[at] ?? "here";
    const key = keeper === "here" ? keeper : String(shardOf(ask.name));
    const place = places.get(key) ?? { keeper, asks: [] };
    places.set(key, place);
    place.asks.push(ask);
  });
  await Promise.all(
    [...places.values()].map(async ({ keeper, asks: own }) => {
      const answered = keeper === "here" ? answerHere(own) : await keeper.askAll(own);
      own.forEach((ask, at) => {
        const reply = answered[at];
        if (reply !== undefined) replies.set(ask, reply);
      });
    }),
  );
  return asks.flatMap((ask) => replies.get(ask) ?? []);
};
