/** Which object keeps a lock, and how it is asked: what comes together goes in one call. */
import { BoundedMap } from "../../core/collections/bounded-map.ts";
import { LastMade } from "../../core/last-made.ts";
import { ALL_SHARDS, shardOf, SHARDS, type LockName } from "../../core/locks/name.ts";
import type {
  AcquireAnswer,
  AcquireAsk,
  BeginAnswer,
  BeginAsk,
  FinishAsk,
  HolderAsk,
  LockAsk,
  LockReply,
  LocksRpc,
  RenewAnswer,
  RenewAsk,
} from "../../durable/locks/contract.ts";
import type { Arrival } from "../arrival/arrival.ts";
import type { Env } from "../platform/env.ts";
import type { Ports } from "../platform/ports.ts";
import { callObject } from "./call-object.ts";
import { LockGatherer } from "./lock-gatherer.ts";

/** The deployment has no lock shards bound: nothing that needs one can be asked for. */
class NoLocksError extends Error {
  override readonly name = "NoLocksError";
}

const locksOf = (env: Env) => {
  if (env.LOCKS === undefined) throw new NoLocksError("there is no binding LOCKS");
  return env.LOCKS;
};

const objectFor = (env: Env, name: LockName): string =>
  env.LOCAL === "1" ? ALL_SHARDS : String(shardOf(name));

/** A new stub for the shard that owns the lock. */
export const shardFor = (env: Env, name: LockName): LocksRpc =>
  locksOf(env).getByName(objectFor(env, name));

/** All objects that keep locks. */
export const shardsOf = (env: Env): readonly LocksRpc[] =>
  (env.LOCAL === "1"
    ? [ALL_SHARDS]
    : Array.from({ length: SHARDS }, (_, shard) => String(shard))
  ).map((name) => locksOf(env).getByName(name));

/** The object that keeps the lock rules. */
export const rulesObject = (env: Env): LocksRpc => locksOf(env).getByName("rules");

/** What the way there and back may take on top of a wait. */
const SLACK_MS = 5_000;
/** An answer with a larger body goes by itself: a call takes 32 MiB. */
const GATHERED_BYTES_MAX = 16_384;

/** So long a lock for which somebody stood in line counts as wanted. */
const WANTED_MS = 1_000;
const WANTED_MAX = 10_000;

const lastAcquire = new LastMade<LockAsk>();
const lastRelease = new LastMade<LockAsk>();

type Asker = Pick<Arrival, "env" | "waitUntil">;

/** Asks shards of locks for one isolate. Rejects with an `UnreachableError`. */
export class LockShards {
  readonly #ports: Ports;
  readonly #gatherer: LockGatherer;
  /** Until when locks for which somebody stood in line are asked for by themselves. */
  readonly #wanted = new BoundedMap<LockName, number>(WANTED_MAX);

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#gatherer = new LockGatherer(ports);
  }

  /**
   * `onWaiting` is called before its turn is waited for. A lock that others want is asked for by itself:
   * nothing is gained by company there, and who is answered in another request's call is heard again
   * only some milliseconds later (docs/decisions/locks.md).
   */
  async acquire(
    asker: Asker,
    asked: AcquireAsk,
    onWaiting: () => void = () => undefined,
  ): Promise<AcquireAnswer> {
    if (!this.#isWanted(asked.name)) {
      const reply = await this.#ask(asker, lastAcquire.keep({ ...asked, op: "acquire" }));
      if (reply.kind !== "waiting") return reply as AcquireAnswer;
    }
    if (asked.waitMs > 0) this.#wanted.set(asked.name, this.#ports.now() + WANTED_MS);
    onWaiting();
    return callObject(
      this.#ports,
      () => shardFor(asker.env, asked.name).acquire(asked),
      asked.waitMs + SLACK_MS,
    );
  }

  /** For a client that has gone: the call leaves the line, and what it just got is free. */
  async abandonAcquire(
    { env }: Asker,
    { name, owner, ask }: Pick<AcquireAsk, "name" | "owner" | "ask">,
  ): Promise<void> {
    await callObject(this.#ports, () => shardFor(env, name).abandonAcquire({ name, owner, ask }));
  }

  async renew(asker: Asker, asked: RenewAsk): Promise<RenewAnswer> {
    return (await this.#ask(asker, { ...asked, op: "renew" })) as RenewAnswer;
  }

  async release(asker: Asker, asked: HolderAsk): Promise<boolean> {
    if (this.#isWanted(asked.name))
      return callObject(this.#ports, () => shardFor(asker.env, asked.name).release(asked));
    return (
      (await this.#ask(asker, lastRelease.keep({ ...asked, op: "release" }))).kind === "released"
    );
  }

  async begin(asker: Asker, asked: BeginAsk): Promise<BeginAnswer> {
    const reply = (await this.#ask(asker, { ...asked, op: "begin" })) as BeginAnswer;
    if (reply.kind !== "running" || asked.waitMs <= 0) return reply;
    return callObject(
      this.#ports,
      () => shardFor(asker.env, asked.name).begin(asked),
      asked.waitMs + SLACK_MS,
    );
  }

  async finish(asker: Asker, asked: FinishAsk): Promise<void> {
    const { outcome } = asked;
    if (outcome.kind === "keep" && outcome.content.body.byteLength > GATHERED_BYTES_MAX)
      await callObject(this.#ports, () => shardFor(asker.env, asked.name).finish(asked));
    else await this.#ask(asker, { ...asked, op: "finish" });
  }

  #isWanted(name: LockName): boolean {
    const until = this.#wanted.get(name);
    return until !== undefined && this.#ports.now() < until;
  }

  #ask(asker: Asker, ask: LockAsk): Promise<LockReply> {
    const { env, waitUntil } = asker;
    const object = objectFor(env, ask.name);
    return this.#gatherer.ask(object, ask, (asks) => askAll(env, object, asks), waitUntil);
  }
}

/** A Worker of a new version may meet an object of the one before, for seconds: it is asked singly. */
const askAll = async (
  env: Env,
  object: string,
  asks: readonly LockAsk[],
): Promise<readonly LockReply[]> => {
  const shard = locksOf(env).getByName(object);
  try {
    return await shard.askAll(asks);
  } catch (error) {
    if (!(error instanceof TypeError && error.message.includes("askAll"))) throw error;
    return Promise.all(asks.map((ask) => askSingly(locksOf(env).getByName(object), ask)));
  }
};

const askSingly = async (shard: LocksRpc, ask: LockAsk): Promise<LockReply> => {
  switch (ask.op) {
    case "acquire": {
      const reply = await shard.acquire({ ...ask, waitMs: 0 });
      return reply.kind === "held" && ask.waitMs > 0 ? { kind: "waiting" } : reply;
    }
    case "renew":
      return shard.renew(ask);
    case "release":
      return { kind: (await shard.release(ask)) ? "released" : "not-yours" };
    case "begin":
      return shard.begin({ ...ask, waitMs: 0 });
    case "finish":
      await shard.finish(ask);
      return { kind: "released" };
    default:
      return ask satisfies never;
  }
};
