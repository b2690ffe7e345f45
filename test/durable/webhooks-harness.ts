import { vi } from "vitest";
import { Webhook as Verifier } from "standardwebhooks";
import type { NotedAlert } from "../../src/core/alerts/alert.ts";
import type { Webhook, WebhookInput } from "../../src/core/alerts/webhook.ts";
import { instant } from "../../src/core/time.ts";
import type { Registry } from "./registry-harness.ts";
import { moment } from "./moment.ts";

export const AT = 1_800_000_000_000;
export const HERE = "https://receiver.example.com/alerts";

export interface Received {
  readonly url: string;
  readonly at: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

type Answer = (received: Received) => Response | Promise<Response>;

/** Stands in for every receiver there is: what the Registry fetches comes here. */
export class Receivers {
  readonly received: Received[] = [];
  /** By URL; without an entry 204. */
  readonly answers = new Map<string, Answer>();

  constructor() {
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      if (init.redirect !== "manual" || init.method !== "POST") throw new Error("not as agreed");
      const headers = Object.fromEntries(new Headers(init.headers));
      const received = { url, at: Date.now(), headers, body: init.body as string };
      this.received.push(received);
      const answer = this.answers.get(url);
      return (await answer?.(received)) ?? new Response(null, { status: 204 });
    });
  }

  answer(status: number, headers: Record<string, string> = {}, url = HERE): void {
    this.answers.set(url, () => new Response(null, { status, headers }));
  }

  /** The ids in the order in which they came. */
  get ids(): string[] {
    return this.received.map(({ headers }) => headers["webhook-id"] ?? "");
  }
}

export const verified = (secret: string, { body, headers }: Received): unknown =>
  new Verifier(secret).verify(body, headers);

export const noted = (sequence: number, more: Partial<NotedAlert> = {}): NotedAlert => ({
  sequence,
  type: "line.began",
  at: instant(AT - 5),
  data: { waiting: sequence },
  ...more,
});

export const made = async (
  registry: Registry,
  more: Partial<WebhookInput> = {},
): Promise<{ webhook: Webhook; secret: string }> => {
  const input = { name: "duty", url: HERE, types: null, rooms: null, enabled: true, ...more };
  const reply = await registry.webhook("create", { input });
  if (!reply.ok) throw new Error(reply.problem.code);
  return reply.value;
};

export const read = async (registry: Registry, id: string): Promise<Webhook> => {
  const reply = await registry.webhook("list", {});
  const found = reply.ok ? reply.value.find((webhook) => webhook.id === id) : undefined;
  if (found === undefined) throw new Error("no such webhook");
  return found;
};

/** What became of deliveries, the first first. */
export const states = async (registry: Registry, id: string): Promise<string[]> => {
  const reply = await registry.webhook("deliveries", { id, limit: 1_000 });
  if (!reply.ok) throw new Error(reply.problem.code);
  return reply.value.map(({ state, tries }) => `${state} ${tries}`).reverse();
};

/** Moves the clock, and wakes the Registry as its alarm would. */
export const wake = async (registry: Registry, ms = 0): Promise<void> => {
  vi.setSystemTime(Date.now() + ms);
  await registry.alarm();
  await settled();
};

/** What was begun in the background is done. */
export const settled = (): Promise<void> => moment(15);
