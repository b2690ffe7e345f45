/** A deployment in memory: fake objects with scripted replies, a held clock, an origin that records. */
import type { ExemptRule, RoomDefinition, RoomLimits } from "../../src/core/definition.ts";
import { lobbyIndex, parseRoomId, parseVisitorId, ticketNumber } from "../../src/core/ids.ts";
import type { RoomSnapshot } from "../../src/core/snapshot.ts";
import { after, instant } from "../../src/core/time.ts";
import type { InstantMs } from "../../src/core/time.ts";
import type {
  Definitions,
  TicketClaims,
  LobbyRpc,
  RegistryRpc,
  RoomMeter,
  RoomRpc,
  SigningKey,
  TakeAsk,
  TakeReply,
  TicketView,
  VisitView,
} from "../../src/durable/contract.ts";
import { createApp } from "../../src/worker/app.ts";
import { GATHER_MS } from "../../src/worker/isolate/isolate.ts";
import type { Env } from "../../src/worker/platform/env.ts";
import type { LogLine } from "../../src/worker/platform/log.ts";
import { LIMITS } from "../support/limits.ts";
import { FakeLobby, type FakeRoom } from "./fake-lobby.ts";
import { Keyring } from "../../src/worker/tokens/keyring.ts";
import { signPass, signTicket, signVisitor } from "../../src/worker/tokens/claims.ts";
import type { PassClaims } from "../../src/worker/tokens/claims.ts";

/** The Room's clock when a world begins; the isolate's own clock is an hour wrong. */
export const ROOM_START = instant(Date.UTC(2026, 10, 20, 9, 0, 0));
const ISOLATE_START = ROOM_START + 3_600_000;

export const KEYS: readonly SigningKey[] = [
  { kid: "k2", secret: "c2Vjb25kLXNlY3JldC1vZi0zMi1ieXRlcy1vci1tb3JlLSE" },
  { kid: "k1", secret: "Zmlyc3Qtc2VjcmV0LW9mLTMyLWJ5dGVzLW9yLW1vcmUtLSE" },
];

export const VISITOR = parseVisitorId("AAAAAAAAAAAAAAAAAAAAAA")!;

const TEN_PERMITS: RoomLimits = { ...LIMITS, permitsMax: 10, startsPerMinuteMax: 600 };

export type RoomChange = Partial<Omit<RoomDefinition, "limits" | "id">> & {
  readonly limits?: Partial<RoomLimits>;
  readonly exempt?: readonly ExemptRule[];
};

/** A room named `shop` over `/tickets` of `shop.example`, unless told otherwise. */
export const roomOf = (change: RoomChange = {}, id = "a".repeat(32)): RoomDefinition => {
  const name = change.name ?? "shop";
  return {
    id: parseRoomId(id)!,
    name,
    description: "",
    createdAt: ROOM_START,
    modifiedAt: ROOM_START,
    routes: [{ host: "shop.example", path: "/tickets" }],
    queueingMethod: "fifo",
    queueingStatusCode: 503,
    jsonResponseEnabled: true,
    cookieSuffix: name,
    cookieDomain: null,
    originRequestsPerSecondMax: null,
    holdMs: 20_000,
    originTimeoutMs: 60_000,
    strict: false,
    corsOrigins: [],
    exempt: [],
    onFailure: "closed",
    origin: null,
    rewrite: true,
    appearance: { name: null, accent: null, logo: null },
    kept: {},
    ...change,
    limits: { ...TEN_PERMITS, ...change.limits },
  };
};

export interface WorldOptions {
  readonly rooms?: readonly RoomDefinition[];
  readonly env?: Partial<Env>;
  readonly origin?: (request: Request) => Response | Promise<Response>;
}

type Scripted<T> = { -readonly [K in keyof T]: T[K] };

/** A lobby that is scripted for one visitor at a time. */
type LobbyScript = Omit<LobbyRpc, "take" | "visits" | "whereAll" | "enterAll"> & {
  take(ask: TakeAsk): Promise<TakeReply>;
};

/** One isolate and its objects. */
export class World implements FakeRoom {
  readonly log: LogLine[] = [];
  /** Every object call, as `lobby/0 take`, in order. */
  readonly calls: string[] = [];
  /** Every request that reached the origin. */
  readonly seen: Request[] = [];
  readonly lobby: Scripted<LobbyScript>;
  readonly room: Scripted<RoomRpc>;
  readonly registry: Scripted<RegistryRpc>;
  readonly env: Env;
  /** What lobbies answer as the room's snapshot. */
  snapshot: RoomSnapshot;
  snapshotAgeMs = 0;
  definitions: Definitions;
  origin: (request: Request) => Response | Promise<Response>;
  readonly #fake: FakeLobby;
  readonly #app: ReturnType<typeof createApp>;
  readonly #pending = new Set<Promise<unknown>>();
  readonly #timers = new Set<{ dueAt: number; run: () => void }>();
  #isAdvancing = false;
  #elapsedMs = 0;
  #dice = 0;

  constructor(options: WorldOptions = {}) {
    this.definitions = { version: 1, rooms: options.rooms ?? [roomOf()], keys: KEYS };
    this.snapshot = openSnapshot();
    this.origin = options.origin ?? (() => new Response("from the origin"));
    this.#fake = new FakeLobby(this);
    this.lobby = scriptedLobby(this.#fake);
    this.room = scriptedRoom(this);
    this.registry = scriptedRegistry(this);
    this.env = {
      LOBBY: { getByName: (name) => this.#lobby(`lobby/${name.split("/")[1]}`) },
      ROOM: { getByName: () => this.#watched("room", this.room) },
      REGISTRY: { getByName: () => this.#watched("registry", this.registry) },
      ...options.env,
    };
    this.#app = createApp({
      now: () => ISOLATE_START + this.#elapsedMs,
      timer: (ms, run) => this.timer(ms, run),
      randomBytes: (count) => Uint8Array.from({ length: count }, () => (this.#dice += 37) & 255),
      log: (line) => void this.log.push(line),
      fetch: async (to, init) => {
        const request = new Request(to, init);
        this.seen.push(request.clone() as Request);
        return this.origin(request);
      },
    });
  }

  /** The Room's clock. */
  get now(): InstantMs {
    return after(ROOM_START, this.#elapsedMs);
  }

  /** Of the room that most tests have alone. */
  get limits(): RoomLimits {
    return this.definitions.rooms[0]?.limits ?? LIMITS;
  }

  /** Object calls other than for definitions and snapshots. */
  get asked(): readonly string[] {
    return this.calls.filter((call) => !/ (definitions|snapshot)$/.test(call));
  }

  /** A path of `https://shop.example`, or a whole URL. */
  async fetch(to: string, init: RequestInit = {}): Promise<Response> {
    const url = /^https?:/.test(to) ? to : `https://shop.example${to}`;
    return this.#app.fetch(new Request(url, { redirect: "manual", ...init }), this.env, {
      waitUntil: (work: Promise<unknown>) => {
        this.#pending.add(work);
        void work.finally(() => this.#pending.delete(work)).catch(() => undefined);
      },
      passThroughOnException: () => undefined,
      props: {},
    } as unknown as ExecutionContext);
  }

  /** Lets time pass on every clock, and what is due happen, in order. */
  async advance(ms: number): Promise<void> {
    const until = this.#elapsedMs + ms;
    this.#isAdvancing = true;
    for (;;) {
      await this.breathe();
      const [first] = [...this.#timers].toSorted((a, b) => a.dueAt - b.dueAt);
      if (first === undefined || first.dueAt > until) break;
      this.#timers.delete(first);
      this.#elapsedMs = Math.max(this.#elapsedMs, first.dueAt);
      first.run();
    }
    this.#elapsedMs = until;
    await this.breathe();
    this.#isAdvancing = false;
  }

  /** Lets everything run that waits for nothing but its turn. */
  async breathe(): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
  }

  /** Until all that was put into `waitUntil` is over. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled([...this.#pending]);
  }

  /**
   * Runs it once so long has passed, unless it is cancelled by what this answers. The
   * wait for others' questions (GATHER-11) is by the real clock: tests ask twice in one instant.
   */
  timer(ms: number, run: () => void): () => void {
    if (ms === GATHER_MS && !this.#isAdvancing) {
      const brief = setTimeout(run, ms);
      return () => clearTimeout(brief);
    }
    const timer = { dueAt: this.#elapsedMs + ms, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  view(change: Partial<TicketView>): TicketView {
    return viewOf(this.now, change);
  }

  get pending(): number {
    return this.#pending.size;
  }

  /** Snapshots now say so. */
  say(change: Partial<RoomSnapshot>): void {
    this.snapshot = { ...this.snapshot, ...change };
    this.#fake.modeChanged();
  }

  /** Every object refuses to answer. */
  breakObjects(error: Error = new Error("the object is gone")): void {
    for (const object of [this.lobby, this.room])
      for (const name of Object.keys(object))
        (object as Record<string, unknown>)[name] = () => Promise.reject(error);
  }

  /** A number that stands in line is called, whatever the room's mode. */
  callNumber(number: number): void {
    this.#fake.call(ticketNumber(number));
  }

  /** A token as a room's answer would have given it. */
  async visitorToken(room = this.#room(0), lobby = 0): Promise<string> {
    const until = after(this.now, 30 * 24 * 3_600_000);
    const held = { visitor: VISITOR, lobby: lobbyIndex(lobby), until };
    return signVisitor(await Keyring.of(KEYS), room, held);
  }

  async ticketToken(change: Partial<TicketClaims> = {}, room = this.#room(0)): Promise<string> {
    const ticket = { ...heldTicketOf(this.now), ...change };
    this.#fake.issued(ticket);
    return signTicket(await Keyring.of(KEYS), room, ticket);
  }

  async passToken(
    change: Partial<Pick<PassClaims, "epoch" | "visit" | "provisional" | "until" | "reference">> & {
      readonly mintedAt?: InstantMs;
    } = {},
    room = this.#room(0),
    lobby = 0,
  ): Promise<string> {
    const mintedAt = change.mintedAt ?? this.now;
    const visit: VisitView = {
      ...visitOf(mintedAt),
      epoch: change.epoch ?? 1,
      visit: change.visit ?? ticketNumber(7),
      provisional: change.provisional ?? false,
      passUntil: change.until ?? after(mintedAt, 300_000),
    };
    this.#fake.began(visit.visit, visit.provisional);
    const reference = change.reference ?? "ABCD2345";
    return signPass(await Keyring.of(KEYS), room, lobbyIndex(lobby), visit, reference);
  }

  #room(index: number): RoomDefinition {
    return this.definitions.rooms[index]!;
  }

  #lobby(name: string): LobbyRpc {
    const script = this.#watched(name, this.lobby);
    const take: LobbyRpc["take"] = (asks) => {
      const { take: takeOne } = script;
      return Promise.all(asks.map((ask) => takeOne(ask)));
    };
    const visits: LobbyRpc["visits"] = (asks) =>
      Promise.all(
        asks.map(async (ask) => {
          if ("claim" in ask) {
            const { claim } = script;
            return claim(ask.claim);
          }
          const { end } = script;
          await end(ask.end, ask.afterMs);
          return null;
        }),
      );
    const whereAll: LobbyRpc["whereAll"] = (tickets) => {
      const { where } = script;
      return Promise.all(tickets.map((ticket) => where(ticket)));
    };
    const enterAll: LobbyRpc["enterAll"] = (asks) => {
      const { enter } = script;
      return Promise.all(asks.map((ask) => enter(ask)));
    };
    const gathered: Partial<LobbyRpc> = { take, visits, whereAll, enterAll };
    return new Proxy(script, {
      get: (target, key) => (Reflect.get(gathered, key) ?? Reflect.get(target, key)) as unknown,
    }) as unknown as LobbyRpc;
  }

  #watched<T extends object>(name: string, object: T): T {
    return new Proxy(object, {
      get: (target, key) => {
        this.calls.push(`${name} ${String(key)}`);
        return Reflect.get(target, key) as unknown;
      },
    });
  }
}

export const openSnapshot = (more: Partial<RoomSnapshot> = {}): RoomSnapshot => ({
  version: { boot: "boot-1", ended: 0 },
  at: ROOM_START,
  mode: "open",
  epoch: 1,
  message: null,
  closed: null,
  lobbiesOpen: [lobbyIndex(0)],
  waiting: 0,
  called: 0,
  visiting: 0,
  permitsMax: 10,
  issued: 0,
  entriesPerMinute: 0,
  newcomer: { known: false, reason: "no-ends" },
  endedSince: null,
  ended: [],
  ...more,
});

export const visitOf = (now: InstantMs, number = 7): VisitView => ({
  visit: ticketNumber(number),
  epoch: 1,
  leaseUntil: after(now, 300_000),
  passUntil: after(now, 300_000),
  endsAt: null,
  provisional: false,
  now,
});

export const viewOf = (now: InstantMs, change: Partial<TicketView> = {}): TicketView => ({
  number: ticketNumber(42),
  state: "waiting",
  joinedAt: now,
  heardAt: now,
  ahead: 3,
  eta: { known: true, seconds: 90, low: 60, high: 150 },
  claimBy: null,
  pollAfterSeconds: 9,
  now,
  ...change,
});

export const heldTicketOf = (now: InstantMs): TicketClaims => ({
  number: ticketNumber(42),
  visitor: VISITOR,
  lobby: lobbyIndex(0),
  joinedAt: now,
  heardAt: now,
});

/** What the queue page knows when it is served. */
export const bootOf = async (
  answer: Response,
): Promise<{
  to: string;
  state: {
    phase: string;
    formLost: boolean;
    message: string | null;
    closed: string | null;
    ticket: { number: number } | null;
  };
}> => {
  const html = await answer.text();
  return JSON.parse(/id="boot">(.*?)<\/script>/s.exec(html)?.[1] ?? "null");
};

/** Each call answered by the world's own lobby, until a test scripts it. */
const scriptedLobby = (fake: FakeLobby): Scripted<LobbyScript> => ({
  take: async (ask) => fake.take(ask),
  where: async (ticket) => fake.where(ticket),
  leave: async ({ number }) => fake.leave(number),
  claim: async (ticket) => fake.claim(ticket),
  enter: async (ask) => fake.enter(ask),
  renew: async (visit) => fake.renew(visit),
  peek: async (visit) => fake.peek(visit),
  end: async (visit, afterMs) => fake.end(visit, afterMs),
  snapshot: async (since) => fake.snapshot(since),
  wait: async (ask) => fake.wait(ask),
  turns: async (ask) => fake.turns(ask),
  moment: async () => ({ kind: "start", waitMs: 0, left: null }),
  abandonWait: async (waitId) => fake.abandonWait(waitId),
  fetch: async (request) => fake.open(request),
  numberUnder: () => Promise.reject(new Error("only the Room looks for visitors")),
  deliver: () => Promise.reject(new Error("no edge delivers")),
  close: () => Promise.reject(new Error("no edge closes a lobby")),
});

const scriptedRoom = (world: World) =>
  ({
    configure: async () => undefined,
    batch: () => Promise.reject(new Error("no edge sends batches")),
    snapshot: async () => world.snapshot,
    peek: async (visit) => ({ kind: "visit", visit: visitOf(world.now, visit) }),
    end: async () => true,
    revokeAll: async () => 3,
    history: async () => [],
    meter: async () => meterOf(world),
    erase: async () => undefined,
  }) satisfies Partial<RoomRpc> as unknown as Scripted<RoomRpc>;

/** What the room of the world's snapshot would tell monitoring. */
const meterOf = ({ snapshot, definitions }: World): RoomMeter => {
  const limits = definitions.rooms[0]?.limits ?? TEN_PERMITS;
  const { mode, waiting, called, visiting, issued, newcomer } = snapshot;
  return {
    mode,
    phase: null,
    waiting,
    called,
    visiting,
    own: limits,
    inEffect: limits,
    issued,
    newcomer,
    totals: {},
  };
};

const scriptedRegistry = (world: World) =>
  ({
    definitions: async (version) =>
      version === world.definitions.version ? null : world.definitions,
    create: async (definition) => ({ ok: true, value: definition }),
    replace: async (definition) => ({ ok: true, value: definition }),
    change: async () => ({ ok: true, value: world.definitions.rooms[0]! }),
    remove: async (id) => ({ ok: true, value: id }),
    rotateKeys: async () => ({ ok: true, kids: ["k2"] }),
    revokeKey: async () => ({ ok: true, kids: ["k2"] }),
    makeToken: async (token) => ({ ok: true, token }),
    revokeToken: async () => true,
    enterAudit: async () => undefined,
    auditLog: async () => ({ entries: [], nextBefore: null }),
  }) satisfies Partial<RegistryRpc> as unknown as Scripted<RegistryRpc>;

/** Headers of a browser that opens a page. */
export const DOCUMENT = { "Sec-Fetch-Dest": "document", Accept: "text/html,*/*;q=0.8" } as const;
export const JSON_APP = { Accept: "application/json" } as const;

/** `name=value` of the cookies that an answer sets, without those that it clears. */
export const cookiesFrom = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .filter((cookie) => !/Max-Age=0/.test(cookie))
    .map((cookie) => cookie.split(";")[0]!)
    .join("; ");

export const cookieFor = (kind: "visitor" | "ticket" | "pass", token: string): string =>
  `__Host-seiriken-${kind}-shop=${token}`;
