/** What a request to the lock service asks for, read from its path, headers and body. */
import * as v from "valibot";
import { BoundedMap } from "../../core/collections/bounded-map.ts";
import { parseOwner, type Owner } from "../../core/locks/lock.ts";
import {
  lockName,
  parseLockKey,
  parseNamespace,
  type LockName,
  type Namespace,
} from "../../core/locks/name.ts";
import { readJson } from "../../core/json/read.ts";
import { SECOND_MS } from "../../core/time.ts";
import { PREFIX } from "../../durable/contract.ts";
import { exactly, problemsOf, whole } from "../../api/fields.ts";
import type { SentHeaders } from "../arrival/sent-headers.ts";
import type { Ports } from "../platform/ports.ts";
import { readBoundedText } from "./body.ts";
import { fieldErrorsOf, type FieldError } from "../answers/own-problem.ts";

export const LOCKS_PREFIX = `${PREFIX}/locks/`;
/** In lower case. */
const OWNER_HEADER = "seiriken-owner";
/** Namespaces of lock rules begin so; the service takes no lock in them. */
export const RULE_NAMESPACE = "rule:";

export const LEASE_SECONDS_MAX = 3_600;
export const WAIT_SECONDS_MAX = 300;
const LEASE_SECONDS_DEFAULT = 30;
const BODY_BYTES_MAX = 4_096;

/** `key` null: all of the namespace. Null: the path names nothing that can be a lock. */
export interface LockPath {
  readonly namespace: Namespace;
  readonly name: LockName | null;
}

/** From the path as it was sent: keys are exact, in case and in every character. */
export const lockPathOf = (pathname: string): LockPath | null => {
  const parts = pathname.slice(LOCKS_PREFIX.length).split("/").map(decoded);
  const [namespacePart, keyPart, ...more] = parts;
  const namespace = parseNamespace(namespacePart);
  if (!pathname.startsWith(LOCKS_PREFIX) || namespace === null || more.length > 0) return null;
  if (keyPart === undefined) return { namespace, name: null };
  const key = parseLockKey(keyPart);
  return key === null ? null : { namespace, name: lockName(namespace, key) };
};

const decoded = (part: string): string | null => {
  if (!part.includes("%")) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
};

/** `absent`: no such header. */
export const ownerOf = (headers: SentHeaders): Owner | "absent" | "invalid" => {
  const given = headers.get(OWNER_HEADER);
  return given === null ? "absent" : (parseOwner(given) ?? "invalid");
};

const acquireSchema = exactly({
  lease_seconds: v.optional(whole(1, LEASE_SECONDS_MAX), LEASE_SECONDS_DEFAULT),
  wait_seconds: v.optional(whole(0, WAIT_SECONDS_MAX), 0),
});
const renewSchema = exactly({
  lease_seconds: v.optional(whole(1, LEASE_SECONDS_MAX), LEASE_SECONDS_DEFAULT),
});

export interface Times {
  readonly leaseMs: number;
  readonly waitMs: number;
}

export type ReadTimes =
  | { readonly ok: true; readonly times: Times }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** Clients of one kind send the same few bodies, all day long: what they say is known by their text. */
const KNOWN_MAX = 500;
const KNOWN_LENGTH_MAX = 128;
const acquisitions = new BoundedMap<string, ReadTimes>(KNOWN_MAX);
const renewals = new BoundedMap<string, ReadTimes>(KNOWN_MAX);

/** The body of an acquisition (`POST`) or a renewal (`PATCH`); none means the defaults. */
export const timesOf = async (ports: Ports, request: Request): Promise<ReadTimes> => {
  const body = await readBoundedText(request, { ports, bytesMax: BODY_BYTES_MAX });
  if (!body.ok)
    return body.refusal === "too-slow"
      ? refuse("", "must arrive without long pauses")
      : refuse("", `must have at most ${BODY_BYTES_MAX} bytes`);
  const isRenewal = request.method === "PATCH";
  const text = body.text === "" ? "{}" : body.text;
  if (text.length > KNOWN_LENGTH_MAX) return timesIn(text, isRenewal);
  const known = isRenewal ? renewals : acquisitions;
  return known.getOrMake(text, (unknown) => timesIn(unknown, isRenewal));
};

const timesIn = (text: string, isRenewal: boolean): ReadTimes => {
  const read = readJson(text);
  if (!read.ok) return refuse("", "must be JSON");
  const parsed = v.safeParse(isRenewal ? renewSchema : acquireSchema, read.json);
  if (!parsed.success) {
    return { ok: false, errors: fieldErrorsOf(problemsOf(parsed.issues)) };
  }
  const { lease_seconds: lease, wait_seconds: wait = 0 } = parsed.output as {
    lease_seconds: number;
    wait_seconds?: number;
  };
  return { ok: true, times: { leaseMs: lease * SECOND_MS, waitMs: wait * SECOND_MS } };
};

const refuse = (at: string, detail: string): ReadTimes => ({
  ok: false,
  errors: [{ pointer: at, detail }],
});
