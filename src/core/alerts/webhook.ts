/** Whom operators want told of alerts, by HTTP. */
import type { Brand } from "../brand.ts";
import type { RoomId } from "../ids.ts";
import { after, isOver, rfc3339, type InstantMs } from "../time.ts";
import type { Alert, AlertType } from "./alert.ts";
import { FAILING_MAX_MS } from "./backoff.ts";

/** 32 hex digits. */
export type WebhookId = Brand<string, "WebhookId">;

export const WEBHOOKS_MAX = 20;
/** Of one webhook; the oldest go, and those that were not sent yet are counted. */
export const DELIVERIES_MAX = 1_000;

/** What an operator sets. */
export interface WebhookSettings {
  readonly name: string;
  readonly url: string;
  /** Null: all. */
  readonly types: readonly AlertType[] | null;
  /** Null: all rooms, and what belongs to none. */
  readonly rooms: readonly RoomId[] | null;
  readonly enabled: boolean;
}

/** `rooms` of the settings as an operator writes them: names or ids. */
export type WebhookInput = Omit<WebhookSettings, "rooms"> & {
  readonly rooms: readonly string[] | null;
};

/** Why we have turned one off: its receiver said that it is gone (410), or took nothing for days. */
export type OffReason = "gone" | "failing";

export interface Webhook extends WebhookSettings {
  readonly id: WebhookId;
  readonly createdAt: InstantMs;
  /** Strictly rises with every change of an operator's. */
  readonly modifiedAt: InstantMs;
  readonly offReason: OffReason | null;
  /** Since when every try has failed; null: the last one did not. */
  readonly failingSince: InstantMs | null;
  readonly failedInARow: number;
  /** Until then nothing is sent. */
  readonly restsUntil: InstantMs | null;
  /** Deliveries that had to go before they were sent. */
  readonly dropped: number;
}

export type DeliveryState = "waiting" | "delivered" | "failed";

/** One alert on its way to one webhook. */
export interface Delivery {
  /** What receivers know it by, in every try: `webhook-id`. */
  readonly alertId: string;
  readonly type: AlertType;
  readonly state: DeliveryState;
  readonly notedAt: InstantMs;
  readonly tries: number;
  /** Null: there is no next try. */
  readonly nextAt: InstantMs | null;
  readonly last: Attempt | null;
}

/** What came of one try. */
export interface Attempt {
  readonly at: InstantMs;
  /** Null: no answer. */
  readonly status: number | null;
  readonly tookMs: number;
  /** Why it counts as failed; null: it was taken. */
  readonly problem: string | null;
}

export const wants = (
  { enabled, types, rooms }: Webhook,
  type: AlertType,
  room: RoomId | null,
): boolean =>
  enabled &&
  (types === null || types.includes(type)) &&
  (rooms === null || (room !== null && rooms.includes(room)));

/** Only a status of 2xx is a yes; a redirection is not followed, so it is a no. */
export const isTaken = (status: number): boolean => status >= 200 && status <= 299;

export const GONE_STATUS = 410;

/** The webhook after a try. What it still has waiting is another matter. */
export const afterTry = (webhook: Webhook, attempt: Attempt, restsUntil: InstantMs): Webhook => {
  if (attempt.problem === null) {
    return { ...webhook, failingSince: null, failedInARow: 0, restsUntil: null };
  }
  const failingSince = webhook.failingSince ?? attempt.at;
  const failed = { ...webhook, failingSince, failedInARow: webhook.failedInARow + 1, restsUntil };
  if (attempt.status === GONE_STATUS) return { ...failed, enabled: false, offReason: "gone" };
  const isHopeless = isOver(after(failingSince, FAILING_MAX_MS), attempt.at);
  return isHopeless ? { ...failed, enabled: false, offReason: "failing" } : failed;
};

/** The bytes of every try: made once, when the alert comes into the outbox. */
export const bodyOf = (
  { type, at, data }: Alert,
  room: { readonly id: RoomId; readonly name: string } | null,
): string =>
  JSON.stringify({
    type,
    timestamp: rfc3339(at),
    data: room === null ? data : { room: { id: room.id, name: room.name }, ...data },
  });
