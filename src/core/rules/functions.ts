/**
 * The functions of the language
 * (https://developers.cloudflare.com/ruleset-engine/rules-language/functions/). One whose first value
 * the request does not have has none either.
 */
import type { FieldValue, TextMap } from "./fields.ts";
import type { ValueType } from "./syntax.ts";

type Kind = "string" | "number" | "boolean" | "array" | "map";

export interface FunctionShape {
  /** What each parameter takes. */
  readonly takes: readonly (readonly Kind[])[];
  /** Parameters from here on may be left out. */
  readonly least: number;
  /** The last parameter may come again, up to so many in all. */
  readonly most: number;
  readonly gives: ValueType;
  readonly call: (values: readonly FieldValue[]) => FieldValue | undefined;
}

const VALUES_MAX = 32;

const text = (value: FieldValue | undefined): string => (typeof value === "string" ? value : "");
const spelled = (value: FieldValue | undefined): string =>
  typeof value === "object" || value === undefined ? "" : String(value);
const whole = (value: FieldValue | undefined, fallback: number): number =>
  typeof value === "number" ? value : fallback;

const overTexts = (
  count: number,
  gives: ValueType,
  call: (first: string, second: string) => FieldValue,
): FunctionShape => ({
  takes: Array.from({ length: count }, () => ["string"] as const),
  least: count,
  most: count,
  gives,
  call: ([first, second]) => call(text(first), text(second)),
});

const SHAPES = {
  starts_with: overTexts(2, "boolean", (value, start) => value.startsWith(start)),
  ends_with: overTexts(2, "boolean", (value, end) => value.endsWith(end)),
  lower: overTexts(1, "string", (value) => asciiLower(value)),
  upper: overTexts(1, "string", (value) => asciiUpper(value)),
  url_decode: overTexts(1, "string", (value) => decoded(value)),
  len: {
    takes: [["string", "array", "map"]],
    least: 1,
    most: 1,
    gives: "number",
    call: ([value]) => lengthOf(value),
  },
  concat: {
    takes: [["string", "number", "boolean"]],
    least: 1,
    most: VALUES_MAX,
    gives: "string",
    call: (values) => values.map(spelled).join(""),
  },
  to_string: {
    takes: [["number", "boolean"]],
    least: 1,
    most: 1,
    gives: "string",
    call: ([value]) => spelled(value),
  },
  substring: {
    takes: [["string"], ["number"], ["number"]],
    least: 2,
    most: 3,
    gives: "string",
    call: ([value, start, end]) => {
      const given = text(value);
      return given.slice(whole(start, 0), whole(end, given.length));
    },
  },
  has_key: {
    takes: [["map"], ["string"]],
    least: 2,
    most: 2,
    gives: "boolean",
    call: ([map, key]) => (map as TextMap).has(text(key)),
  },
  has_value: {
    takes: [["array"], ["string"]],
    least: 2,
    most: 2,
    gives: "boolean",
    call: ([array, wanted]) => (array as readonly FieldValue[]).includes(text(wanted)),
  },
} as const satisfies Record<string, FunctionShape>;

export type FunctionName = keyof typeof SHAPES;

export const FUNCTIONS: ReadonlyMap<FunctionName, FunctionShape> = new Map(
  Object.entries(SHAPES) as [FunctionName, FunctionShape][],
);

export const functionNamed = (name: string): FunctionName | null =>
  FUNCTIONS.has(name as FunctionName) ? (name as FunctionName) : null;

export const kindOf = (type: ValueType): Kind | "address" => {
  if (typeof type === "string") return type;
  return "arrayOf" in type ? "array" : "map";
};

const asciiLower = (value: string): string =>
  value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
const asciiUpper = (value: string): string =>
  value.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

/** Of a text in bytes of UTF-8, of an array in elements, of a map in names. */
const lengthOf = (value: FieldValue | undefined): number => {
  if (typeof value === "string") return utf8Length(value);
  if (Array.isArray(value)) return value.length;
  return value instanceof Map ? value.size : 0;
};

const utf8Length = (value: string): number => {
  let bytes = 0;
  for (const char of value) {
    const point = char.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
};

/** `%20` and `+` once; what is no escape stays as it is. */
const decoded = (value: string): string =>
  value.replaceAll("+", " ").replace(/(?:%[0-9a-fA-F]{2})+/g, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
