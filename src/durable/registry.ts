import { DurableObject } from "cloudflare:workers";
import type { RoomDefinition } from "../core/definition.ts";
import type { RoomId } from "../core/ids.ts";
import { after, instant, type InstantMs } from "../core/time.ts";
import type {
  Definitions,
  RegistryProblem,
  RegistryReply,
  RegistryRpc,
  RoomRpc,
} from "./contract.ts";
import { RegistryStore, type Untold } from "./registry-store.ts";
import { newSigningKey } from "./signing-key.ts";

export const ROOMS_MAX = 1_000;
/** All definitions go to an isolate in one call, and a call carries at most 32 MiB. */
export const DEFINITIONS_BYTES_MAX = 16 * 1_024 * 1_024;
/** The key that signs, and the last three before it. */
export const KEYS_MAX = 4;
/**
 * A new key only verifies for so long, until every isolate has fetched it (they keep what they know
 * for 5 s). A key that signed at once would make tickets that other isolates cannot read yet.
 */
export const KEY_SIGNS_AFTER_MS = 10_000;
/** A Room that does not answer in this time is told later, by the alarm. */
const TELL_WITHIN_MS = 5_000;
/** Rooms told at once by the alarm. */
const TELL_TOGETHER = 20;
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 60_000;

interface RegistryEnv {
  readonly ROOM: { getByName(name: string): Pick<RoomRpc, "configure" | "erase"> };
}

/** The one object that knows every room and every signing key. Writes first, then remembers. */
export class Registry extends DurableObject<RegistryEnv> implements RegistryRpc {
  readonly #store: RegistryStore;
  /** What the tables say, until something writes. */
  #known: Definitions | null = null;
  /** One conversation with a Room at a time, so that an older setting never arrives last. */
  readonly #telling = new Map<RoomId, Promise<void>>();
  #retryMs = RETRY_FIRST_MS;

  constructor(ctx: DurableObjectState, env: RegistryEnv) {
    super(ctx, env);
    this.#store = new RegistryStore(ctx.storage);
    void ctx.blockConcurrencyWhile(() => this.#expectRetry());
  }

  async definitions(version: number | null): Promise<Definitions | null> {
    this.#letKeySign(instant(Date.now()));
    const known = this.#load();
    return known.version === version ? null : known;
  }

  async create(definition: RoomDefinition): Promise<RegistryReply<RoomDefinition>> {
    const now = instant(Date.now());
    const room = { ...definition, createdAt: now, modifiedAt: now };
    const problem = this.#store.room(room.id) ? TAKEN_ID : this.#conflictOf(room);
    if (problem !== null) return { ok: false, problem };
    this.#write(room.id, "configure", () => this.#store.putRoom(room));
    await this.#tellBeforeAnswering(room.id);
    return { ok: true, value: room };
  }

  async replace(
    definition: RoomDefinition,
    readAt?: InstantMs,
  ): Promise<RegistryReply<RoomDefinition>> {
    const before = this.#store.room(definition.id);
    if (before === null) return notFound(definition.id);
    if (readAt !== undefined && readAt !== before.modifiedAt) return MODIFIED_SINCE;
    const problem = this.#conflictOf(definition);
    if (problem !== null) return { ok: false, problem };
    const { createdAt } = before;
    const unchanged = { ...definition, createdAt, modifiedAt: before.modifiedAt };
    if (JSON.stringify(unchanged) === JSON.stringify(before)) {
      await this.#tellBeforeAnswering(before.id);
      return { ok: true, value: before };
    }
    // Strictly later than before, also when the machine's clock stepped back.
    const modifiedAt = instant(Math.max(Date.now(), before.modifiedAt + 1));
    const room = { ...definition, createdAt, modifiedAt };
    this.#write(room.id, "configure", () => this.#store.putRoom(room));
    await this.#tellBeforeAnswering(room.id);
    return { ok: true, value: room };
  }

  async remove(id: RoomId): Promise<RegistryReply<RoomId>> {
    if (this.#store.room(id) === null) return notFound(id);
    this.#write(id, "erase", () => this.#store.deleteRoom(id));
    await this.#tellBeforeAnswering(id);
    return { ok: true, value: id };
  }

  async rotateKeys(): Promise<readonly string[]> {
    const now = instant(Date.now());
    this.#letKeySign(now);
    const key = newSigningKey();
    this.#forgetAfter(() => {
      this.#store.putKey(key, after(now, KEY_SIGNS_AFTER_MS), KEYS_MAX);
      this.#store.raiseVersion();
    });
    const others = this.#load().keys.filter(({ kid }) => kid !== key.kid);
    return [key.kid, ...others.map(({ kid }) => kid)];
  }

  /** Tells the Rooms that could not be told. Coming twice, late or for nothing harms nothing. */
  override async alarm(): Promise<void> {
    const untold = this.#store.untold();
    if (untold.length === 0) {
      this.#retryMs = RETRY_FIRST_MS;
      return;
    }
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MAX_MS);
    await this.ctx.storage.setAlarm(Date.now() + this.#retryMs);
    for (let next = 0; next < untold.length; next += TELL_TOGETHER) {
      const together = untold.slice(next, next + TELL_TOGETHER);
      await Promise.all(together.map(({ room }) => this.#tell(room)));
    }
    await this.#restIfAllTold();
  }

  #load(): Definitions {
    this.#known ??= {
      version: this.#store.version(),
      rooms: this.#store.rooms(),
      keys: this.#store.keys(),
    };
    return this.#known;
  }

  /** Makes the first key, and puts a newer one in front when its time has come. */
  #letKeySign(now: InstantMs): void {
    const isFirst = this.#store.newestKey() === null;
    if (!isFirst && this.#store.keyToSign(now) === null) return;
    this.#forgetAfter(() => {
      if (isFirst) this.#store.putKey(newSigningKey(), now, KEYS_MAX);
      const kid = this.#store.keyToSign(now);
      if (kid !== null) this.#store.letSign(kid);
      this.#store.raiseVersion();
    });
  }

  /** One transaction: the change, the version, and the note that the Room has not heard of it. */
  #write(room: RoomId, act: Untold["act"], change: () => void): void {
    this.#forgetAfter(() => {
      change();
      this.#store.putUntold({ room, act, change: this.#store.raiseVersion() });
    });
  }

  #forgetAfter(writes: () => void): void {
    try {
      this.#store.atomically(writes);
    } finally {
      this.#known = null;
    }
  }

  #conflictOf(room: RoomDefinition): RegistryProblem | null {
    const isNew = this.#store.room(room.id) === null;
    if (isNew && this.#store.roomCount() >= ROOMS_MAX) {
      return { code: "too-many-rooms", detail: `There are already ${ROOMS_MAX} rooms.` };
    }
    const bytes = new TextEncoder().encode(JSON.stringify(room)).length;
    if (this.#store.bytesWithout(room.id) + bytes > DEFINITIONS_BYTES_MAX) {
      const detail = "All rooms together may take 16 MiB. Shorten pages, logos or exemptions.";
      return { code: "too-many-rooms", detail };
    }
    const namesake = this.#store.ownerOfName(room.name);
    if (namesake !== null && namesake !== room.id) {
      return { code: "name-taken", detail: `Another room is named ${room.name}.` };
    }
    for (const route of room.routes) {
      const owner = this.#store.ownerOfRoute(route);
      if (owner === null || owner === room.id) continue;
      const name = this.#store.room(owner)?.name ?? owner;
      return {
        code: "route-taken",
        detail: `${route.host}${route.path} belongs to the room ${name}.`,
      };
    }
    return null;
  }

  /** The alarm is set before the call: if we die in it, the Room is told all the same. */
  async #tellBeforeAnswering(room: RoomId): Promise<void> {
    if (this.#store.untoldOf(room) === null) return;
    await this.#expectRetry();
    await this.#tell(room);
    await this.#restIfAllTold();
  }

  #tell(room: RoomId): Promise<void> {
    const turn = (this.#telling.get(room) ?? Promise.resolve()).then(() => this.#tellNow(room));
    this.#telling.set(room, turn);
    return turn.finally(() => {
      if (this.#telling.get(room) === turn) this.#telling.delete(room);
    });
  }

  /** Never throws: a Room that cannot be reached stays untold, and the alarm tries again. */
  async #tellNow(room: RoomId): Promise<void> {
    const untold = this.#store.untoldOf(room);
    if (untold === null) return;
    try {
      // A stub is broken after an exception, so each try takes a new one.
      const stub = this.env.ROOM.getByName(room);
      const definition = untold.act === "configure" ? this.#store.room(room) : null;
      await within(TELL_WITHIN_MS, definition ? stub.configure(definition) : stub.erase());
      this.#store.deleteUntold(untold);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      console.warn(
        JSON.stringify({ level: "warn", event: "room-untold", room, act: untold.act, reason }),
      );
    }
  }

  async #expectRetry(): Promise<void> {
    if (this.#store.untold().length === 0) return;
    if ((await this.ctx.storage.getAlarm()) !== null) return;
    await this.ctx.storage.setAlarm(Date.now() + this.#retryMs);
  }

  async #restIfAllTold(): Promise<void> {
    if (this.#store.untold().length > 0) return;
    this.#retryMs = RETRY_FIRST_MS;
    await this.ctx.storage.deleteAlarm();
  }
}

const TAKEN_ID: RegistryProblem = { code: "name-taken", detail: "A room with this id exists." };

const MODIFIED_SINCE: RegistryReply<never> = {
  ok: false,
  problem: { code: "modified-since", detail: "Somebody else changed the room. Read it again." },
};

const notFound = (id: RoomId): RegistryReply<never> => ({
  ok: false,
  problem: { code: "not-found", detail: `There is no room with the id ${id}.` },
});

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: number | null = null;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
