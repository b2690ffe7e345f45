/** What the Registry offers about alerts and webhooks. As in contract.ts, any call may throw. */
import type { NotedAlert } from "../core/alerts/alert.ts";
import type {
  Attempt,
  Delivery,
  Webhook,
  WebhookId,
  WebhookInput,
} from "../core/alerts/webhook.ts";
import type { FieldProblem } from "../core/field-problem.ts";
import type { RoomId } from "../core/ids.ts";
import type { ReadAt } from "./registry-contract.ts";

/** `secret` is told once: when it is made. */
export interface MadeSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

export type WebhookProblem =
  | { readonly code: "not-found" | "too-many" | "modified-since" }
  | { readonly code: "invalid"; readonly problems: readonly FieldProblem[] };

export type WebhookReply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: WebhookProblem };

/** What an operator may ask about webhooks, and what is answered where it is done. */
export interface WebhookCommands {
  list: { readonly asks: object; readonly reply: readonly Webhook[] };
  create: { readonly asks: { readonly input: WebhookInput }; readonly reply: MadeSecret };
  change: {
    readonly asks: {
      readonly id: string;
      readonly input: Partial<WebhookInput>;
      readonly readAt?: ReadAt;
    };
    readonly reply: Webhook;
  };
  remove: {
    readonly asks: { readonly id: string; readonly readAt?: ReadAt };
    readonly reply: WebhookId;
  };
  rotate: { readonly asks: { readonly id: string }; readonly reply: MadeSecret };
  /** Sends a test alert now, whether the webhook is on or not, and once. */
  test: { readonly asks: { readonly id: string }; readonly reply: Attempt };
  /** The latest first. */
  deliveries: {
    readonly asks: { readonly id: string; readonly limit: number };
    readonly reply: readonly Delivery[];
  };
}

export type WebhookCommand<Do extends keyof WebhookCommands> = WebhookCommands[Do]["asks"];

export interface AlertsRpc {
  /** Of one Room, in the order of their sequences. Answers up to which it has them; hearing one again does nothing. */
  raise(room: RoomId, alerts: readonly NotedAlert[]): Promise<number>;
  webhook<Do extends keyof WebhookCommands>(
    act: Do,
    asks: WebhookCommand<Do>,
  ): Promise<WebhookReply<WebhookCommands[Do]["reply"]>>;
}
