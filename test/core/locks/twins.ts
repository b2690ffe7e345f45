import assert from "node:assert/strict";
import fc from "fast-check";
import type { AcquireReply } from "../../../src/core/locks/commands.ts";
import { keyOf } from "../../../src/core/locks/name.ts";
import { NaiveLocks, type NaiveOutcome } from "./naive-locks.ts";
import { nameOf, ownerOf, plain, World } from "./world.ts";

const key = fc.constantFrom("k1", "k2", "k3");
const owner = fc.constantFrom("a", "b", "c", "d", "e");
const leaseMs = fc.constantFrom(1_000, 5_000, 30_000);
const waitMs = fc.constantFrom(0, 0, 2_000, 20_000);
const passing = fc.constantFrom(0, 1, 999, 1_000, 5_000, 10_000, 30_000, 40_000);

export const act = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("lease" as const), key, owner, leaseMs, waitMs }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("open" as const), key, owner }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("renew" as const), key, owner, leaseMs }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("release" as const), key, owner }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("close" as const),
      nth: fc.nat(9),
      isClean: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("pass" as const), ms: passing }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("crash" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("sleep" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("lost" as const), key, owner }) },
);
export type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** The world and its naive twin, and all that must hold between them. */
export class Twins {
  readonly world = new World();
  readonly naive = new NaiveLocks();
  #sessions = 0;
  /** Every fence ever seen, and the highest. */
  readonly #fences = new Set<number>();
  #lastFence = 0;

  play(one: Act): void {
    const { world, naive } = this;
    switch (one.do) {
      case "lease": {
        const reply = world.acquire(one.key, one.owner, {
          leaseMs: one.leaseMs,
          waitMs: one.waitMs,
        });
        const twin = naive.lease(one.key, one.owner, one.leaseMs, one.waitMs, world.now);
        return this.#compare(textOf(reply), twin);
      }
      case "open": {
        this.#sessions += 1;
        const session = `s${this.#sessions}`;
        const reply = world.open(one.key, one.owner, session);
        return this.#compare(textOf(reply), naive.open(one.key, one.owner, session, world.now));
      }
      case "renew": {
        const reply = world.renew(one.key, one.owner, one.leaseMs);
        const text = reply.kind === "granted" ? "granted" : reply.kind;
        return this.#compare(text, naive.renew(one.key, one.owner, one.leaseMs, world.now));
      }
      case "release":
        return this.#compare(
          world.release(one.key, one.owner),
          naive.release(one.key, one.owner, world.now),
        );
      case "close": {
        const open = [...world.sockets.keys()];
        const session = open[one.nth % Math.max(1, open.length)]?.replace("session-", "");
        if (session === undefined) return;
        world.close(session, one.isClean);
        return this.#compare("null", naive.drop(session, one.isClean, world.now));
      }
      case "pass":
        world.tick(one.ms);
        return this.#compare(
          "null",
          naive.act(world.now, () => "null"),
        );
      case "crash":
        world.crash();
        return naive.restart(new Set(), world.now);
      case "sleep": {
        // An object sleeps only while nobody waits over HTTP.
        if (naive.line.some(({ session }) => session === null)) return;
        this.#forgetClosed();
        world.sleep();
        return naive.restart(this.#open(), world.now);
      }
      case "lost": {
        const mode = { by: "lease", leaseMs: 1_000, waitMs: 0 } as const;
        const name = nameOf(one.key);
        world.runLost({ type: "acquire", name, owner: ownerOf(one.owner), mode });
        return naive.restart(new Set(), world.now);
      }
      default:
        one satisfies never;
    }
  }

  #open(): ReadonlySet<string> {
    return new Set([...this.world.sockets.keys()].map((id) => id.replace("session-", "")));
  }

  /** The object closes a socket that was taken over or never got in. */
  #forgetClosed(): void {
    for (const id of this.world.sockets.keys())
      if (!this.world.state.sessions.has(id)) this.world.sockets.delete(id);
  }

  #compare(reply: string, twin: NaiveOutcome): void {
    assert.equal(reply, twin.reply);
    const told = this.world.told.filter(({ event }) => event !== "moved");
    const texts = told.map(({ to, event }) => `${keyOf(to.name)} ${plain(to.owner)} ${event}`);
    assert.deepEqual(texts.toSorted(), [...twin.told].toSorted());
    this.#forgetClosed();
    this.#holdsTogether();
  }

  #holdsTogether(): void {
    const { world, naive } = this;
    const held = [...world.state.locks.values()].flatMap(({ holder }) => holder ?? []);
    const texts = held.map(
      ({ name, owner: who, tenure }) =>
        `${keyOf(name)} ${plain(who)} ${tenure.by === "lease" ? tenure.until : null}`,
    );
    const twins = naive.held.map((one) => `${one.key} ${one.owner} ${one.until}`);
    assert.deepEqual(texts.toSorted(), twins.toSorted());
    assert.equal(world.state.waiting, naive.line.length);
    assert.equal(world.state.held, held.length);
    const fences = held.map(({ fence }) => fence);
    const stored = [...world.store.load().holders].map(({ fence }) => fence);
    assert.deepEqual(new Set(stored), new Set(fences));
    assert.equal(new Set(fences).size, fences.length);
    const risen = fences.filter((fence) => !this.#fences.has(fence));
    for (const fence of risen) {
      assert.ok(fence > this.#lastFence, "a new holder's fence is above every one before");
      this.#fences.add(fence);
    }
    this.#lastFence = Math.max(this.#lastFence, ...risen);
  }
}

const textOf = (reply: AcquireReply): string => {
  if (reply.kind === "granted") return reply.isNew ? "granted new" : "granted";
  return reply.kind === "waiting" ? `waiting ${reply.ahead}` : reply.kind;
};
