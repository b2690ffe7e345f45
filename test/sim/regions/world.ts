/**
 * A room of four regions at their real distances, in virtual time: the Room, its lobbies and what the Worker
 * asks them by are the project's own classes; visitors, Workers and the network between are modelled.
 */
import assert from "node:assert/strict";
import type { RoomDefinition } from "../../../src/core/definition.ts";
import type { LobbyIndex, RoomId } from "../../../src/core/ids.ts";
import { SilentRegions } from "../../../src/core/regions/silent-regions.ts";
import type { Batch, BatchAnswer } from "../../../src/core/room/commands.ts";
import { instant } from "../../../src/core/time.ts";
import type { RoomUpdate } from "../../../src/durable/contract.ts";
import { LIMITS } from "../../support/limits.ts";
import { virtualModules, type VirtualModules } from "../million/virtual-modules.ts";
import { LostCall, VirtualObject } from "../million/virtual-object.ts";
import { VirtualPlatform, type ObjectLife } from "../million/virtual-platform.ts";
import { isCutOff, onTheWayMs, REGIONS, type Cut, type Here } from "./distances.ts";
import { RegionVisitor, type LobbyAsked } from "./visitor.ts";

/** What the Worker asks lobbies by; its module has types that only a Worker knows. */
const { RegionalLobby } = (await import(
  new URL("../../../src/worker/isolate/regional-lobby.ts", import.meta.url).href
)) as {
  RegionalLobby: new (
    arrival: object,
    room: RoomDefinition,
    regions: typeof REGIONS,
    index: LobbyIndex,
  ) => LobbyAsked;
};

const ROOM_ID = "0123456789abcdef0123456789abcdef" as RoomId;
const HOME: Here = "weur";
/** What a caller waits for one who is cut off: an isolate for a lobby, an object for another. */
const WORKER_WAITS_MS = 5_000;
const OBJECT_WAITS_MS = 3_000;
export const PERMITS = 20;
const ENDS_AT = 600_000;

interface Stay {
  readonly region: Here;
  readonly object: VirtualObject;
}

interface Worker {
  readonly life: ObjectLife;
  readonly silentRegions: SilentRegions;
}

export class RegionsWorld {
  readonly platform: VirtualPlatform;
  readonly visitors: RegionVisitor[] = [];
  /** Numbers as joins reached the Room, and as they were first called. */
  readonly issued: number[] = [];
  readonly called: { readonly number: number; readonly atMs: number }[] = [];
  readonly cut: Cut | null;
  inside = 0;
  insideMost = 0;
  readonly #modules: VirtualModules;
  readonly #objects = new Map<string, Stay>();
  readonly #room: Stay;
  readonly #workers = new Map<Here, Worker>();
  readonly #calledOnce = new Set<number>();

  static async of(seed: number, cut: Cut | null = null): Promise<RegionsWorld> {
    const platform = new VirtualPlatform(seed, ENDS_AT);
    return new RegionsWorld(platform, await virtualModules(platform), cut);
  }

  private constructor(platform: VirtualPlatform, modules: VirtualModules, cut: Cut | null) {
    this.platform = platform;
    this.#modules = modules;
    this.cut = cut;
    const { Room } = modules;
    const name = `${ROOM_ID}@.${HOME}`;
    const object = new VirtualObject(name, platform, (ctx) => new Room(ctx, this.#roomEnv()));
    this.#room = { region: HOME, object };
    for (const region of REGIONS) {
      const life = { isOver: false, clockSkewMs: 0, timers: new Set<never>() };
      this.#workers.set(region, { life, silentRegions: new SilentRegions(() => this.now) });
    }
  }

  get now(): number {
    return this.platform.agenda.now;
  }

  /** So many visitors of each region, evenly over a span, until everybody has been in. */
  async run(each: number, withinMs: number): Promise<void> {
    for (let at = 0; at < each * REGIONS.length; at += 1) {
      const region = REGIONS[at % REGIONS.length] ?? HOME;
      const visitor = new RegionVisitor(this, at, region);
      this.visitors.push(visitor);
      this.platform.agenda.at(100 + (at * withinMs) / (each * REGIONS.length), () =>
        visitor.join(),
      );
    }
    await new Promise<void>((resolve, reject) => {
      setImmediate(() => {
        try {
          const done = { answer: () => undefined, fail: (error: Error) => assert.fail(error) };
          this.#room.object.receive("configure", [this.#definition()], done);
          while (this.visitors.some(({ isDone }) => !isDone) && this.platform.agenda.next());
          resolve();
        } catch (error) {
          reject(error as Error);
        }
      });
    });
    assert.ok(
      this.visitors.every(({ isDone }) => isDone),
      "everybody gets in",
    );
  }

  /** By the Worker near the visitor, as the Worker asks lobbies. Null: no answer came. */
  ask<T>(
    visitor: RegionVisitor,
    call: (lobby: LobbyAsked) => Promise<T>,
    heed: (answer: T | null) => void,
  ): void {
    const worker = this.#workers.get(visitor.region);
    assert.ok(worker !== undefined, "each region has its Worker");
    const room = this.#definition();
    const arrival = {
      silentRegions: worker.silentRegions,
      env: { LOBBY: { getByName: this.#lobbiesFor(visitor.region, worker.life) } },
    };
    this.#nearby(visitor, () =>
      this.platform.within(worker.life, () => {
        let isOver = false;
        const answer = (value: T | null): void => {
          if (isOver) return;
          isOver = true;
          this.#nearby(visitor, () => heed(value));
        };
        this.platform.agenda.in(WORKER_WAITS_MS, () => answer(null));
        call(new RegionalLobby(arrival, room, REGIONS, visitor.lobby)).then(answer, () =>
          answer(null),
        );
      }),
    );
  }

  entered(by: number): void {
    this.inside += by;
    this.insideMost = Math.max(this.insideMost, this.inside);
    assert.ok(this.inside <= PERMITS, `${this.inside} are inside at ${this.now} ms`);
  }

  /** The first call of all decides where a lobby is. */
  #lobby(name: string, hint: Here | undefined): Stay {
    const known = this.#objects.get(name);
    if (known !== undefined) return known;
    assert.ok(hint !== undefined, `${name} is asked for without a hint`);
    assert.equal(hint, REGIONS[Number(name.split("/")[1]) % REGIONS.length]);
    const { Lobby } = this.#modules;
    const object = new VirtualObject(
      name,
      this.platform,
      (ctx) => new Lobby(ctx, this.#lobbyEnv(name)),
    );
    const stay = { region: hint, object };
    this.#objects.set(name, stay);
    return stay;
  }

  #lobbiesFor(from: Here, life: ObjectLife) {
    return (name: string, options?: { readonly locationHint?: Here }) => {
      const to = this.#lobby(name, options?.locationHint);
      return this.#stub(from, life, to, ["take", "where", "claim", "end"]);
    };
  }

  #roomEnv(): object {
    const getByName = (name: string, options?: { readonly locationHint?: Here }) => {
      const to = this.#lobby(name, options?.locationHint);
      const life = this.#room.object.life;
      assert.ok(life !== null, "whoever calls is alive");
      const { deliver } = this.#stub(HOME, life, to, ["deliver"]);
      return {
        deliver: (update: RoomUpdate) => {
          this.#tells(update);
          return deliver?.(update);
        },
      };
    };
    const raise = (_room: string, alerts: readonly { sequence: number }[]) =>
      Promise.resolve(alerts.at(-1)?.sequence ?? 0);
    return { LOBBY: { getByName }, REGISTRY: { getByName: () => ({ raise }) } };
  }

  #lobbyEnv(name: string): object {
    const getByName = (room: string, options?: { readonly locationHint?: Here }) => {
      assert.deepEqual([room, options?.locationHint], [this.#room.object.name, HOME]);
      const from = this.#objects.get(name);
      const life = from?.object.life ?? null;
      assert.ok(from !== undefined && life !== null, "whoever calls is alive");
      return this.#stub(from.region, life, this.#room, ["batch", "snapshot"]);
    };
    return { ROOM: { getByName } };
  }

  #stub(from: Here, life: ObjectLife, to: Stay, methods: readonly string[]) {
    return Object.fromEntries(
      methods.map((method) => [
        method,
        (...args: unknown[]) => this.#call(from, life, to, method, args),
      ]),
    );
  }

  #call(
    from: Here,
    life: ObjectLife,
    to: Stay,
    method: string,
    args: readonly unknown[],
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const back = (act: () => void): void =>
        this.#travel(to.region, from, () => this.platform.within(life, act));
      const answer = (answered: unknown): void => {
        if (method === "batch") this.#answers(args[0] as Batch, answered as Answered);
        back(() => resolve(answered));
      };
      const fail = (error: Error): void => back(() => reject(error));
      if (!this.#isGone(to) && !this.#isGone(this.#stayOf(life)))
        this.#travel(from, to.region, () => to.object.receive(method, args, { answer, fail }));
      this.platform.agenda.in(OBJECT_WAITS_MS, () =>
        this.platform.within(life, () => reject(new LostCall(`a call of ${method} was lost`))),
      );
    });
  }

  /** Null: it is a Worker's. */
  #stayOf(life: ObjectLife): Stay | null {
    return [...this.#objects.values()].find(({ object }) => object.life === life) ?? null;
  }

  #isGone(stay: Stay | null): boolean {
    const { cut } = this;
    if (cut?.isDead !== true || stay === null || stay === this.#room) return false;
    return stay.region === cut.region && this.now >= cut.from && this.now < cut.until;
  }

  /** Between a visitor and the Worker near it. */
  #nearby({ region }: RegionVisitor, arrive: () => void): void {
    const { agenda, draws } = this.platform;
    agenda.in(onTheWayMs(region, region, draws.unit()), arrive);
  }

  /** What is cut off arrives nowhere. */
  #travel(from: Here, to: Here, arrive: () => void): void {
    const { agenda, draws } = this.platform;
    if (isCutOff(this.cut, from, to, this.now)) return;
    agenda.in(onTheWayMs(from, to, draws.unit()), arrive);
  }

  #answers({ ops }: Batch, { answer, update }: Answered): void {
    answer.replies.forEach((reply, index) => {
      if (ops[index]?.op === "join" && reply.kind === "place") this.issued.push(reply.place.number);
    });
    this.#tells(update);
  }

  #tells({ calls }: RoomUpdate): void {
    for (const { number } of calls) {
      if (this.#calledOnce.has(number)) continue;
      this.#calledOnce.add(number);
      this.called.push({ number, atMs: this.now });
    }
  }

  #definition(): RoomDefinition {
    const limits = { ...LIMITS, regions: REGIONS, permitsMax: PERMITS, leaseMs: 30_000 };
    const requests = { originRequestsPerSecondMax: null, originTimeoutMs: 60_000 };
    const more = { startsPerMinuteMax: 1_000_000, claimWithinMs: 10_000, lobbiesMin: 1 };
    return {
      id: ROOM_ID,
      modifiedAt: instant(1),
      limits: { ...limits, ...more },
      ...requests,
    } as unknown as RoomDefinition;
  }
}

interface Answered {
  readonly answer: BatchAnswer;
  readonly update: RoomUpdate;
}
