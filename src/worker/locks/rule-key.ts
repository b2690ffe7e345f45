/** What names the lock of a request, as its rule says. */
import { parseLockKey, type LockKey } from "../../core/locks/name.ts";
import type { LockRule } from "../../core/locks/rule.ts";
import { scalarAt, tokensOf } from "./json-scalar.ts";
import { segmentsOf } from "./rule-schema.ts";

export type KeyRead =
  | { readonly kind: "key"; readonly key: LockKey }
  | { readonly kind: "missing" }
  | {
      readonly kind: "problem";
      readonly code: "lock-key-invalid" | "body-invalid" | "body-encoded";
    };

/** They are hashed however short they are: keys are shown to operators. */
const SECRET_HEADERS: readonly string[] = ["authorization", "proxy-authorization", "cookie"];

const MISSING: KeyRead = { kind: "missing" };
const INVALID: KeyRead = { kind: "problem", code: "lock-key-invalid" };

export const readsBody = ({ key }: LockRule): boolean => key.from === "json" || key.from === "form";

export const keyFrom = (
  rule: LockRule,
  request: Request,
  url: URL,
  path: string,
  body: Uint8Array | null,
): Promise<KeyRead> | KeyRead => {
  const { from, name } = rule.key;
  switch (from) {
    case "header":
      return keyOfHeader(name, request.headers.get(name));
    case "query":
      return keyOfValues(url.searchParams.getAll(name));
    case "path":
      return keyOfText(segmentsOf(path)[segmentsOf(rule.path).indexOf(`:${name}`)] ?? "");
    case "json":
      return isEncoded(request) ? ENCODED : keyOfJson(name, request, body ?? EMPTY);
    case "form":
      return isEncoded(request) ? ENCODED : keyOfForm(name, request, body ?? EMPTY);
    default:
      return from satisfies never;
  }
};

const ENCODED: KeyRead = { kind: "problem", code: "body-encoded" };
const EMPTY = new Uint8Array(0);

const isEncoded = ({ headers }: Request): boolean =>
  !/^(?:\s*identity\s*)?$/i.test(headers.get("Content-Encoding") ?? "");

/** A key that can't be a name, or is better not shown, is named by its hash. */
const keyOfText = async (text: string, isSecret = false): Promise<KeyRead> => {
  if (text === "") return MISSING;
  const key = isSecret ? null : parseLockKey(text);
  if (key !== null) return { kind: "key", key };
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const hex = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { kind: "key", key: `sha256:${hex}` as LockKey };
};

/** Twice is not once: origins differ in which of two they take. */
const keyOfValues = (values: readonly unknown[]): Promise<KeyRead> | KeyRead => {
  const [value] = values;
  if (value === undefined) return MISSING;
  return values.length > 1 || typeof value !== "string" ? INVALID : keyOfText(value);
};

const keyOfHeader = (name: string, value: string | null): Promise<KeyRead> | KeyRead => {
  const text = (value ?? "").trim();
  const isSecret = SECRET_HEADERS.includes(name.toLowerCase());
  if (name.toLowerCase() !== "idempotency-key") return keyOfText(text, isSecret);
  const key = text.startsWith('"') ? unquoted(text) : text;
  return key === null ? INVALID : keyOfText(key);
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
  /^\s*(?:application|text)\/(?:[\w.+-]+\+)?json\b/i.test(
    request.headers.get("Content-Type") ?? "",
  );

const keyOfJson = (
  pointer: string,
  request: Request,
  body: Uint8Array,
): Promise<KeyRead> | KeyRead => {
  const text = utf8(body);
  const found = text === null ? null : scalarAt(text, tokensOf(pointer));
  if (found?.kind === "found") return keyOfText(found.text);
  if (found?.kind === "missing") return MISSING;
  if (found?.kind === "twice" || found?.kind === "not-scalar") return INVALID;
  return claimsJson(request) ? { kind: "problem", code: "body-invalid" } : MISSING;
};

const utf8 = (body: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body);
  } catch {
    return null;
  }
};

const keyOfForm = async (name: string, request: Request, body: Uint8Array): Promise<KeyRead> => {
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type))
    return MISSING;
  try {
    const form = await new Response(body, { headers: { "Content-Type": type } }).formData();
    return await keyOfValues(form.getAll(name));
  } catch {
    return { kind: "problem", code: "body-invalid" };
  }
};
