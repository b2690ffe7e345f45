/**
 * What the classes of the objects take from their runtime beside their constructors' arguments: clock,
 * timers, randomness, sockets. Virtual, so that an hour of them takes seconds and comes again from its seed.
 */
import { setFlagsFromString } from "node:v8";
import { runInThisContext } from "node:vm";
import { Draws } from "../estimate/draws.ts";
import { MillisecondAgenda, type Planned } from "./agenda.ts";
import { VirtualSocket } from "./virtual-socket.ts";

/** One life of an object: what it began ends with it. */
export interface ObjectLife {
  isOver: boolean;
  /** How far the clock of its machine is from the world's. */
  readonly clockSkewMs: number;
  readonly timers: Set<Planned>;
}

/** The world begins at a minute of some day, for what reads calendars. */
const EPOCH_MS = Date.UTC(2026, 10, 20, 12);

setFlagsFromString("--allow-natives-syntax");
/** Runs what `await`s have made ready. Only from a macrotask: within a microtask it does nothing. */
const runMicrotasks = runInThisContext("() => %PerformMicrotaskCheckpoint()") as () => void;

class SocketAnswer {
  readonly status: number;
  readonly webSocket: VirtualSocket | null;
  readonly #body: unknown;

  constructor(body: unknown, init: { status?: number; webSocket?: VirtualSocket } = {}) {
    this.#body = body;
    this.status = init.status ?? 200;
    this.webSocket = init.webSocket ?? null;
  }

  static json(body: unknown, init: { status?: number } = {}): SocketAnswer {
    return new SocketAnswer(body, init);
  }

  json(): unknown {
    return this.#body;
  }
}

class SocketPair {
  readonly 0: VirtualSocket;
  readonly 1: VirtualSocket;

  constructor() {
    [this[0], this[1]] = VirtualSocket.linked();
  }
}

export type { SocketAnswer };

export class VirtualPlatform {
  readonly agenda: MillisecondAgenda;
  readonly draws: Draws;
  readonly WebSocket = VirtualSocket;
  readonly WebSocketPair = SocketPair;
  readonly WebSocketRequestResponsePair = class {};
  readonly Response = SocketAnswer;
  /** What objects have logged as failures, by event, with the first reason of each. */
  readonly failures = new Map<string, { count: number; reason: string }>();
  #life: ObjectLife | null = null;

  constructor(seed: number, endsAt: number) {
    this.agenda = new MillisecondAgenda(endsAt);
    this.draws = new Draws(seed);
  }

  /** Lets an object's code run, all that it awaits by itself included. */
  within(life: ObjectLife, run: () => void): void {
    this.#life = life;
    run();
    runMicrotasks();
    this.#life = null;
  }

  /** Millisecond of the world on the clock of nobody's machine. */
  get worldNow(): number {
    return EPOCH_MS + this.agenda.now;
  }

  /** An instant of a machine's clock, in the world's milliseconds. */
  inWorld(instant: number, { clockSkewMs }: ObjectLife): number {
    return instant - EPOCH_MS - clockSkewMs;
  }

  // From here on under the names that the bundle asks for (virtual-modules.ts).

  readonly now = (): number => this.worldNow + (this.#life?.clockSkewMs ?? 0);

  readonly setTimeout = (run: () => void, ms = 0): Planned => {
    const life = this.#life;
    if (life === null) throw new Error("a timer belongs to a life of an object");
    const planned = this.agenda.in(Math.max(0, ms), () => {
      life.timers.delete(planned);
      this.within(life, run);
    });
    life.timers.add(planned);
    return planned;
  };

  readonly clearTimeout = (planned: Planned | null | undefined): void => {
    if (planned == null) return;
    planned.run = null;
    this.#life?.timers.delete(planned);
  };

  readonly wait = (ms: number): Promise<void> =>
    new Promise((resolve) => void this.setTimeout(resolve, ms));

  readonly random = (): number => this.draws.unit();

  readonly randomUUID = (): string => {
    const hex = (): string =>
      Math.floor(this.draws.unit() * 2 ** 32)
        .toString(16)
        .padStart(8, "0");
    return `${hex()}-${hex()}-${hex()}-${hex()}`;
  };

  readonly getRandomValues = (bytes: Uint8Array): Uint8Array => {
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = Math.floor(this.draws.unit() * 256);
    return bytes;
  };

  readonly logError = (line: string): void => {
    const { event, reason, unsaid = 0 } = JSON.parse(line) as LogLine;
    const known = this.failures.get(event);
    if (known === undefined) this.failures.set(event, { count: 1 + unsaid, reason });
    else known.count += 1 + unsaid;
  };

  readonly logNews = (): void => undefined;
}

interface LogLine {
  readonly event: string;
  readonly reason: string;
  readonly unsaid?: number;
}
