/** One try of one delivery, as Standard Webhooks has it (https://www.standardwebhooks.com, 1.0.0). */
import { ANSWER_WITHIN_MS } from "../../core/alerts/backoff.ts";
import { isTaken, type Attempt } from "../../core/alerts/webhook.ts";
import { plainReason } from "../../core/plain-text.ts";
import { instant, isOver, SECOND_MS, type InstantMs } from "../../core/time.ts";
import { retryAfterMsOf } from "./retry-after.ts";
import type { WebhookSecrets } from "./store.ts";

const SECRET_PREFIX = "whsec_";
/** Between the 24 and 64 that the standard wants. */
const SECRET_BYTES = 32;

export interface Sent {
  readonly attempt: Attempt;
  readonly retryAfterMs: number | null;
}

/** As operators are shown it, once. */
export const newWebhookSecret = (): string =>
  SECRET_PREFIX + base64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));

/** Never throws: a receiver that can't be reached is an attempt that failed. */
export const send = async (
  url: string,
  message: { readonly alertId: string; readonly body: string },
  secrets: WebhookSecrets,
  answerWithinMs = ANSWER_WITHIN_MS,
): Promise<Sent> => {
  const at = instant(Date.now());
  try {
    const headers = await headersOf(message, secrets, at);
    const answer = await fetch(url, {
      method: "POST",
      headers,
      body: message.body,
      redirect: "manual",
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const tookMs = Date.now() - at;
    // What it says beside its status is nobody's business; unread it would keep the connection.
    void answer.body?.cancel().catch(() => undefined);
    const { status } = answer;
    const problem = isTaken(status) ? null : `answered ${status}`;
    const retryAfterMs = retryAfterMsOf(answer.headers.get("Retry-After"), at);
    return { attempt: { at, status, tookMs, problem }, retryAfterMs };
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    const problem = isLate
      ? `no answer within ${answerWithinMs / SECOND_MS} s`
      : `not reached: ${plainReason(error instanceof Error ? error.message : String(error))}`;
    const attempt = { at, status: null, tookMs: Date.now() - at, problem };
    return { attempt, retryAfterMs: null };
  }
};

/** The time is that of the try: receivers refuse what is older than minutes. */
const headersOf = async (
  { alertId, body }: { readonly alertId: string; readonly body: string },
  { secret, former }: WebhookSecrets,
  at: InstantMs,
): Promise<Record<string, string>> => {
  const timestamp = String(Math.floor(at / SECOND_MS));
  const sign = async (by: string) => `v1,${await signature(by, `${alertId}.${timestamp}.${body}`)}`;
  const signatures = [await sign(secret)];
  if (former !== null && !isOver(former.until, at)) signatures.push(await sign(former.secret));
  return {
    "Content-Type": "application/json",
    "User-Agent": "Seiriken",
    "webhook-id": alertId,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
};

const signature = async (secret: string, content: string): Promise<string> => {
  const bytes = Uint8Array.from(atob(secret.slice(SECRET_PREFIX.length)), (c) => c.charCodeAt(0));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  const mac = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(content));
  return base64(new Uint8Array(mac));
};

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
