/** Turnstile: what the deployment has of it, and the one question that verifies a token. */
import type { RoomDefinition } from "../../core/definition.ts";
import type { TurnstileVerdict } from "../../core/strangers/entitle.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { within } from "../isolate/deadline.ts";
import type { Isolate } from "../isolate/isolate.ts";
import type { Env } from "../platform/env.ts";
import { reasonOf } from "../platform/log.ts";

/** https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
const VERIFY_URL = "https://challenges.cloudflare.com/turnstile/v0/siteverify";
const SCRIPT_URL = "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit";
const VERIFY_WITHIN_MS = 3_000;
/** Cloudflare's own bound. */
export const TOKEN_MAX = 2_048;
/** Errors that are about us, not about the visitor. */
const OURS = new Set([
  "missing-input-secret",
  "invalid-input-secret",
  "bad-request",
  "internal-error",
]);

export interface TurnstileKeys {
  readonly siteKey: string;
  readonly secret: string;
  readonly verifyUrl: string;
  readonly scriptUrl: string;
}

/** Null where a key is missing, or a URL is none. */
export const turnstileKeys = (env: Env): TurnstileKeys | null => {
  const { TURNSTILE_SITE_KEY: siteKey, TURNSTILE_SECRET_KEY: secret } = env;
  const verifyUrl = env.TURNSTILE_VERIFY_URL || VERIFY_URL;
  const scriptUrl = env.TURNSTILE_SCRIPT_URL || SCRIPT_URL;
  if (!siteKey || !secret || !URL.canParse(verifyUrl) || !URL.canParse(scriptUrl)) return null;
  return { siteKey, secret, verifyUrl, scriptUrl };
};

interface Told {
  readonly success?: unknown;
  readonly cdata?: unknown;
  readonly "error-codes"?: unknown;
}

/** Asks once: a token is good for one question. What nobody could say is logged. */
export const verdictOn = async (
  isolate: Isolate,
  arrival: Arrival,
  room: RoomDefinition,
  keys: TurnstileKeys,
  token: string,
): Promise<TurnstileVerdict> => {
  if (token === "" || token.length > TOKEN_MAX) return "failed";
  try {
    const verdict = await isolate.verifications.run(() =>
      asked(isolate, arrival, room, keys, token),
    );
    return verdict ?? "overload";
  } catch (error) {
    isolate.ports.log({
      level: "error",
      event: "turnstile-unreachable",
      reference: arrival.reference,
      room: room.name,
      reason: reasonOf(error),
    });
    return "unreachable";
  }
};

const asked = async (
  { ports }: Isolate,
  arrival: Arrival,
  room: RoomDefinition,
  { secret, verifyUrl }: TurnstileKeys,
  token: string,
): Promise<TurnstileVerdict> => {
  const { address } = arrival.clientOf(room);
  const body = new URLSearchParams({ secret, response: token });
  if (address !== null) body.set("remoteip", address);
  const giveUp = new AbortController();
  const { signal } = giveUp;
  const question = ports
    .fetch(verifyUrl, { method: "POST", body, signal, redirect: "manual" })
    .then(toldBy);
  const told = await within(ports, question, VERIFY_WITHIN_MS).finally(() => giveUp.abort());
  if (told.success === true) return isForThis(room, told) ? "passed" : "failed";
  const codes = [told["error-codes"]].flat().filter((code) => typeof code === "string");
  const ours = codes.find((code) => OURS.has(code));
  if (ours !== undefined) throw new Error(`siteverify says ${ours}`);
  return "failed";
};

const toldBy = async (answer: Response): Promise<Told> => {
  const told: unknown = await answer.json();
  if (typeof told !== "object" || told === null) throw new Error("siteverify answered no object");
  if (answer.status >= 500) throw new Error(`siteverify answered ${answer.status}`);
  return told;
};

/** The widget of our page names its room; a token of another room's page is none here. */
const isForThis = (room: RoomDefinition, { cdata }: Told): boolean =>
  typeof cdata !== "string" || cdata === "" || cdata === room.id;
