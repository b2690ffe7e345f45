/** Calls about what belongs to no single room: tokens and webhooks. */
import type { MadeTokenResource, TokenResource } from "../../../src/api/tokens/schema.ts";
import type {
  AttemptResource,
  DeliveryResource,
  WebhookResource,
  WebhookWithSecret,
} from "../../../src/api/webhooks/resource.ts";
import type { CallAnswer } from "./answer.ts";
import { API, type ApiClient } from "./client.ts";

export const listTokens = (
  client: ApiClient,
): Promise<CallAnswer<{ readonly tokens: readonly TokenResource[] }>> =>
  client.ask(`${API}/tokens`);

export const makeToken = (
  client: ApiClient,
  token: object,
): Promise<CallAnswer<MadeTokenResource>> =>
  client.ask(`${API}/tokens`, { method: "POST", body: token });

export const revokeToken = (client: ApiClient, id: string): Promise<CallAnswer<null>> =>
  client.ask(`${API}/tokens/${id}`, { method: "DELETE" });

export const listWebhooks = (
  client: ApiClient,
): Promise<CallAnswer<{ readonly webhooks: readonly WebhookResource[] }>> =>
  client.ask(`${API}/webhooks`);

export const makeWebhook = (
  client: ApiClient,
  webhook: object,
): Promise<CallAnswer<WebhookWithSecret>> =>
  client.ask(`${API}/webhooks`, { method: "POST", body: webhook });

export const patchWebhook = (
  client: ApiClient,
  id: string,
  change: object,
): Promise<CallAnswer<WebhookResource>> =>
  client.ask(`${API}/webhooks/${id}`, { method: "PATCH", body: change });

export const deleteWebhook = (client: ApiClient, id: string): Promise<CallAnswer<null>> =>
  client.ask(`${API}/webhooks/${id}`, { method: "DELETE" });

export const testWebhook = (client: ApiClient, id: string): Promise<CallAnswer<AttemptResource>> =>
  client.ask(`${API}/webhooks/${id}/test`, { method: "POST" });

export const renewSecret = (
  client: ApiClient,
  id: string,
): Promise<CallAnswer<WebhookWithSecret>> =>
  client.ask(`${API}/webhooks/${id}/secret`, { method: "POST" });

export const readDeliveries = (
  client: ApiClient,
  id: string,
): Promise<CallAnswer<{ readonly deliveries: readonly DeliveryResource[] }>> =>
  client.ask(`${API}/webhooks/${id}/deliveries?limit=20`);
