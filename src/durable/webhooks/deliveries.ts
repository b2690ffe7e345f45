/**
 * Sends what waits in the outbox. Each webhook has one delivery on its way at a time, and so many webhooks
 * at once, so that one that is slow holds up none of the others for long.
 */
import { isGivenUp, nextTryAt, restsUntil } from "../../core/alerts/backoff.ts";
import { afterTry, type Webhook, type WebhookId } from "../../core/alerts/webhook.ts";
import { after, earliest, instant, isOver, SECOND_MS, type InstantMs } from "../../core/time.ts";
import { logFailure } from "../log.ts";
import { send, type Sent } from "./send.ts";
import type { OutgoingAlert, WebhookStore } from "./store.ts";

/** A Worker has six connections at once. */
const TOGETHER_MAX = 6;
/** Then the next webhook has its turn. */
const IN_A_ROW_MAX = 50;
/** What was on its way when the object died is found again by an alarm that stands this far ahead. */
const FOUND_AGAIN_MS = 15 * SECOND_MS;

export class Deliveries {
  readonly #store: WebhookStore;
  /** Sets the alarm to the next moment that has something to do. */
  readonly #settle: () => Promise<void>;
  readonly #send: typeof send;
  readonly #sending = new Set<WebhookId>();
  /** What went wrong is left to the next round. */
  readonly #leftOut = new Set<WebhookId>();
  #round: Promise<void> | null = null;
  /** Resolved when there may be more to send than there was. */
  #news = Promise.withResolvers<void>();
  #hasNews = false;

  constructor(store: WebhookStore, settle: () => Promise<void>, sends: typeof send = send) {
    this.#store = store;
    this.#settle = settle;
    this.#send = sends;
  }

  /** When something is to be sent next; null: nothing waits. */
  nextAt(): InstantMs | null {
    const now = instant(Date.now());
    return this.#store.webhooks().reduce<InstantMs | null>((soonest, webhook) => {
      const at = this.#dueAt(webhook);
      if (at === null) return soonest;
      const isMinded = this.#round !== null && isOver(at, now);
      return earliest(soonest, isMinded ? after(now, FOUND_AGAIN_MS) : at);
    }, null);
  }

  /** Sends what is due, until nothing is. Never throws. Called again while it runs, it takes that in too. */
  run(): Promise<void> {
    this.#hasNews = true;
    this.#news.resolve();
    this.#round ??= this.#runAll().then(() => this.#endRound());
    return this.#round;
  }

  async #endRound(): Promise<void> {
    this.#round = null;
    this.#leftOut.clear();
    await this.#settle().catch((error: unknown) => logFailure("webhooks-alarm", error));
  }

  async #runAll(): Promise<void> {
    try {
      const running = new Set<Promise<void>>();
      for (;;) {
        for (const webhook of this.#due()) {
          if (running.size >= TOGETHER_MAX) break;
          this.#sending.add(webhook.id);
          const turn = this.#serve(webhook.id).finally(() => {
            this.#sending.delete(webhook.id);
            running.delete(turn);
          });
          running.add(turn);
        }
        if (running.size === 0 && !this.#hasNews) return;
        this.#hasNews = false;
        this.#news = Promise.withResolvers<void>();
        // Stands while things are on their way: if we die, they are sent all the same.
        await this.#settle();
        if (running.size > 0) await Promise.race([...running, this.#news.promise]);
      }
    } catch (error) {
      logFailure("webhooks-run", error);
    }
  }

  #due(): Webhook[] {
    const now = instant(Date.now());
    const due = this.#store.webhooks().flatMap((webhook) => {
      const isBusy = this.#sending.has(webhook.id) || this.#leftOut.has(webhook.id);
      const at = isBusy ? null : this.#dueAt(webhook);
      return at !== null && isOver(at, now) ? [{ webhook, at }] : [];
    });
    return due.sort((one, other) => one.at - other.at).map(({ webhook }) => webhook);
  }

  #dueAt({ id, enabled, restsUntil: rests }: Webhook): InstantMs | null {
    const nextAt = enabled ? (this.#store.next(id)?.nextAt ?? null) : null;
    if (nextAt === null) return null;
    return instant(Math.max(nextAt, rests ?? 0));
  }

  /** One after the other, until one fails. */
  async #serve(id: WebhookId): Promise<void> {
    try {
      for (let count = 0; count < IN_A_ROW_MAX; count += 1) {
        const webhook = this.#store.webhook(id);
        const dueAt = webhook === null ? null : this.#dueAt(webhook);
        if (webhook === null || dueAt === null || !isOver(dueAt, instant(Date.now()))) return;
        if (!(await this.#sendNext(webhook))) return;
      }
    } catch (error) {
      this.#leftOut.add(id);
      logFailure("webhook-send", error, { webhook: id });
    }
  }

  /** True: it was taken, or was too old to be sent. */
  async #sendNext({ id, url }: Webhook): Promise<boolean> {
    const delivery = this.#store.next(id);
    const secrets = this.#store.secrets(id);
    if (delivery === null || secrets === null) return false;
    if (isGivenUp(delivery.notedAt, instant(Date.now()))) {
      this.#store.putTry(delivery.row, "failed", delivery.tries, null, delivery.last);
      return true;
    }
    const sent = await this.#send(url, delivery, secrets);
    this.#store.atomically(() => this.#note(id, url, delivery, sent));
    return sent.attempt.problem === null;
  }

  #note(
    id: WebhookId,
    url: string,
    delivery: OutgoingAlert,
    { attempt, retryAfterMs }: Sent,
  ): void {
    const now = instant(Date.now());
    const tries = delivery.tries + 1;
    // What it is set to may have been changed while this was on its way.
    const webhook = this.#store.webhook(id);
    if (webhook === null) return;
    if (attempt.problem === null) {
      this.#store.putTry(delivery.row, "delivered", tries, null, attempt);
      if (webhook.failedInARow > 0) this.#store.put(afterTry(webhook, attempt, now));
      return;
    }
    const failed = { tries, firstAt: delivery.notedAt, retryAfterMs };
    const nextAt = nextTryAt(failed, Math.random(), now);
    this.#store.putTry(
      delivery.row,
      nextAt === null ? "failed" : "waiting",
      tries,
      nextAt,
      attempt,
    );
    // A no of a receiver that is not its receiver any more says nothing of the new one.
    if (webhook.url !== url) return;
    const rests = restsUntil(webhook.failedInARow + 1, retryAfterMs, Math.random(), now);
    const next = afterTry(webhook, attempt, rests);
    this.#store.put(next);
    if (next.enabled || !webhook.enabled) return;
    this.#store.giveUpAll(id);
    logFailure("webhook-off", new Error(attempt.problem), { webhook: id });
  }
}
