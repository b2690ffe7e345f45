/** Who may use the lock service: whoever sends the deployment's LOCK_TOKEN. */
import { admissionOf, type Admission } from "../management/auth.ts";
import type { Env } from "../env.ts";

/** Tokens up to this length are compared as they are, longer ones by their digests. */
const TOKEN_BYTES_MAX = 254;
const BEARER = /^Bearer +([^\s]+) *$/i;

const utf8 = new TextEncoder();

/** Of one length whatever the text, so that a comparison tells nothing of either. Null: it is longer. */
const padded = (text: string): Uint8Array | null => {
  const bytes = new Uint8Array(TOKEN_BYTES_MAX + 1);
  const { read, written } = utf8.encodeInto(text, bytes.subarray(1));
  bytes[0] = written;
  return read < text.length || written > TOKEN_BYTES_MAX ? null : bytes;
};

let known: { readonly token: string; readonly bytes: Uint8Array | null } | null = null;

/** Our own token changes only with a deploy. */
const ownBytes = (token: string): Uint8Array | null => {
  if (known?.token !== token) known = { token, bytes: padded(token) };
  return known.bytes;
};

/** `off`: the deployment has no token, or no lock shards. */
export const lockAdmissionOf = (request: Request, env: Env): Admission | Promise<Admission> => {
  const { LOCKS, LOCK_TOKEN: token = "" } = env;
  if (LOCKS === undefined || token === "") return "off";
  const ours = ownBytes(token);
  if (ours === null) return admissionOf(request, { ...env, ADMIN_TOKEN: token });
  const given = BEARER.exec(request.headers.get("Authorization") ?? "")?.[1];
  const theirs = given === undefined ? null : padded(given);
  if (theirs === null) return "refused";
  return crypto.subtle.timingSafeEqual(ours, theirs) ? "admin" : "refused";
};
