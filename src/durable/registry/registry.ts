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
import type { SettingsShown } from "./acts.ts";
import { Books } from "./books.ts";
import { DefinedRooms } from "./defined-rooms.ts";
import { DeletedRooms } from "./deleted-rooms.ts";
import type { RegistryStore } from "./store.ts";
import { OperatorTokens } from "./operator-tokens.ts";
import { Previews } from "./previews.ts";
import { SigningKeys } from "./signing-keys.ts";
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
  readonly #rooms: DefinedRooms;
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
    this.#shown = shown;
    const wakeUps = new WakeUps(ctx.storage);
    this.#alerts = new AlertDesk(ctx.storage, wakeUps, (room) => this.#rooms.by(room));
    const settings = { changed, shown };
    this.#rooms = new DefinedRooms(this.#books, this.#deleted, settings, (room) => {
      this.#alerts.forget(room);
    });
    this.#told = new RoomsTold(wakeUps, env.ROOM, this.#store, this.#deleted);
    this.#store.retireOlderKeys(machineNow());
    void ctx.blockConcurrencyWhile(() => this.#told.expectRetry());
  }

  async definitions(version: number | null): Promise<Definitions | null> {
    this.#keys.mind(machineNow());
    const known = this.#books.known();
    return known.version === version ? null : known;
  }

  livingTokens(ids: readonly string[]): Promise<readonly string[]> {
    return Promise.resolve(this.#books.tokens.living(ids, machineNow()));
  }

  async create(definition: RoomDefinition, by?: Author): Promise<RegistryReply<RoomDefinition>> {
    return this.#tellOf(this.#rooms.create(definition, machineNow(), by));
  }

  async replace(
    definition: RoomDefinition,
    readAt?: ReadAt,
    by?: Author,
  ): Promise<RegistryReply<RoomDefinition>> {
    return this.#tellOf(this.#rooms.replace(definition, machineNow(), readAt, by));
  }

  async change(
    room: string,
    change: SettingsChange,
    readAt?: ReadAt,
    by?: Author,
  ): Promise<RegistryReply<RoomDefinition>> {
    return this.#tellOf(this.#rooms.change(room, change, machineNow(), readAt, by));
  }

  async changeRules(
    room: string,
    change: RulesChange,
    readAt?: ReadAt,
    by?: Author,
  ): Promise<RegistryReply<RoomDefinition>> {
    return this.#tellOf(this.#rooms.changeRules(room, change, machineNow(), readAt, by));
  }

  async changeEvents(
    room: string,
    change: EventsChange,
    chain: DrandChain | null,
    readAt?: ReadAt,
    by?: Author,
  ): Promise<RegistryReply<RoomDefinition>> {
    return this.#tellOf(this.#rooms.changeEvents(room, change, chain, machineNow(), readAt, by));
  }

  async remove(id: RoomId, readAt?: ReadAt, by?: Author): Promise<RegistryReply<RoomId>> {
    const reply = await this.#tellOf(this.#rooms.remove(id, machineNow(), readAt, by));
    return reply.ok ? { ok: true, value: id } : reply;
  }

  async restore(room: string, by?: Author): Promise<RegistryReply<RoomDefinition>> {
    return this.#tellOf(this.#rooms.restore(room, machineNow(), by));
  }

  deletedRooms(): Promise<readonly DeletedRoom[]> {
    return Promise.resolve(this.#deleted.restorable(machineNow()));
  }

  keepPreview(id: string, html: string): Promise<InstantMs> {
    return Promise.resolve(this.#previews.keep(id, html, machineNow()));
  }

  preview(id: string): Promise<KeptPreview | null> {
    return Promise.resolve(this.#previews.find(id, machineNow()));
  }

  changeSettings(settings: ZoneSettings, by?: Author): Promise<ZoneSettings> {
    const change = { settings, by, now: machineNow() };
    return Promise.resolve(changeZone(this.#books, this.#shown, change));
  }

  async rotateKeys(by?: Author): Promise<KeysReply> {
    return this.#keys.rotate(machineNow(), by);
  }

  async revokeKey(kid: string, by?: Author): Promise<KeysReply> {
    return this.#keys.revoke(kid, machineNow(), by);
  }

  async makeToken(token: OperatorToken, by: Author): Promise<TokenReply> {
    return this.#tokens.make(token, by, machineNow());
  }

  async revokeToken(id: string, by: Author): Promise<boolean> {
    return this.#tokens.revoke(id, by, machineNow());
  }

  async enterAudit(act: AuditAct, by: Author): Promise<void> {
    this.#books.audit.enter(act, by, machineNow());
  }

  async auditLog(query: AuditQuery): Promise<AuditPage> {
    return this.#books.audit.page(query);
  }

  /**
   * Tells the Rooms that could not be told, and those whose day is over. Coming twice, late or for nothing
   * harms nothing.
   */
  override async alarm(): Promise<void> {
    this.#rooms.forgetDue(machineNow());
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

  /** A Room hears of a change before who made it: where that fails, by the alarm. */
  async #tellOf(reply: RegistryReply<RoomDefinition>): Promise<RegistryReply<RoomDefinition>> {
    if (reply.ok) await this.#told.beforeAnswering(addressOf(reply.value));
    return reply;
  }
}

const machineNow = (): InstantMs => instant(Date.now());
