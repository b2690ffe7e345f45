/** What an operator is told of settings about strangers: where they change nothing, and why. */
import type { RoomDefinition } from "../../core/definition.ts";
import { ERROR_CODES, type EnvelopeNote } from "../../api/envelope.ts";
import type { Env } from "../platform/env.ts";
import { asksOf, hasTickets } from "../strangers/asks.ts";
import { turnstileKeys } from "../strangers/turnstile.ts";

/** Cloudflare's fields, of a room or of an event, whose null says nothing. */
interface TurnstileFields {
  readonly turnstile_mode?: string | null;
  readonly turnstile_action?: string | null;
}

export const notesOnStrangers = (env: Env, room: RoomDefinition): readonly EnvelopeNote[] => {
  const { turnstile_mode: mode = "off", turnstile_action: action = "log" } = room.kept;
  const isIdle = mode === "off" && action !== "log";
  const asks = asksOf(room, env);
  const isForEver = asks?.turnstile === "infinite_queue" && !asks.work;
  return [
    ...(isIdle ? [idle("/turnstile_action", "turnstile_mode is off")] : []),
    ...notesOnTurnstile(env, room.kept, hasTickets(room)),
    ...(room.proofOfWork == null || hasTickets(room)
      ? []
      : [idle("/seiriken/proof_of_work", NO_TICKETS)]),
    ...(isForEver ? [FOR_EVER] : []),
  ];
};

/** Where Turnstile is asked for and cannot be had. */
export const notesOnTurnstile = (
  env: Env,
  { turnstile_mode: mode, turnstile_action: action }: TurnstileFields,
  hasLine = true,
): readonly EnvelopeNote[] => {
  if (mode == null || mode === "off") return [];
  const why = hasLine ? whyIdle(env) : NO_TICKETS;
  if (why === null) return [];
  const notes = [idle("/turnstile_mode", why)];
  return action == null || action === "log" ? notes : [...notes, idle("/turnstile_action", why)];
};

const NO_TICKETS = "this room gives no tickets that a visitor asks for";

/** Null where the deployment has Turnstile. */
const whyIdle = (env: Env): string | null => {
  if (turnstileKeys(env) !== null) return null;
  return env.TURNSTILE_SITE_KEY && env.TURNSTILE_SECRET_KEY
    ? "TURNSTILE_VERIFY_URL or TURNSTILE_SCRIPT_URL of this deployment is no URL"
    : "this deployment lacks TURNSTILE_SITE_KEY or TURNSTILE_SECRET_KEY";
};

const idle = (pointer: string, why: string): EnvelopeNote => ({
  code: ERROR_CODES["kept-only"],
  message: `${pointer.split("/").at(-1) ?? ""} is kept and given back, and changes nothing: ${why}.`,
  source: { pointer },
});

const FOR_EVER: EnvelopeNote = {
  code: ERROR_CODES["no-way-round"],
  message:
    "Who does not pass Turnstile waits for ever: programs and browsers without scripts too. With " +
    "seiriken.proof_of_work they can work for a ticket.",
  source: { pointer: "/turnstile_action" },
};
