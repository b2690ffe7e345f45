/** The shape of a webhook in the API. Runs in the Worker and on the command line. */
import * as v from "valibot";
import { ALERT_TYPES, type AlertType } from "../../core/alerts/alert.ts";
import type { WebhookInput } from "../../core/alerts/webhook.ts";
import type { FieldProblem } from "../../core/field-problem.ts";
import { documentBy, field, flag, listOf, matching, oneOf, settings } from "../fields.ts";
import { WEBHOOK_WORDS } from "./words.ts";

const URL_LENGTH_MAX = 2_000;
const ROOMS_MAX = 100;

/** A test is sent when somebody asks for it, whatever else the webhook wants. */
const WANTED = ALERT_TYPES.filter((type) => type !== "webhook.test");

const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);

const isReceiver = (value: unknown): boolean => {
  if (typeof value !== "string" || value.length > URL_LENGTH_MAX || !URL.canParse(value))
    return false;
  const url = new URL(value);
  const isBare = url.username === "" && url.password === "" && !value.includes("#");
  const isPrivate =
    url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
  return isBare && isPrivate;
};

const nameField = matching(/^[^\p{Cc}]{1,64}$/u, "must be a text of 1 to 64 characters");
const urlField = field<string>(
  isReceiver,
  `must be an https URL of at most ${URL_LENGTH_MAX} characters without user, password and fragment; http only to this machine`,
  { type: "string", format: "uri", maxLength: URL_LENGTH_MAX },
);
const typesField = v.pipe(
  listOf(oneOf<AlertType>(WANTED), WANTED.length),
  v.minLength(1, "must name at least one; null is all"),
);
const roomsField = v.pipe(
  listOf(matching(/^[\w-]{1,64}$/, "must be the name or id of a room"), ROOMS_MAX),
  v.minLength(1, "must name at least one; null is all"),
);

const READ_ONLY = {
  id: v.optional(v.unknown()),
  off_reason: v.optional(v.unknown()),
  failing_since: v.optional(v.unknown()),
  dropped: v.optional(v.unknown()),
  created_at: v.optional(v.unknown()),
  modified_at: v.optional(v.unknown()),
};

export const webhookSchema = settings(WEBHOOK_WORDS, {
  name: nameField,
  url: urlField,
  types: v.nullish(typesField, null),
  rooms: v.nullish(roomsField, null),
  enabled: v.nullish(flag, true),
  // Taken and dropped, so that what was read can be sent back.
  ...READ_ONLY,
});

export const webhookChangeSchema = settings(WEBHOOK_WORDS, {
  name: v.optional(nameField),
  url: v.optional(urlField),
  types: v.optional(v.nullable(typesField)),
  rooms: v.optional(v.nullable(roomsField)),
  enabled: v.optional(flag),
  ...READ_ONLY,
});

export type ReadWebhook<T> =
  | { readonly ok: true; readonly input: T }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

export const parseWebhook = (json: unknown): ReadWebhook<WebhookInput> => {
  const read = documentBy(webhookSchema, json, () => []);
  if (!read.ok) return read;
  const { name, url, types, rooms, enabled } = read.output;
  return { ok: true, input: { name, url, types: ownTypes(types), rooms, enabled } };
};

/** What the body does not name stays as it is. */
export const parseWebhookChange = (json: unknown): ReadWebhook<Partial<WebhookInput>> => {
  const read = documentBy(webhookChangeSchema, json, () => []);
  if (!read.ok) return read;
  const { name, url, types, rooms, enabled } = read.output;
  return {
    ok: true,
    input: {
      ...(name === undefined ? {} : { name }),
      ...(url === undefined ? {} : { url }),
      ...(types === undefined ? {} : { types: ownTypes(types) }),
      ...(rooms === undefined ? {} : { rooms }),
      ...(enabled === undefined ? {} : { enabled }),
    },
  };
};

const ownTypes = (types: readonly AlertType[] | null): readonly AlertType[] | null =>
  types === null ? null : [...new Set(types)];
