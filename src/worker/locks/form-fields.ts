/**
 * One field of a query or form. Origins differ in how they take fields apart and in which names are
 * the same to them, so a field that any of them could find elsewhere has no value here.
 */
import { looseFieldName } from "../../core/locks/key-text.ts";

export type FieldRead =
  | { readonly kind: "found"; readonly text: string }
  | { readonly kind: "missing" | "unclear" };

const MISSING: FieldRead = { kind: "missing" };
const UNCLEAR: FieldRead = { kind: "unclear" };
/** What has more is no form that somebody filled in. */
const FIELDS_MAX = 10_000;
const ESCAPE = /%(?:[0-9a-f]{2}|u[0-9a-f]{4})/i;
const STRAY_ESCAPE = /%(?![0-9a-f]{2})/i;

/** Of `a=b&c=d`; some take `;` for `&`. */
export const fieldOfPairs = (encoded: string, name: string): FieldRead => {
  const pairs = encoded.split(/[&;]/, FIELDS_MAX + 1);
  if (pairs.length > FIELDS_MAX) return UNCLEAR;
  const wanted = looseFieldName(name);
  const alike = pairs.filter((pair) => looseFieldName(decoded(nameOf(pair))) === wanted);
  const [pair] = alike;
  if (pair === undefined) return MISSING;
  const value = pair.slice(nameOf(pair).length + 1);
  const values = new URLSearchParams(`&${encoded}`).getAll(name);
  const isPlain = alike.length === 1 && values.length === 1 && !STRAY_ESCAPE.test(value);
  return isPlain && values[0] === decoded(value) ? clear(values[0]) : UNCLEAR;
};

/** Of a parsed multipart form, and of the text that it was parsed from, each byte a character. */
export const fieldOfParts = (form: FormData, text: string, name: string): FieldRead => {
  const wanted = looseFieldName(name);
  const alike = [...form.keys()].filter((key) => looseFieldName(key) === wanted);
  const unfolded = text.replace(/\r?\n[ \t]+/g, " ");
  if (TRANSFER_ENCODED.test(unfolded)) return UNCLEAR;
  let named = 0;
  for (const [, parameters = ""] of unfolded.matchAll(DISPOSITION)) {
    const names = [...parameters.matchAll(NAME_PARAMETER)].map(([, quoted, bare]) =>
      looseFieldName(quoted ?? bare ?? ""),
    );
    if (names.includes(wanted)) named += names.length;
    else if (EXTENDED_NAME.test(parameters)) return UNCLEAR;
  }
  if (alike.length === 0 && named === 0) return MISSING;
  const value = form.get(name);
  const isPlain = alike.length === 1 && alike[0] === name && named === 1;
  return isPlain && typeof value === "string" ? clear(value) : UNCLEAR;
};

const DISPOSITION = /^content-disposition[ \t]*:(.*)$/gim;
const NAME_PARAMETER = /[;\s]name[ \t]*=[ \t]*(?:"([^"]*)"|([^;\s]*))/gi;
const EXTENDED_NAME = /[;\s]name\*/i;
const TRANSFER_ENCODED = /^content-transfer-encoding[ \t]*:[ \t]*(?:base64|quoted-printable)/im;

const nameOf = (pair: string): string => pair.split("=", 1)[0] ?? "";

/** As forms are decoded; what is malformed stays as it is, or becomes U+FFFD. */
const decoded = (text: string): string => {
  const spaced = text.replaceAll("+", " ");
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return new URLSearchParams(`_=${text}`).get("_") ?? "";
  }
};

/** What could be decoded again, or was not UTF-8, is something else for the next reader. */
const clear = (text: string): FieldRead =>
  ESCAPE.test(text) || text.includes("\ufffd") ? UNCLEAR : { kind: "found", text };
