/** The Registry object. Its tables are in store.ts, deleted-rooms.ts and previews.ts. */
import { DurableObject } from "cloudflare:workers";
import type { OperatorToken } from "../../core/access/token.ts";
import type { AuditAct, AuditPage, AuditQuery, Author } from "../../core/audit/entry.ts";
import type { NotedAlert } from "../../core/alerts/alert.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import type { DrandChain } from "../../core/draw/drand-chain.ts";
import type { EventsChange } from "../../core/events/event-list.ts";
import type { RoomId } from "../../core/ids.ts";
import { addressOf } from "../../core/regions/address.ts";
import type { RulesChange } from "../../core/rules/rule-list.ts";
import type { ChangeOf, SettingsChange } from "../../core/settings-change.ts";
import { instant, type InstantMs } from "../../core/time.ts";
import type { ZoneSettings } from "../../core/zone-settings.ts";
import type {
  DeletedRoom,
  Definitions,
  KeptPreview,
  KeysReply,
  ReadAt,
  RegistryReply,
  RegistryRpc,
  TokenReply,
} from "../contract.ts";
import type { WebhookCommand, WebhookCommands, WebhookReply } from "../webhooks-contract.ts";
import { AlertDesk } from "../webhooks/alert-desk.ts";
import { eventAct, roomAct, roomDeletedAct, rulesAct, type SettingsShown } from "./acts.ts";
import { Books } from "./books.ts";
import { withRules } from "./bypass-rules.ts";
import { conflictOf } from "./conflicts.ts";
import { DeletedRooms } from "./deleted-rooms.ts";
import type { RegistryStore, OutboxEntry } from "./store.ts";
import { OperatorTokens } from "./operator-tokens.ts";
import { Previews } from "./previews.ts";
import {
  isOutdated,
  modifiedSince,
  movesTraffic,
  NOT_COVERED,
  NOT_RESTORABLE,
  noSuchRoom,
  TAKEN_ID,
} from "./problems.ts";
import { newSecret, withEvents } from "./room-events.ts";
import { SigningKeys } from "./signing-keys.ts";
import { withSuffixOfItsOwn } from "./suffix.ts";
import { RoomsTold, type RoomsToTell } from "./rooms-told.ts";
import { changeZone } from "./zone-change.ts";
import { WakeUps } from "../wake-ups.ts";

export interface RegistryEnv {
  readonly ROOM: RoomsToTell;
}

/** The one object that knows every room and every signing key. Writes first, then remembers. */
export class Registry extends DurableObject<RegistryEnv> implements RegistryRpc {
  readonly #books: Books;
  readonly #store: RegistryStore;
  readonly #deleted: DeletedRooms;
  readonly #previews: Previews;
  readonly #keys: SigningKeys;
  readonly #tokens: OperatorTokens;
  readonly #changed: ChangeOf<RoomDefinition>;
  readonly #told: RoomsTold;
  readonly #alerts: AlertDesk;

  readonly #shown: SettingsShown;

  /** `changed` and `shown` know the settings' names and bounds, which are the Worker's. */
  constructor(
    ctx: DurableObjectState,
    env: RegistryEnv,
    changed: ChangeOf<RoomDefinition>,
    shown: SettingsShown,
  ) {
    super(ctx, env);
    this.#books = new Books(ctx.storage, (entry) => {
      ctx.waitUntil(this.#alerts.tellOf(entry));
    });
    this.#store = this.#books.store;
    this.#deleted = new DeletedRooms(ctx.storage);
    this.#previews = new Previews(ctx.storage);
    this.#keys = new SigningKeys(this.#books);
    this.#tokens = new OperatorTokens(this.#books);
    this.#changed = changed;
    this.#shown = shown;
    const wakeUps = new WakeUps(ctx.storage);
    this.#alerts = new AlertDesk(ctx.storage, wakeUps, (room) => this.#roomBy(room));
    this.#told = new RoomsTold(wakeUps, env.ROOM, this.#store, this.#deleted);
    this.#store.retireOlderKeys(instant(Date.now()));
    void ctx.blockConcurrencyWhile(() => this.#told.expectRetry());
  }

  async definitions(version: number | null): Promise<Definitions | null> {
    this.#keys.mind(instant(Date.now()));
    const known = this.#books.known();
    return known.version === version ? null : known;
  }

  livingTokens(ids: readonly string[]): Promise<readonly string[]> {
    return Promise.resolve(this.#books.tokens.living(ids, instant(Date.now())));
  }

  async create(definition: RoomDefinition, by?: Author): Promise<RegistryReply<RoomDefinition>> {
    const now = instant(Date.now());
    const named = withSuffixOfItsOwn(definition, null, this.#books.known().rooms);
    const room = { ...named, createdAt: now, modifiedAt: now };
    const problem = this.#store.room(room.id) ? TAKEN_ID : conflictOf(this.#store, room);
    if (problem !== null) return { ok: false, problem };
    this.#write(room, "configure", () => {
      this.#store.putRoom(room);
      this.#books.enter(by, now, () => roomAct(this.#shown, null, room));
    });
    await this.#told.beforeAnswering(addressOf(room));
    return { ok: true, value: room };
  }

  async replace(
    definition: RoomDefinition,
    readAt?: ReadAt,
    by?: Author,
  ): Promise<RegistryReply<RoomDefinition>> {
    const before = this.#store.room(definition.id);
    if (before === null) return noSuchRoom(definition.id);
    if (by != null && by.rooms !== null && movesTraffic(before, definition)) return NOT_COVERED;
    if (isOutdated(readAt, before.modifiedAt)) return modifiedSince("the room");
    const problem = conflictOf(this.#store, definition);
    if (problem !== null) return { ok: false, problem };
    const { createdAt } = before;
    const named = withSuffixOfItsOwn(definition, before, this.#books.known().rooms);
    const unchanged = { ...named, createdAt, modifiedAt: before.modifiedAt };
    if (JSON.stringify(unchanged) === JSON.stringify(before)) {
      await this.#told.beforeAnswering(addressOf(before));
      return { ok: true, value: before, before };
    }
    // Strictly later than before, also when the machine's clock stepped back.
    const now = instant(Date.now());
    const modifiedAt = instant(Math.max(now, before.modifiedAt + 1));
    const room = { ...named, createdAt, modifiedAt };
    this.#write(room, "configure", () => {
      this.#store.putRoom(room);
      this.#books.enter(by, now, () => roomAct(this.#shown, before, room));
    });
    await this.#told.beforeAnswering(addressOf(room));
    return { ok: true, value: room, before };
  }

  /** Nothing is awaited between reading the room and writing it, so changes come one after the other. */
  async change(
    room: string,
    change: SettingsChange,
    readAt?: ReadAt,
    by?: Author,
  ): Promise<RegistryReply<RoomDefinition>> {
    const before = this.#roomBy(room);
    if (before === null) return noSuchRoom(room);
    const after = this.#changed(before, change);
    if (!after.ok) return { ok: false, problem: { code: "invalid", problems: after.problems } };
    return this.replace(after.value, readAt, by);
  }

  /** The Room has no use for rules: only the isolates are to hear of them. */
  changeRules(
    room: string,
    change: RulesChange,
    readAt?: ReadAt,
    by?: Author,
  ): Promise<RegistryReply<RoomDefinition>> {
    const act = (before: RoomDefinition, after: RoomDefinition) =>
      rulesAct(this.#shown, before, after);
    const changed = (before: RoomDefinition, now: InstantMs) =>
      withRules(before, change, now, readAt);
    return this.#changeWithin(room, "tells-no-room", changed, { by, act });
  }

  changeEvents(
    room: string,
    change: EventsChange,
    chain: DrandChain | null,
    readAt?: ReadAt,
    by?: Author,
  ): Promise<RegistryReply<RoomDefinition>> {
    const draws = { secret: newSecret, chain };
    const act = (before: RoomDefinition, after: RoomDefinition) =>
      eventAct(this.#shown, change.id, before, after);
    const changed = (before: RoomDefinition, now: InstantMs) =>
      withEvents(before, change, draws, now, readAt);
    return this.#changeWithin(room, "tells-its-room", changed, { by, act });
  }

  async #changeWithin(
    room: string,
    tells: "tells-its-room" | "tells-no-room",
    changed: (before: RoomDefinition, now: InstantMs) => RegistryReply<RoomDefinition>,
    { by, act }: Entered,
  ): Promise<RegistryReply<RoomDefinition>> {
    const before = this.#roomBy(room);
    if (before === null) return noSuchRoom(room);
    const now = instant(Date.now());
    const reply = changed(before, now);
    if (!reply.ok || reply.value === before) return reply;
    const problem = conflictOf(this.#store, reply.value);
    if (problem !== null) return { ok: false, problem };
    this.#books.write(() => {
      this.#store.putRoom(reply.value);
      this.#books.enter(by, now, () => act(before, reply.value));
      const version = this.#store.raiseVersion();
      if (tells === "tells-no-room") return;
      this.#store.putOutbox({ room: addressOf(before), act: "configure", change: version });
    });
    await this.#told.beforeAnswering(addressOf(before));
    return reply;
  }

  async remove(id: RoomId, readAt?: ReadAt, by?: Author): Promise<RegistryReply<RoomId>> {
    const room = this.#store.room(id);
    if (room === null) return noSuchRoom(id);
    if (isOutdated(readAt, room.modifiedAt)) return modifiedSince("the room");
    // Later than its last change, so that the Room can tell which of the two came first.
    const deletedAt = instant(Math.max(Date.now(), room.modifiedAt + 1));
    this.#write(room, "retire", () => {
      this.#store.deleteRoom(id);
      this.#deleted.put({ room, deletedAt });
      this.#books.enter(by, instant(Date.now()), () => roomDeletedAct(this.#shown, room));
      this.#forgetDeleted(this.#deleted.tooMany());
    });
    await this.#told.beforeAnswering(addressOf(room));
    return { ok: true, value: id };
  }

  deletedRooms(): Promise<readonly DeletedRoom[]> {
    return Promise.resolve(this.#deleted.restorable(instant(Date.now())));
  }

  async restore(room: string, by?: Author): Promise<RegistryReply<RoomDefinition>> {
    const now = instant(Date.now());
    const deleted = this.#deleted.find(room, now);
    if (deleted === null) return NOT_RESTORABLE;
    const problem = conflictOf(this.#store, deleted.room);
    if (problem !== null) return { ok: false, problem };
    const modifiedAt = instant(Math.max(Date.now(), deleted.deletedAt + 1));
    const restored = {
      ...withSuffixOfItsOwn(deleted.room, null, this.#books.known().rooms),
      modifiedAt,
    };
    this.#write(restored, "configure", () => {
      this.#deleted.drop(restored.id);
      this.#store.putRoom(restored);
      this.#books.enter(by, now, () => roomAct(this.#shown, null, restored, "room-restored"));
    });
    await this.#told.beforeAnswering(addressOf(restored));
    return { ok: true, value: restored };
  }

  keepPreview(id: string, html: string): Promise<InstantMs> {
    return Promise.resolve(this.#previews.keep(id, html, instant(Date.now())));
  }

  preview(id: string): Promise<KeptPreview | null> {
    return Promise.resolve(this.#previews.find(id, instant(Date.now())));
  }

  changeSettings(settings: ZoneSettings, by?: Author): Promise<ZoneSettings> {
    const change = { settings, by, now: instant(Date.now()) };
    return Promise.resolve(changeZone(this.#books, this.#shown, change));
  }

  async rotateKeys(by?: Author): Promise<KeysReply> {
    return this.#keys.rotate(instant(Date.now()), by);
  }

  async revokeKey(kid: string, by?: Author): Promise<KeysReply> {
    return this.#keys.revoke(kid, instant(Date.now()), by);
  }

  async makeToken(token: OperatorToken, by: Author): Promise<TokenReply> {
    return this.#tokens.make(token, by, instant(Date.now()));
  }

  async revokeToken(id: string, by: Author): Promise<boolean> {
    return this.#tokens.revoke(id, by, instant(Date.now()));
  }

  async enterAudit(act: AuditAct, by: Author): Promise<void> {
    this.#books.audit.enter(act, by, instant(Date.now()));
  }

  async auditLog(query: AuditQuery): Promise<AuditPage> {
    return this.#books.audit.page(query);
  }

  /**
   * Tells the Rooms that could not be told, and those whose day is over. Coming twice, late or for nothing
   * harms nothing.
   */
  override async alarm(): Promise<void> {
    const due = this.#deleted.due(instant(Date.now()));
    if (due.length > 0) this.#books.write(() => this.#forgetDeleted(due));
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

  /** One transaction: the change, the version, and the note that the Room has not heard of it. */
  #write(definition: RoomDefinition, act: OutboxEntry["act"], change: () => void): void {
    const room = addressOf(definition);
    this.#books.write(() => {
      change();
      this.#store.putOutbox({ room, act, change: this.#store.raiseVersion() });
    });
  }

  /** Within a transaction. The alarm then tells the Rooms. */
  #forgetDeleted(rooms: readonly DeletedRoom[]): void {
    for (const { room } of rooms) {
      this.#deleted.drop(room.id);
      this.#alerts.forget(room.id);
      const change = this.#store.raiseVersion();
      this.#store.putOutbox({ room: addressOf(room), act: "erase", change });
    }
  }
}

/** Who changes something within a room, and how that is told. */
interface Entered {
  readonly by: Author | undefined;
  readonly act: (before: RoomDefinition, after: RoomDefinition) => AuditAct;
}
