/** The Registry object. Its tables are in store.ts, deleted-rooms.ts and previews.ts. */
import { DurableObject } from "cloudflare:workers";
import type { NotedAlert } from "../../core/alerts/alert.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import type { DrandChain } from "../../core/draw/drand-chain.ts";
import type { EventsChange } from "../../core/events/event-list.ts";
import type { RoomId } from "../../core/ids.ts";
import type { RulesChange } from "../../core/rules/rule-list.ts";
import type { ChangeOf, SettingsChange } from "../../core/settings-change.ts";
import { KEY_KEPT_MS } from "../../core/token-lives.ts";
import { after, instant, type InstantMs } from "../../core/time.ts";
import type { ZoneSettings } from "../../core/zone-settings.ts";
import type {
  DeletedRoom,
  Definitions,
  KeptPreview,
  KeysReply,
  ReadAt,
  RegistryReply,
  RegistryRpc,
} from "../contract.ts";
import type { WebhookCommand, WebhookCommands, WebhookReply } from "../webhooks-contract.ts";
import { AlertDesk } from "../webhooks/alert-desk.ts";
import { withRules } from "./bypass-rules.ts";
import { conflictOf } from "./conflicts.ts";
import { DeletedRooms } from "./deleted-rooms.ts";
import { RegistryStore, type OutboxEntry } from "./store.ts";
import { Previews } from "./previews.ts";
import { isOutdated, modifiedSince, NOT_RESTORABLE, noSuchRoom, TAKEN_ID } from "./problems.ts";
import { newSecret, withEvents } from "./room-events.ts";
import { newSigningKey } from "./signing-key.ts";
import { withSuffixOfItsOwn } from "./suffix.ts";
import { RoomsTold, type RoomsToTell } from "./rooms-told.ts";
import { WakeUps } from "../wake-ups.ts";
import { ZoneSettingsStore } from "./zone-settings.ts";

/** Every key goes to every isolate. A new one each day for as long as old ones are kept fits in. */
export const KEYS_MAX = 40;
/**
 * A new key only verifies for so long, until every isolate has fetched it (they keep what they know
 * for 5 s). A key that signed at once would make tickets that other isolates cannot read yet.
 */
export const KEY_SIGNS_AFTER_MS = 10_000;

export interface RegistryEnv {
  readonly ROOM: RoomsToTell;
}

/** The one object that knows every room and every signing key. Writes first, then remembers. */
export class Registry extends DurableObject<RegistryEnv> implements RegistryRpc {
  readonly #store: RegistryStore;
  readonly #deleted: DeletedRooms;
  readonly #settings: ZoneSettingsStore;
  readonly #previews: Previews;
  readonly #changed: ChangeOf<RoomDefinition>;
  /** What the tables say, until something writes. */
  #known: Definitions | null = null;
  readonly #told: RoomsTold;
  readonly #alerts: AlertDesk;

  /** `changed` knows the settings' names and bounds, which are the Worker's. */
  constructor(ctx: DurableObjectState, env: RegistryEnv, changed: ChangeOf<RoomDefinition>) {
    super(ctx, env);
    this.#store = new RegistryStore(ctx.storage);
    this.#deleted = new DeletedRooms(ctx.storage);
    this.#settings = new ZoneSettingsStore(ctx.storage);
    this.#previews = new Previews(ctx.storage);
    this.#changed = changed;
    const wakeUps = new WakeUps(ctx.storage);
    this.#alerts = new AlertDesk(ctx.storage, wakeUps, (room) => this.#roomBy(room));
    this.#told = new RoomsTold(wakeUps, env.ROOM, this.#store, this.#deleted);
    this.#store.retireOlderKeys(instant(Date.now()));
    void ctx.blockConcurrencyWhile(() => this.#told.expectRetry());
  }

  async definitions(version: number | null): Promise<Definitions | null> {
    this.#mindKeys(instant(Date.now()));
    const known = this.#load();
    return known.version === version ? null : known;
  }

  /** No token has been made. */
  livingTokens(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  async create(definition: RoomDefinition): Promise<RegistryReply<RoomDefinition>> {
    const now = instant(Date.now());
    const named = withSuffixOfItsOwn(definition, null, this.#load().rooms);
    const room = { ...named, createdAt: now, modifiedAt: now };
    const problem = this.#store.room(room.id) ? TAKEN_ID : conflictOf(this.#store, room);
    if (problem !== null) return { ok: false, problem };
    this.#write(room.id, "configure", () => this.#store.putRoom(room));
    await this.#told.beforeAnswering(room.id);
    return { ok: true, value: room };
  }

  async replace(
    definition: RoomDefinition,
    readAt?: ReadAt,
  ): Promise<RegistryReply<RoomDefinition>> {
    const before = this.#store.room(definition.id);
    if (before === null) return noSuchRoom(definition.id);
    if (isOutdated(readAt, before.modifiedAt)) return modifiedSince("the room");
    const problem = conflictOf(this.#store, definition);
    if (problem !== null) return { ok: false, problem };
    const { createdAt } = before;
    const named = withSuffixOfItsOwn(definition, before, this.#load().rooms);
    const unchanged = { ...named, createdAt, modifiedAt: before.modifiedAt };
    if (JSON.stringify(unchanged) === JSON.stringify(before)) {
      await this.#told.beforeAnswering(before.id);
      return { ok: true, value: before, before };
    }
    // Strictly later than before, also when the machine's clock stepped back.
    const modifiedAt = instant(Math.max(Date.now(), before.modifiedAt + 1));
    const room = { ...named, createdAt, modifiedAt };
    this.#write(room.id, "configure", () => this.#store.putRoom(room));
    await this.#told.beforeAnswering(room.id);
    return { ok: true, value: room, before };
  }

  /** Nothing is awaited between reading the room and writing it, so changes come one after the other. */
  async change(
    room: string,
    change: SettingsChange,
    readAt?: ReadAt,
  ): Promise<RegistryReply<RoomDefinition>> {
    const before = this.#roomBy(room);
    if (before === null) return noSuchRoom(room);
    const after = this.#changed(before, change);
    if (!after.ok) return { ok: false, problem: { code: "invalid", problems: after.problems } };
    return this.replace(after.value, readAt);
  }

  /** The Room has no use for rules: only the isolates are to hear of them. */
  changeRules(
    room: string,
    change: RulesChange,
    readAt?: ReadAt,
  ): Promise<RegistryReply<RoomDefinition>> {
    return this.#changeWithin(room, "tells-no-room", (before, now) =>
      withRules(before, change, now, readAt),
    );
  }

  changeEvents(
    room: string,
    change: EventsChange,
    chain: DrandChain | null,
    readAt?: ReadAt,
  ): Promise<RegistryReply<RoomDefinition>> {
    const draws = { secret: newSecret, chain };
    return this.#changeWithin(room, "tells-its-room", (before, now) =>
      withEvents(before, change, draws, now, readAt),
    );
  }

  async #changeWithin(
    room: string,
    tells: "tells-its-room" | "tells-no-room",
    changed: (before: RoomDefinition, now: InstantMs) => RegistryReply<RoomDefinition>,
  ): Promise<RegistryReply<RoomDefinition>> {
    const before = this.#roomBy(room);
    if (before === null) return noSuchRoom(room);
    const reply = changed(before, instant(Date.now()));
    if (!reply.ok || reply.value === before) return reply;
    const problem = conflictOf(this.#store, reply.value);
    if (problem !== null) return { ok: false, problem };
    this.#forgetAfter(() => {
      this.#store.putRoom(reply.value);
      const version = this.#store.raiseVersion();
      if (tells === "tells-no-room") return;
      this.#store.putOutbox({ room: before.id, act: "configure", change: version });
    });
    await this.#told.beforeAnswering(before.id);
    return reply;
  }

  async remove(id: RoomId, readAt?: ReadAt): Promise<RegistryReply<RoomId>> {
    const room = this.#store.room(id);
    if (room === null) return noSuchRoom(id);
    if (isOutdated(readAt, room.modifiedAt)) return modifiedSince("the room");
    // Later than its last change, so that the Room can tell which of the two came first.
    const deletedAt = instant(Math.max(Date.now(), room.modifiedAt + 1));
    this.#write(id, "retire", () => {
      this.#store.deleteRoom(id);
      this.#deleted.put({ room, deletedAt });
      this.#forgetDeleted(this.#deleted.tooMany());
    });
    await this.#told.beforeAnswering(id);
    return { ok: true, value: id };
  }

  deletedRooms(): Promise<readonly DeletedRoom[]> {
    return Promise.resolve(this.#deleted.restorable(instant(Date.now())));
  }

  async restore(room: string): Promise<RegistryReply<RoomDefinition>> {
    const deleted = this.#deleted.find(room, instant(Date.now()));
    if (deleted === null) return NOT_RESTORABLE;
    const problem = conflictOf(this.#store, deleted.room);
    if (problem !== null) return { ok: false, problem };
    const modifiedAt = instant(Math.max(Date.now(), deleted.deletedAt + 1));
    const restored = { ...withSuffixOfItsOwn(deleted.room, null, this.#load().rooms), modifiedAt };
    this.#write(restored.id, "configure", () => {
      this.#deleted.drop(restored.id);
      this.#store.putRoom(restored);
    });
    await this.#told.beforeAnswering(restored.id);
    return { ok: true, value: restored };
  }

  keepPreview(id: string, html: string): Promise<InstantMs> {
    return Promise.resolve(this.#previews.keep(id, html, instant(Date.now())));
  }

  preview(id: string): Promise<KeptPreview | null> {
    return Promise.resolve(this.#previews.find(id, instant(Date.now())));
  }

  changeSettings(settings: ZoneSettings): Promise<ZoneSettings> {
    const before = this.#settings.read();
    this.#forgetAfter(() => {
      this.#settings.put(settings);
      this.#store.raiseVersion();
    });
    return Promise.resolve(before);
  }

  async rotateKeys(): Promise<KeysReply> {
    const now = instant(Date.now());
    this.#mindKeys(now);
    const { keys } = this.#load();
    if (keys.length >= KEYS_MAX)
      return { ok: false, problem: "too-many-keys", oldest: this.#store.oldestKey() };
    const key = newSigningKey();
    this.#forgetAfter(() => {
      this.#store.putKey(key, after(now, KEY_SIGNS_AFTER_MS));
      this.#store.raiseVersion();
    });
    return { ok: true, kids: [key.kid, ...keys.map(({ kid }) => kid)] };
  }

  /** The next key signs at once: nobody would take tokens that the revoked one went on signing. */
  async revokeKey(kid: string): Promise<KeysReply> {
    const now = instant(Date.now());
    this.#mindKeys(now);
    const { keys } = this.#load();
    if (!keys.some((key) => key.kid === kid)) return { ok: false, problem: "no-such-key" };
    this.#forgetAfter(() => {
      const next = this.#store.newestUnused(kid);
      this.#store.deleteKey(kid);
      if (keys[0]?.kid === kid) {
        const fresh = newSigningKey();
        if (next === null) this.#store.putKey(fresh, now);
        this.#store.letSign(next ?? fresh.kid, now);
      }
      this.#store.raiseVersion();
    });
    return { ok: true, kids: this.#load().keys.map((key) => key.kid) };
  }

  /**
   * Tells the Rooms that could not be told, and those whose day is over. Coming twice, late or for nothing
   * harms nothing.
   */
  override async alarm(): Promise<void> {
    const due = this.#deleted.due(instant(Date.now()));
    if (due.length > 0) this.#forgetAfter(() => this.#forgetDeleted(due));
    this.ctx.waitUntil(this.#alerts.sendDue());
    await this.#told.tellAll();
  }

  async raise(room: RoomId, alerts: readonly NotedAlert[]): Promise<number> {
    const heard = this.#alerts.hear(room, alerts);
    this.ctx.waitUntil(this.#alerts.sendDue());
    return heard;
  }

  async webhook<Do extends keyof WebhookCommands>(
    act: Do,
    asks: WebhookCommand<Do>,
  ): Promise<WebhookReply<WebhookCommands[Do]["reply"]>> {
    const reply = await this.#alerts.perform(act, asks);
    this.ctx.waitUntil(this.#alerts.sendDue());
    return reply;
  }

  #roomBy(idOrName: string): RoomDefinition | null {
    const byId = this.#store.room(idOrName as RoomId);
    if (byId !== null) return byId;
    const id = this.#store.ownerOfName(idOrName);
    return id === null ? null : this.#store.room(id);
  }

  #load(): Definitions {
    this.#known ??= {
      version: this.#store.version(),
      rooms: this.#store.rooms(),
      keys: this.#store.keys(),
      settings: this.#settings.read(),
    };
    return this.#known;
  }

  /** Makes the first key, puts a newer one in front when its time has come, and forgets what is over. */
  #mindKeys(now: InstantMs): void {
    const isFirst = this.#store.newestKey() === null;
    const isDue =
      this.#store.keyToSign(now) !== null || this.#store.hasKeysRetiredBy(keptSince(now));
    if (!isFirst && !isDue) return;
    this.#forgetAfter(() => {
      if (isFirst) this.#store.putKey(newSigningKey(), now);
      const kid = this.#store.keyToSign(now);
      if (kid !== null) this.#store.letSign(kid, now);
      this.#store.forgetKeysRetiredBy(keptSince(now));
      this.#store.raiseVersion();
    });
  }

  /** One transaction: the change, the version, and the note that the Room has not heard of it. */
  #write(room: RoomId, act: OutboxEntry["act"], change: () => void): void {
    this.#forgetAfter(() => {
      change();
      this.#store.putOutbox({ room, act, change: this.#store.raiseVersion() });
    });
  }

  /** Within a transaction. The alarm then tells the Rooms. */
  #forgetDeleted(rooms: readonly DeletedRoom[]): void {
    for (const { room } of rooms) {
      this.#deleted.drop(room.id);
      this.#alerts.forget(room.id);
      this.#store.putOutbox({ room: room.id, act: "erase", change: this.#store.raiseVersion() });
    }
  }

  #forgetAfter(writes: () => void): void {
    try {
      this.#store.atomically(writes);
    } finally {
      this.#known = null;
    }
  }
}

/** Of a key that ceased to sign before this, every token is over. */
const keptSince = (now: InstantMs): InstantMs => after(now, -KEY_KEPT_MS);
