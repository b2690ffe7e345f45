/** Webhooks and their deliveries as the API shows them. */
import type { Attempt, Delivery, Webhook } from "../../core/alerts/webhook.ts";
import { rfc3339, type InstantMs } from "../../core/time.ts";

const orNull = (at: InstantMs | null): string | null => (at === null ? null : rfc3339(at));

/** Whose the URL is, without what may be secret. */
export const receiverOf = (url: string): string => `${new URL(url).origin}/…`;

/**
 * Many services put a secret into the path of the URL that they give out: `isWhole` shows it to those who
 * could set another, and the others see whose it is.
 */
export const webhookResource = (webhook: Webhook, isWhole: boolean) => ({
  id: webhook.id,
  name: webhook.name,
  url: isWhole ? webhook.url : receiverOf(webhook.url),
  types: webhook.types,
  rooms: webhook.rooms,
  enabled: webhook.enabled,
  off_reason: webhook.offReason,
  failing_since: orNull(webhook.failingSince),
  dropped: webhook.dropped,
  created_at: rfc3339(webhook.createdAt),
  modified_at: rfc3339(webhook.modifiedAt),
});
export type WebhookResource = ReturnType<typeof webhookResource>;
/** Right after its making, or after its secret was made anew: the one time that the secret is shown. */
export type WebhookWithSecret = WebhookResource & { readonly secret: string };

export const attemptResource = (attempt: Attempt) => ({
  at: rfc3339(attempt.at),
  status: attempt.status,
  took_ms: attempt.tookMs,
  problem: attempt.problem,
});
export type AttemptResource = ReturnType<typeof attemptResource>;

export const deliveryResource = (delivery: Delivery) => ({
  id: delivery.alertId,
  type: delivery.type,
  state: delivery.state,
  noted_at: rfc3339(delivery.notedAt),
  tries: delivery.tries,
  next_try_at: orNull(delivery.nextAt),
  last_try: delivery.last === null ? null : attemptResource(delivery.last),
});
export type DeliveryResource = ReturnType<typeof deliveryResource>;
