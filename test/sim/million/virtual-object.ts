/** One durable object: its name, its storage, its sockets, and the life of its class that runs now. */
import { Load } from "./load.ts";
import type { ObjectLife, VirtualPlatform } from "./virtual-platform.ts";
import { VirtualSocket } from "./virtual-socket.ts";
import { VirtualStorage } from "./virtual-storage.ts";

/** A call of one object that was lost. The platform says so of calls that may be repeated. */
export class LostCall extends Error {
  readonly retryable = true;
}

type Methods = Record<string, (...args: unknown[]) => unknown>;

interface Life extends ObjectLife {
  readonly instance: object;
  readonly calls: Set<(error: Error) => void>;
}

/** How far machines' clocks are apart, one way. */
const SKEW_MS = 100;
const NONE: readonly VirtualSocket[] = [];

export class VirtualObject {
  readonly name: string;
  readonly storage: VirtualStorage;
  readonly load = new Load();
  readonly sockets = new Set<VirtualSocket>();
  socketsMost = 0;
  readonly #byTag = new Map<string, VirtualSocket[]>();
  readonly #platform: VirtualPlatform;
  readonly #make: (ctx: object) => object;
  /** After the object's code has run, whatever made it run. */
  afterwards: () => void = () => undefined;
  #life: Life | null = null;
  #alarmAt: number | null = null;

  constructor(name: string, platform: VirtualPlatform, make: (ctx: object) => object) {
    this.name = name;
    this.#platform = platform;
    this.#make = make;
    this.storage = new VirtualStorage((at) => this.#setAlarm(at));
  }

  /** A request arrives here. `done` hears the answer in the same instant or later; or an error, or nothing if its asker has died. */
  receive(method: string, args: readonly unknown[], done: Done): void {
    this.load.request(this.#platform.agenda.now);
    this.#within((life) => {
      life.calls.add(done.fail);
      const finished = (): boolean => life.calls.delete(done.fail);
      const method_ = (life.instance as Methods)[method];
      if (method_ === undefined) throw new Error(`${this.name} has no ${method}`);
      Promise.resolve(method_.apply(life.instance, [...args])).then(
        (answer) => finished() && done.answer(answer),
        (error: unknown) => finished() && done.fail(error as Error),
      );
    });
  }

  /** A socket's message, or its end, arrives here. What is for a life that is over is for nobody. */
  hear(socket: VirtualSocket, message: string): void {
    if (!this.sockets.has(socket) || socket.readyState !== VirtualSocket.OPEN) return;
    this.load.message(this.#platform.agenda.now);
    this.#within(({ instance }) => (instance as Methods)["webSocketMessage"]?.(socket, message));
  }

  hearClose(socket: VirtualSocket, code: number): void {
    if (!this.sockets.has(socket)) return;
    this.load.request(this.#platform.agenda.now);
    const wasOpen = socket.readyState === VirtualSocket.OPEN;
    socket.readyState = 2;
    if (wasOpen)
      this.#within(({ instance }) => (instance as Methods)["webSocketClose"]?.(socket, code, ""));
    this.#drop(socket);
  }

  /** The process is gone: memory, timers, sockets and calls under way. What was written stays, and the alarm. */
  crash(): void {
    const life = this.#life;
    if (life === null) return;
    this.#life = null;
    life.isOver = true;
    for (const timer of life.timers) timer.run = null;
    const { calls } = life;
    for (const fail of calls) fail(new LostCall(`${this.name} has died`));
    calls.clear();
    for (const socket of [...this.sockets]) {
      this.#drop(socket);
      socket.close(1006);
    }
    // Nobody is called back into a life that is over; its memory may go.
    (life as { instance: object | null }).instance = null;
  }

  get isAlive(): boolean {
    return this.#life !== null;
  }

  get life(): ObjectLife | null {
    return this.#life;
  }

  #within(run: (life: Life) => void): void {
    const life = this.#life ?? this.#begin();
    if (life.instance === null) this.#platform.within(life, () => this.#instantiate(life));
    const startedAt = performance.now();
    this.#platform.within(life, () => run(life));
    this.load.busyMs += performance.now() - startedAt;
    this.afterwards();
  }

  #begin(): Life {
    const clockSkewMs = Math.round(this.#platform.draws.between(-SKEW_MS, SKEW_MS));
    const life = {
      isOver: false,
      clockSkewMs,
      timers: new Set(),
      calls: new Set(),
      instance: null as unknown as object,
    } satisfies Life;
    this.#life = life;
    return life;
  }

  #instantiate(life: Life): void {
    const ctx = {
      id: { name: this.name },
      storage: this.storage,
      acceptWebSocket: (socket: VirtualSocket, tags: readonly string[] = []) =>
        this.#accept(socket, tags),
      getWebSockets: (tag?: string) =>
        tag === undefined ? [...this.sockets] : (this.#byTag.get(tag) ?? NONE),
      setWebSocketAutoResponse: () => undefined,
      getWebSocketAutoResponseTimestamp: ({ lastPingAt }: VirtualSocket) => {
        const at = lastPingAt?.() ?? null;
        return at === null
          ? null
          : new Date(this.#platform.worldNow - this.#platform.agenda.now + at + life.clockSkewMs);
      },
      waitUntil: (work: Promise<unknown>) => void work,
    };
    (life as { instance: object }).instance = this.#make(ctx);
  }

  #accept(socket: VirtualSocket, tags: readonly string[]): void {
    socket.tags = tags;
    this.sockets.add(socket);
    this.socketsMost = Math.max(this.socketsMost, this.sockets.size);
    for (const tag of tags) this.#byTag.set(tag, [...(this.#byTag.get(tag) ?? NONE), socket]);
  }

  #drop(socket: VirtualSocket): void {
    this.sockets.delete(socket);
    for (const tag of socket.tags) {
      const left = (this.#byTag.get(tag) ?? NONE).filter((other) => other !== socket);
      if (left.length === 0) this.#byTag.delete(tag);
      else this.#byTag.set(tag, left);
    }
  }

  #setAlarm(at: number | null): void {
    this.#alarmAt = at;
    if (at === null || this.#life === null) return;
    this.#platform.agenda.at(this.#platform.inWorld(at, this.#life), () => this.#ring(at));
  }

  #ring(at: number): void {
    if (this.#alarmAt !== at) return;
    this.#alarmAt = null;
    this.load.request(this.#platform.agenda.now);
    this.#within(({ instance }) => (instance as Methods)["alarm"]?.());
  }
}

export interface Done {
  answer(answer: unknown): void;
  fail(error: Error): void;
}
