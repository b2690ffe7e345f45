/**
 * A sale with a million visitors, in virtual time: the Room and its lobbies are the classes of src/durable
 * themselves, on a virtual platform; visitors and the network between are modelled.
 */
import assert from "node:assert/strict";
import type { RoomDefinition } from "../../../src/core/definition.ts";
import { lobbyIndex, type LobbyIndex, type RoomId } from "../../../src/core/ids.ts";
import { LobbyPicker } from "../../../src/core/lobby/lobby-picker.ts";
import type { Batch, BatchAnswer } from "../../../src/core/room/commands.ts";
import type { RoomSnapshot } from "../../../src/core/snapshot.ts";
import { instant } from "../../../src/core/time.ts";
import type { RoomUpdate } from "../../../src/durable/contract.ts";
import { LIMITS } from "../../support/limits.ts";
import { heldBytes, type HeldBytes } from "./held-bytes.ts";
import { Lateness } from "./lateness.ts";
import { MillionVisitor } from "./million-visitor.ts";
import { Network } from "./network.ts";
import { virtualModules, type SourcePatch, type VirtualModules } from "./virtual-modules.ts";
import type { MillionSale } from "./sale.ts";
import { ToldLine } from "./told-line.ts";
import { ToldPositions } from "./told-positions.ts";
import { LostCall, VirtualObject } from "./virtual-object.ts";
import { VirtualPlatform, type SocketAnswer } from "./virtual-platform.ts";

const ROOM_ID = "0123456789abcdef0123456789abcdef" as RoomId;
/** Isolates that ask for snapshots; what one knows is a second old at most. */
const ISOLATES = 64;
const SNAPSHOT_EVERY_MS = 1_000;
/** From an isolate to a lobby. */
const NEAR_MS = 20;
/** Bots that take many tickets take more numbers than there are visitors. */
const NUMBERS_SPARE = 1.2;

/** An answer to a batch, with what the Room says besides. */
interface Answered {
  readonly answer: BatchAnswer;
  readonly update: RoomUpdate;
}

export class MillionWorld {
  readonly sale: MillionSale;
  readonly platform: VirtualPlatform;
  readonly modules: VirtualModules;
  readonly network: Network;
  readonly room: VirtualObject;
  readonly lobbies = new Map<LobbyIndex, VirtualObject>();
  readonly line: ToldLine;
  readonly positions: ToldPositions;
  readonly lateness = new Lateness();
  readonly counts = {
    arrived: 0,
    entered: 0,
    left: 0,
    missedOut: 0,
    reconnects: 0,
    sent: 0,
    sentBytes: 0,
    received: 0,
    workerRequests: 0,
  };
  /** Who stays, and is not in yet. */
  readonly waiting = new Set<MillionVisitor>();
  /** When the last of those who stay came in. */
  lastEnteredAt = 0;
  roomBytes: HeldBytes | null = null;
  lobbyBytes: HeldBytes | null = null;
  readonly #delays = new Map<VirtualObject, number>();
  readonly #snapshots: (RoomSnapshot | null)[] = [];
  readonly #pickers = Array.from(
    { length: ISOLATES },
    () =>
      new LobbyPicker(
        () => this.now,
        (limit) => Math.floor(this.platform.draws.unit() * limit),
      ),
  );
  #bots = 0;
  #endsAt: number | null = null;
  #broken: Error | null = null;
  /** What the Room has said since it last ran. */
  #delivered: RoomUpdate[] = [];
  #answered: (Answered & { readonly batch: Batch }) | null = null;

  static async of(sale: MillionSale, patches: readonly SourcePatch[] = []): Promise<MillionWorld> {
    const platform = new VirtualPlatform(sale.seed, sale.endsAt);
    return new MillionWorld(sale, platform, await virtualModules(platform, patches));
  }

  private constructor(sale: MillionSale, platform: VirtualPlatform, modules: VirtualModules) {
    this.sale = sale;
    this.platform = platform;
    this.modules = modules;
    this.network = new Network(platform.draws, sale.delayMs, sale.lost);
    const numbersMax = Math.ceil(sale.visitors * NUMBERS_SPARE) + 1_000;
    this.line = new ToldLine(sale.permits, sale.startsPerSecond, numbersMax);
    this.positions = new ToldPositions(numbersMax);
    this.room = new VirtualObject(
      ROOM_ID,
      platform,
      (ctx) => new modules.Room(ctx, this.#roomEnv()),
    );
    this.room.afterwards = () => this.#stepped();
  }

  /** Lives through the whole sale; a broken promise throws. */
  async run(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      setImmediate(() => {
        try {
          this.#begin();
          while (!this.#isOver() && this.platform.agenda.next())
            if (this.#broken !== null) throw this.#broken;
          resolve();
        } catch (error) {
          const where = `seed ${this.sale.seed}, at ${this.now} ms`;
          reject(new Error(`${where}: ${String(error)}`, { cause: error }));
        }
      });
    });
    assert.equal(this.waiting.size, 0, "everybody who stays gets in");
    this.line.passTo(instant(this.platform.worldNow));
    assert.equal(this.line.out, 0, "every permit comes back");
  }

  get now(): number {
    return this.platform.agenda.now;
  }

  /** A visitor's request, by way of a Worker that passes it on to the visitor's lobby. Null: no answer came. */
  ask(
    visitor: MillionVisitor,
    method: string,
    args: readonly unknown[],
    heed: (answer: unknown) => void,
    atLobby: (answer: unknown) => void = () => undefined,
  ): void {
    const { agenda } = this.platform;
    this.counts.workerRequests += 1;
    const passage = this.network.passage();
    const back = (answer: unknown): void =>
      void agenda.in(this.network.onTheWayMs(visitor.delayMs), () => heed(answer));
    agenda.in(this.network.onTheWayMs(visitor.delayMs), () => {
      if (passage === "lost-there") return back(null);
      this.lobby(visitor.lobby).receive(method, args, {
        answer: (answer) => {
          atLobby(answer);
          back(passage === "whole" ? answer : null);
        },
        fail: () => back(null),
      });
    });
  }

  /** For a socket: what the lobby says over it counts from the moment at which it says it. */
  upgrade(visitor: MillionVisitor, header: string, heed: (answer: unknown) => void): void {
    const request = { headers: { get: () => header } };
    this.ask(visitor, "fetch", [request], heed, (answer) =>
      (answer as SocketAnswer).webSocket?.peer?.connect(visitor),
    );
  }

  lobby(index: LobbyIndex): VirtualObject {
    const known = this.lobbies.get(index);
    if (known !== undefined) return known;
    const { Lobby } = this.modules;
    const name = `${ROOM_ID}/${index}`;
    const made = new VirtualObject(
      name,
      this.platform,
      (ctx) => new Lobby(ctx, this.#lobbyEnv(made)),
    );
    this.lobbies.set(index, made);
    this.#delays.set(made, this.network.someDelayMs());
    return made;
  }

  /** As some isolate picks one for a newcomer. */
  pickLobby(): LobbyIndex {
    const isolate = Math.floor(this.platform.draws.unit() * ISOLATES);
    const open = this.#snapshots[isolate]?.lobbiesOpen ?? [];
    return this.#pickers[isolate]?.pick(ROOM_ID, open) ?? this.#anyLobby([]);
  }

  #anyLobby(open: readonly LobbyIndex[]): LobbyIndex {
    const { draws } = this.platform;
    const first = lobbyIndex(Math.floor(draws.unit() * this.sale.lobbies));
    return open[Math.floor(draws.unit() * open.length)] ?? first;
  }

  /** One more visitor that a bot makes. */
  nextBot(): number {
    this.#bots += 1;
    return this.sale.visitors + this.#bots;
  }

  #begin(): void {
    const { agenda } = this.platform;
    const failed = (error: Error): never => {
      throw error;
    };
    this.room.receive("configure", [this.#definition()], { answer: () => undefined, fail: failed });
    for (let isolate = 0; isolate < ISOLATES; isolate += 1) this.#follow(isolate);
    for (let at = 0; at < this.sale.visitors; at += 1)
      agenda.at(100 + (at / this.sale.joinsPerSecond) * 1_000, () => this.#arrive(at));
    agenda.at(this.sale.roomDiesAt, () => {
      this.roomBytes = heldBytes(1, () => this.room.crash());
    });
    agenda.at(this.sale.lobbiesDieAt, () => this.#crashLobbies());
  }

  #arrive(at: number): void {
    this.counts.arrived += 1;
    new MillionVisitor(this, at).arrive();
  }

  /** What is found within an object's own code, which would take the error for a socket's. */
  holds(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.#broken ??= error as Error;
    }
  }

  /** A visitor who stays is in, or has lost its number by its own doing. */
  served(visitor: MillionVisitor): void {
    if (this.waiting.delete(visitor)) this.lastEnteredAt = this.now;
  }

  #isOver(): boolean {
    if (this.counts.arrived < this.sale.visitors || this.waiting.size > 0) return false;
    // Visits that nobody ended run out, and so do calls of bots.
    this.#endsAt ??= this.now + this.sale.leaseMs + 3 * this.sale.claimWithinMs;
    return this.now >= this.#endsAt;
  }

  /** Every third. */
  #crashLobbies(): void {
    const dying = [...this.lobbies].filter(([index]) => index % 3 === 0).map(([, lobby]) => lobby);
    const sockets = dying.reduce((sum, lobby) => sum + lobby.sockets.size, 0);
    this.lobbyBytes = heldBytes(Math.max(1, sockets), () => {
      for (const lobby of dying) lobby.crash();
    });
  }

  #follow(isolate: number): void {
    const { agenda, draws } = this.platform;
    const delayMs = (): number => this.network.onTheWayMs(NEAR_MS);
    const heed = (answer: unknown): void => {
      this.#snapshots[isolate] = (answer as { snapshot: RoomSnapshot }).snapshot;
    };
    const ask = (): void => {
      const known = this.#snapshots[isolate]?.version ?? null;
      const lobby = this.lobby(this.#anyLobby(this.#snapshots[isolate]?.lobbiesOpen ?? []));
      const answer = (answered: unknown) => void agenda.in(delayMs(), () => heed(answered));
      const done = { answer, fail: () => undefined };
      agenda.in(delayMs(), () => lobby.receive("snapshot", [known, null], done));
      agenda.in(SNAPSHOT_EVERY_MS, ask);
    };
    agenda.in(draws.unit() * SNAPSHOT_EVERY_MS, ask);
  }

  #roomEnv(): object {
    const lobbyNamed = (name: string): object => {
      const lobby = this.lobby(lobbyIndex(Number(name.split("/")[1])));
      const deliver = (update: RoomUpdate): Promise<unknown> => {
        this.#delivered.push(update);
        return this.#call(this.room, lobby, "deliver", [update]);
      };
      return { deliver };
    };
    const raise = (_room: string, alerts: readonly { sequence: number }[]) =>
      Promise.resolve(alerts.at(-1)?.sequence ?? 0);
    return { LOBBY: { getByName: lobbyNamed }, REGISTRY: { getByName: () => ({ raise }) } };
  }

  #lobbyEnv(lobby: VirtualObject): object {
    const room = {
      batch: (batch: Batch) => this.#call(lobby, this.room, "batch", [batch]),
      snapshot: (...args: unknown[]) => this.#call(lobby, this.room, "snapshot", args),
    };
    return { ROOM: { getByName: () => room } };
  }

  /** From one object to another, as the platform carries it. */
  #call(
    from: VirtualObject,
    to: VirtualObject,
    method: string,
    args: readonly unknown[],
  ): Promise<unknown> {
    const { agenda } = this.platform;
    const { life } = from;
    assert.ok(life !== null, "whoever calls is alive");
    const far = from === this.room ? to : from;
    const delayMs = (): number => this.network.onTheWayMs(this.#delays.get(far) ?? NEAR_MS);
    const passage = this.network.passage();
    return new Promise((resolve, reject) => {
      const back = (act: () => void): void =>
        void agenda.in(delayMs(), () => {
          if (!life.isOver) this.platform.within(life, act);
        });
      const lost = (): void => back(() => reject(new LostCall(`a call of ${method} was lost`)));
      const answer = (answered: unknown): void => {
        if (method === "batch")
          this.#answered = { batch: args[0] as Batch, ...(answered as Answered) };
        if (passage === "lost-back") lost();
        else back(() => resolve(answered));
      };
      const fail = (error: Error): void => back(() => reject(error));
      agenda.in(delayMs(), () => {
        if (passage === "lost-there") lost();
        else to.receive(method, args, { answer, fail });
      });
    });
  }

  /** The Room has run: what it was told and has answered is held against every promise. */
  #stepped(): void {
    const seen = this.#answered;
    const updates = seen === null ? this.#delivered : [seen.update, ...this.#delivered];
    this.#answered = null;
    this.#delivered = [];
    this.line.step({ batch: seen?.batch ?? null, answer: seen?.answer ?? null, updates });
    for (const update of updates) this.positions.tells(update);
    if (seen !== null) this.positions.answers(seen.answer);
  }

  #definition(): RoomDefinition {
    const { sale } = this;
    const limits = {
      ...LIMITS,
      permitsMax: sale.permits,
      startsPerSecondMax: sale.startsPerSecond,
      startsPerMinuteMax: 1_000_000_000,
      leaseMs: sale.leaseMs,
      claimWithinMs: sale.claimWithinMs,
      lobbiesMin: sale.lobbies,
    };
    const requests = { originRequestsPerSecondMax: null, originTimeoutMs: 60_000 };
    return { id: ROOM_ID, limits, modifiedAt: instant(1), ...requests } as RoomDefinition;
  }
}
