/** What operators do with webhooks, and what alerts do to the outbox. */
import type { Alert, NotedAlert } from "../../core/alerts/alert.ts";
import { FORMER_SECRET_MS } from "../../core/alerts/backoff.ts";
import {
  bodyOf,
  WEBHOOKS_MAX,
  wants,
  type Attempt,
  type Delivery,
  type Webhook,
  type WebhookId,
  type WebhookInput,
} from "../../core/alerts/webhook.ts";
import type { FieldProblem } from "../../core/field-problem.ts";
import { hex } from "../../core/hex.ts";
import type { RoomId } from "../../core/ids.ts";
import { after, instant, type InstantMs } from "../../core/time.ts";
import type { ReadAt } from "../registry-contract.ts";
import type {
  MadeSecret,
  WebhookCommand,
  WebhookCommands,
  WebhookProblem,
  WebhookReply,
} from "../webhooks-contract.ts";
import { logNews } from "../log.ts";
import { newWebhookSecret, send } from "./send.ts";
import type { WebhookStore } from "./store.ts";

/** A room as it stands, or stood. */
export interface NamedRoom {
  readonly id: RoomId;
  readonly name: string;
}

type RoomBy = (idOrName: string) => NamedRoom | null;

const NOT_FOUND = { ok: false, problem: { code: "not-found" } } as const;

export class Webhooks {
  readonly #store: WebhookStore;
  readonly #roomBy: RoomBy;
  readonly #send: typeof send;

  constructor(store: WebhookStore, roomBy: RoomBy, sends: typeof send = send) {
    this.#store = store;
    this.#roomBy = roomBy;
    this.#send = sends;
  }

  /** In one transaction: each alert that was not heard yet, for each webhook that wants it. */
  hear(room: RoomId, alerts: readonly NotedAlert[], now: InstantMs): number {
    const named = this.#roomBy(room) ?? { id: room, name: room };
    const heardBefore = this.#store.heard(room);
    const news = alerts.filter(({ sequence }) => sequence > heardBefore);
    const upTo = this.#store.atomically(() => {
      const last = news.at(-1)?.sequence;
      if (last === undefined) return heardBefore;
      const ids = news.map((alert) => ({ id: `alert_${room}_${alert.sequence}`, alert }));
      this.note(ids, named, now);
      this.#store.putHeard(room, last);
      return last;
    });
    for (const { type, data } of news) logNews("alert", { room: named.name, type, ...data });
    return upTo;
  }

  /** Within a transaction. */
  note(
    alerts: readonly { readonly id: string; readonly alert: Alert }[],
    room: NamedRoom | null,
    now: InstantMs,
  ): void {
    const made = alerts.map(({ id, alert }) => ({
      id,
      type: alert.type,
      body: bodyOf(alert, room),
    }));
    for (const webhook of this.#store.webhooks()) {
      const wanted = made.filter(({ type }) => wants(webhook, type, room?.id ?? null));
      if (wanted.length === 0) continue;
      for (const alert of wanted) this.#store.enqueue(webhook.id, alert, now);
      const dropped = this.#store.trim(webhook.id);
      if (dropped > 0) this.#store.put({ ...webhook, dropped: webhook.dropped + dropped });
    }
  }

  async perform<Do extends keyof WebhookCommands>(
    act: Do,
    asks: WebhookCommand<Do>,
  ): Promise<WebhookReply<WebhookCommands[Do]["reply"]>> {
    const acts: {
      readonly [One in keyof WebhookCommands]: (
        asks: WebhookCommand<One>,
        now: InstantMs,
      ) =>
        | WebhookReply<WebhookCommands[One]["reply"]>
        | Promise<WebhookReply<WebhookCommands[One]["reply"]>>;
    } = {
      list: () => ({ ok: true, value: this.#store.webhooks() }),
      create: ({ input }, now) => this.#create(input, now),
      change: (change, now) => this.#change(change, now),
      remove: (which) => this.#remove(which),
      rotate: ({ id }, now) => this.#rotate(id, now),
      test: ({ id }, now) => this.#test(id, now),
      deliveries: ({ id, limit }) => this.#deliveries(id, limit),
    };
    return acts[act](asks, instant(Date.now()));
  }

  #create(input: WebhookInput, now: InstantMs): WebhookReply<MadeSecret> {
    if (this.#store.webhooks().length >= WEBHOOKS_MAX) {
      return { ok: false, problem: { code: "too-many" } };
    }
    const rooms = this.#roomsOf(input.rooms);
    if ("problem" in rooms) return { ok: false, problem: rooms.problem };
    const webhook: Webhook = {
      ...input,
      rooms: rooms.ids,
      id: hex(crypto.getRandomValues(new Uint8Array(16))) as WebhookId,
      createdAt: now,
      modifiedAt: now,
      offReason: null,
      failingSince: null,
      failedInARow: 0,
      restsUntil: null,
      dropped: 0,
    };
    const secret = newWebhookSecret();
    this.#store.add(webhook, { secret, former: null });
    return { ok: true, value: { webhook, secret } };
  }

  /** Another address, or being turned on, is a new beginning: what failed before counts no more. */
  #change({ id, input, readAt }: WebhookCommand<"change">, now: InstantMs): WebhookReply<Webhook> {
    const before = this.#store.webhook(id);
    if (before === null) return NOT_FOUND;
    if (isOutdated(readAt, before)) return { ok: false, problem: MODIFIED };
    const { rooms: named, ...rest } = input;
    const rooms = named === undefined ? { ids: before.rooms } : this.#roomsOf(named, before.rooms);
    if ("problem" in rooms) return { ok: false, problem: rooms.problem };
    const set = { ...before, ...rest, rooms: rooms.ids };
    if (JSON.stringify(set) === JSON.stringify(before)) return { ok: true, value: before };
    const isAnew = set.url !== before.url || (set.enabled && !before.enabled);
    const fresh = { offReason: null, failingSince: null, failedInARow: 0, restsUntil: null };
    const modifiedAt = instant(Math.max(now, before.modifiedAt + 1));
    const webhook: Webhook = { ...set, ...(isAnew ? fresh : {}), modifiedAt };
    this.#store.put(webhook);
    return { ok: true, value: webhook };
  }

  #remove({ id, readAt }: WebhookCommand<"remove">): WebhookReply<WebhookId> {
    const webhook = this.#store.webhook(id);
    if (webhook === null) return NOT_FOUND;
    if (isOutdated(readAt, webhook)) return { ok: false, problem: MODIFIED };
    this.#store.atomically(() => this.#store.remove(webhook.id));
    return { ok: true, value: webhook.id };
  }

  #rotate(id: string, now: InstantMs): WebhookReply<MadeSecret> {
    const webhook = this.#store.webhook(id);
    const before = webhook === null ? null : this.#store.secrets(webhook.id);
    if (webhook === null || before === null) return NOT_FOUND;
    const secret = newWebhookSecret();
    const former = { secret: before.secret, until: after(now, FORMER_SECRET_MS) };
    this.#store.putSecrets(webhook.id, { secret, former });
    return { ok: true, value: { webhook, secret } };
  }

  /** Beside the outbox: whoever pressed the button waits for the answer, and nothing is tried again. */
  async #test(id: string, now: InstantMs): Promise<WebhookReply<Attempt>> {
    const webhook = this.#store.webhook(id);
    const secrets = webhook === null ? null : this.#store.secrets(webhook.id);
    if (webhook === null || secrets === null) return NOT_FOUND;
    const alertId = `alert_test_${hex(crypto.getRandomValues(new Uint8Array(8)))}`;
    const data = { webhook: webhook.name };
    const body = bodyOf({ type: "webhook.test", at: now, data }, null);
    const { attempt } = await this.#send(webhook.url, { alertId, body }, secrets);
    return { ok: true, value: attempt };
  }

  #deliveries(id: string, limit: number): WebhookReply<readonly Delivery[]> {
    const webhook = this.#store.webhook(id);
    if (webhook === null) return NOT_FOUND;
    return { ok: true, value: this.#store.deliveries(webhook.id, limit) };
  }

  /** Names change and ids do not, so ids are kept: those of rooms that are gone too, where they stand. */
  #roomsOf(
    named: readonly string[] | null,
    standing: readonly RoomId[] | null = null,
  ): { readonly ids: readonly RoomId[] | null } | { readonly problem: WebhookProblem } {
    if (named === null) return { ids: null };
    const problems: FieldProblem[] = [];
    const ids = named.flatMap((name, place) => {
      const room = this.#roomBy(name);
      if (room !== null) return [room.id];
      const gone = standing?.find((id) => id === name);
      if (gone !== undefined) return [gone];
      problems.push({ keys: ["rooms", place], message: "is no room's name or id" });
      return [];
    });
    if (problems.length > 0) return { problem: { code: "invalid", problems } };
    return { ids: [...new Set(ids)] };
  }
}

const MODIFIED: WebhookProblem = { code: "modified-since" };

/** The change names versions that it was based on, and none of them stands. */
const isOutdated = (readAt: ReadAt | undefined, { modifiedAt }: Webhook): boolean =>
  readAt !== undefined && !readAt.includes(modifiedAt);
