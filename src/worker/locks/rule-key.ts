/** What names the lock of a request, as its rule says. */
import { parseLockKey, type LockKey } from "../../core/locks/name.ts";
import type { LockRule } from "../../core/locks/rule.ts";
import { foldedKey } from "../../core/locks/key-text.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { lettersOf } from "../origin/header-fate.ts";
import { hex } from "../../core/hex.ts";
import { folded } from "../../core/url/canonical.ts";
import { fieldOfPairs, fieldOfParts, type FieldRead } from "./form-fields.ts";
import { tokensOf } from "../../core/json/pointer.ts";
import { scalarAt } from "../../core/json/scalar.ts";
import { isUnder, segmentsOf } from "../../core/url/path-segments.ts";

export type KeyRead =
  | { readonly kind: "key"; readonly key: LockKey }
  | { readonly kind: "missing" }
  | {
      readonly kind: "problem";
      readonly code: "lock-key-invalid" | "ambiguous-url" | "body-invalid" | "body-encoded";
    };

/** Headers whose values are always hashed, because keys are shown to operators. */
const SECRET_HEADERS: readonly string[] = ["authorization", "proxy-authorization", "cookie"];

const MISSING: KeyRead = { kind: "missing" };
const INVALID: KeyRead = { kind: "problem", code: "lock-key-invalid" };

export const readsBody = ({ key }: LockRule): boolean => key.from === "json" || key.from === "form";

export const keyFrom = (
  rule: LockRule,
  { request, url, readings }: Pick<Arrival, "request" | "url" | "readings">,
  body: Uint8Array | null,
): Promise<KeyRead> | KeyRead => {
  const { from, name } = rule.key;
  switch (from) {
    case "header":
      return keyOfHeader(name, request.headers);
    case "query":
      return keyOfField(fieldOfPairs(url.search.slice(1), name));
    case "path":
      return keyOfPath(rule, url, readings ?? []);
    case "json":
      return isEncoded(request) ? ENCODED : keyOfJson(name, request, body ?? EMPTY);
    case "form":
      return isEncoded(request) ? ENCODED : keyOfForm(name, request, body ?? EMPTY);
    default:
      return from satisfies never;
  }
};

const ENCODED: KeyRead = { kind: "problem", code: "body-encoded" };
const BROKEN: KeyRead = { kind: "problem", code: "body-invalid" };
const EMPTY = new Uint8Array(0);

const typeOf = ({ headers }: Request): string => headers.get("Content-Type") ?? "";

/** Single bytes are the same in all of these as long as they are ASCII. */
const ASCII_AT_LEAST = /^(?:us-ascii|iso-8859-1|latin1|windows-1252)$/i;

/** Compressed, or in characters that only some origins would see in it. */
const isEncoded = (request: Request): boolean => {
  const { headers } = request;
  if (!/^(?:\s*identity\s*)?$/i.test(headers.get("Content-Encoding") ?? "")) return true;
  const charset = charsetOf(request);
  return charset !== null && !/^utf-?8$/i.test(charset) && !ASCII_AT_LEAST.test(charset);
};

const charsetOf = (request: Request): string | null =>
  /charset\s*=\s*"?([^"\s;,]*)/i.exec(typeOf(request))?.[1] ?? null;

/** A key that can't be a name, or is better not shown, is named by its hash. */
const keyOfText = async (text: string, isSecret = false): Promise<KeyRead> => {
  if (text === "") return MISSING;
  const key = isSecret ? null : parseLockKey(text);
  if (key !== null) return { kind: "key", key };
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return { kind: "key", key: `sha256:${hex(new Uint8Array(hash))}` as LockKey };
};

const keyOfFolded = (text: string, isSecret = false): Promise<KeyRead> | KeyRead => {
  const key = foldedKey(text);
  return key === null ? INVALID : keyOfText(key, isSecret);
};

/** Twice is not once: origins differ in which of two they take. */
const keyOfField = (read: FieldRead): Promise<KeyRead> | KeyRead => {
  if (read.kind === "found") return keyOfFolded(read.text);
  return read.kind === "missing" ? MISSING : INVALID;
};

/**
 * The segment, as every reading of the path has it when its letters are folded. The path as it is
 * spelled does not count: an origin that takes escapes literally tells more paths apart than the
 * canonical reading.
 */
const keyOfPath = (
  rule: LockRule,
  url: URL,
  readings: readonly string[],
): Promise<KeyRead> | KeyRead => {
  const segments = segmentsOf(rule.path);
  const at = segments.indexOf(`:${rule.key.name}`);
  const spelled = segmentsOf(url.pathname.toLowerCase()).join("/");
  const keys = new Set<string>();
  for (const [nth, reading] of readings.entries()) {
    const given = segmentsOf(reading);
    if ((nth > 0 && given.join("/") === spelled) || !isUnder(segments, given)) continue;
    keys.add(folded(given[at] ?? ""));
  }
  if (keys.size > 1) return { kind: "problem", code: "ambiguous-url" };
  const [key = ""] = keys;
  return keyOfFolded(key);
};

const keyOfHeader = (name: string, headers: Headers): Promise<KeyRead> | KeyRead => {
  const text = (headers.get(name) ?? "").trim();
  const lower = name.toLowerCase();
  if (isAlsoSpelledOtherwise(lower, headers)) return INVALID;
  const isQuoted = lower === "idempotency-key" && text.startsWith('"');
  // Two lines of a header are one with a comma: origins differ in which of the two they take.
  if (text.includes(",") && !isQuoted && lower !== "cookie") return INVALID;
  if (lower === "authorization")
    return keyOfFolded(
      text.replace(/^\S+\s+/, (scheme) => `${scheme.trim().toLowerCase()} `),
      true,
    );
  if (lower !== "idempotency-key") return keyOfFolded(text, SECRET_HEADERS.includes(lower));
  const key = isQuoted ? unquoted(text) : text;
  return key === null ? INVALID : keyOfText(key);
};

/** Gateways hand `X_Order` on as `X-Order`, and then either may be the one that the origin takes. */
const isAlsoSpelledOtherwise = (lower: string, headers: Headers): boolean => {
  const letters = lettersOf(lower);
  let isFound = false;
  headers.forEach((_value, name) => {
    isFound ||= name !== lower && name.length === lower.length && lettersOf(name) === letters;
  });
  return isFound;
};

/**
 * The draft's key is a quoted string, which may have parameters that nobody has defined (RFC 9651, 3.3);
 * many clients send it bare. Null: it begins so and goes on otherwise, such as when it comes twice.
 */
const unquoted = (text: string): string | null => {
  const inside = /^"((?:[ !#-[\]-~]|\\["\\])*)"(?: *;[^,"]*)?$/.exec(text)?.[1];
  return inside?.replace(/\\(["\\])/g, "$1") ?? null;
};

const claimsJson = (request: Request): boolean =>
  /^\s*(?:application|text)\/(?:[\w.+-]+\+)?json\b/i.test(typeOf(request));

const keyOfJson = (
  pointer: string,
  request: Request,
  body: Uint8Array,
): Promise<KeyRead> | KeyRead => {
  const text = utf8(body);
  const found = text === null ? null : scalarAt(text, tokensOf(pointer));
  if (found === null || found.kind === "not-json") return claimsJson(request) ? BROKEN : MISSING;
  if (found.kind === "found")
    return isLegible(request, found.text) ? keyOfFolded(found.text) : INVALID;
  return found.kind === "missing" ? MISSING : INVALID;
};

const utf8 = (body: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body);
  } catch {
    return null;
  }
};

const keyOfForm = async (name: string, request: Request, body: Uint8Array): Promise<KeyRead> => {
  const type = typeOf(request);
  const read = await fieldOfForm(name, type, body);
  if (read === "broken") return BROKEN;
  return read.kind === "found" && !isLegible(request, read.text) ? INVALID : keyOfField(read);
};

const fieldOfForm = async (
  name: string,
  type: string,
  body: Uint8Array,
): Promise<FieldRead | "broken"> => {
  if (/^\s*application\/x-www-form-urlencoded\b/i.test(type)) {
    const text = utf8(body);
    return text === null ? "broken" : fieldOfPairs(text, name);
  }
  if (!/^\s*multipart\/form-data\b/i.test(type)) return { kind: "missing" };
  if ((type.match(/boundary\s*=/gi) ?? []).length !== 1) return "broken";
  try {
    const form = await new Response(body, { headers: { "Content-Type": type } }).formData();
    return fieldOfParts(form, new TextDecoder("latin1").decode(body), name);
  } catch {
    return "broken";
  }
};

/** Is it the same text in the characters that the request names? */
const isLegible = (request: Request, text: string): boolean =>
  !ASCII_AT_LEAST.test(charsetOf(request) ?? "") || /^[\u0020-\u007e]*$/.test(text);
