/** The small rules for single fields of a room. Each says what it wants in one sentence. */
import * as v from "valibot";
import type { FieldProblem } from "../core/field-problem.ts";
import { unsafeIn } from "../core/json/safe.ts";
import { canonicalHost, canonicalPath as pathAtTheGate } from "../core/url/canonical.ts";

const PATH_LENGTH_MAX = 1_024;

/** What JSON Schema (2020-12) can say of a field's values: openapi.json is made of it. */
type JsonShape = Readonly<Record<string, unknown>>;
const STRING: JsonShape = { type: "string" };

/** One predicate, one sentence: a field that is wrong is reported once. `shape` may be wider. */
export const field = <T>(
  holds: (value: unknown) => boolean,
  wanted: string,
  shape: JsonShape = {},
) => v.pipe(v.custom<T>(holds, wanted), v.metadata({ shape }));

export const whole = (least: number, most: number) =>
  field<number>(
    (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
    `must be a whole number from ${least} to ${most}`,
    { type: "integer", minimum: least, maximum: most },
  );

export const within = (least: number, most: number) =>
  field<number>(
    (value) => typeof value === "number" && value >= least && value <= most,
    `must be a number from ${least} to ${most}`,
    { type: "number", minimum: least, maximum: most },
  );

export const text = (lengthMax: number) =>
  field<string>(
    (value) => typeof value === "string" && value.length <= lengthMax,
    `must be a text of at most ${lengthMax} characters`,
    { type: "string", maxLength: lengthMax },
  );

export const matching = (pattern: RegExp, wanted: string) =>
  field<string>((value) => typeof value === "string" && pattern.test(value), wanted, {
    type: "string",
    pattern: pattern.source,
  });

/** A token of HTTP (RFC 9110, 5.6.2), such as the name of a header or a cookie. */
export const HTTP_TOKEN = /^[\w!#$%&'*+.^`|~-]{1,128}$/;

export const flag = field<boolean>((value) => typeof value === "boolean", "must be true or false", {
  type: "boolean",
});

export const oneOf = <const T extends string | number>(values: readonly T[]) =>
  field<T>(
    (value) => (values as readonly unknown[]).includes(value),
    `must be one of ${values.map((value) => JSON.stringify(value)).join(", ")}`,
    { enum: values },
  );

/** One of these words, in any case: as Cloudflare's API and its Terraform provider take them. */
export const oneInAnyCase = <const T extends string>(values: readonly T[]) => {
  const known = new Map(values.map((value): [string, T] => [value.toLowerCase(), value]));
  return v.pipe(
    field<string>(
      (value) => typeof value === "string" && known.has(value.toLowerCase()),
      `must be one of ${values.map((value) => JSON.stringify(value)).join(", ")}`,
      { type: "string", pattern: `^(?:${values.map(inAnyCase).join("|")})$`, examples: values },
    ),
    v.transform((value) => known.get(value.toLowerCase()) as T),
  );
};

/** `[lL][aA][xX]`: JSON Schema knows no flags of patterns. */
const inAnyCase = (word: string): string =>
  word.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);

export const listOf = <Item extends v.GenericSchema>(item: Item, lengthMax: number) =>
  v.pipe(
    v.array(item, "must be a list"),
    v.maxLength(lengthMax, `must have at most ${lengthMax} entries`),
  );

/** An object with exactly these fields; every field beyond them is a problem of its own. */
export const exactly = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.pipe(
    v.custom<Record<string, unknown>>(isRecord, "must be an object"),
    v.objectWithRest(entries, v.never("is not a setting; is it misspelt?"), "is required"),
  ) as unknown as v.GenericSchema<
    v.InferInput<v.ObjectSchema<Entries, undefined>>,
    v.InferOutput<v.ObjectSchema<Entries, undefined>>
  >;

/**
 * `exactly`, for what an operator sets: `words` says what each field does, in a sentence or two,
 * and is kept as metadata. docs/settings.md is made of it.
 */
export const settings = <const Entries extends v.ObjectEntries>(
  words: { readonly [Name in keyof Entries]?: string },
  entries: Entries,
) =>
  v.pipe(exactly(entries), v.metadata({ words, entries })) as unknown as ReturnType<
    typeof exactly<Entries>
  >;

/** What a schema found, each with the way to its field. */
export const problemsOf = (issues: readonly v.BaseIssue<unknown>[] = []): FieldProblem[] =>
  issues.map((issue) => ({
    keys: (issue.path ?? []).map((item) => item.key as string | number),
    message: issue.message,
  }));

export type ReadDocument<T> =
  | { readonly ok: true; readonly output: T }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/**
 * Reads one document and reports every problem at once. `between` finds what is wrong between fields
 * each of which is right.
 */
export const documentBy = <Schema extends v.GenericSchema>(
  schema: Schema,
  json: unknown,
  between: (output: v.InferOutput<Schema>) => readonly FieldProblem[],
): ReadDocument<v.InferOutput<Schema>> => {
  const result = v.safeParse(schema, json);
  const problems = [...problemsOf(result.issues), ...unsafeIn(json)];
  if (result.typed) problems.push(...between(result.output));
  if (problems.length > 0 || !result.typed) return { ok: false, problems };
  return { ok: true, output: result.output };
};

/** Null and absence mean the same: none. */
export const orNone = <Schema extends v.GenericSchema>(schema: Schema) => v.nullish(schema, null);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The one spelling of a host: lower case, punycode, without port and trailing dot; `*` stands for
 * every host. Null when the text is anything but a host.
 */
export const routeHostOf = (host: string): string | null => {
  if (host === "*") return host;
  if (host.length > 260 || /[\s/\\@?#%*]/.test(host) || !URL.canParse(`http://${host}`))
    return null;
  const bare = canonicalHost(new URL(`http://${host}`).hostname);
  return bare === "" || bare.length > 253 ? null : bare;
};

/**
 * The spelling by which the gate matches a route's path. Null for what could be read in two ways
 * (dot segments, empty segments, encoded slashes, escapes of escapes) and for what is not a path
 * (queries, wildcards): the gate would guard something else than the operator meant.
 */
export const routePathOf = (path: string): string | null => {
  if (path.length > PATH_LENGTH_MAX || !path.startsWith("/")) return null;
  if (/[?#*\\\s]|\/\/|%(2f|5c|2e)|\/\.{1,2}(\/|$)/i.test(path)) return null;
  const canonical = pathAtTheGate(path);
  return canonical !== null && pathAtTheGate(canonical) === canonical ? canonical : null;
};

const isOriginUrl = (value: string): boolean => {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  const plain = url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  return plain && url.pathname === "/" && /^https?:$/.test(url.protocol);
};

export const hostField = field<string>(
  (value) => typeof value === "string" && routeHostOf(value) !== null,
  'must be a host name such as "shop.example.com", without scheme or path, or "*" for every host',
  STRING,
);

export const pathField = field<string>(
  (value) => typeof value === "string" && routePathOf(value) !== null,
  'must be a path such as "/tickets": no query, wildcard, empty or dot segment, or encoded slash',
  STRING,
);

/** Whole segments match with what is below them anyway, so a final wildcard says nothing more. */
export const exemptPathField = field<string>(
  (value) => typeof value === "string" && routePathOf(value.replace(/\/\*$/, "")) !== null,
  'must be a path such as "/assets" or "/assets/*": no query, other wildcard, empty or dot segment, or encoded slash',
  STRING,
);

export const originField = field<string>(
  (value) => typeof value === "string" && (/^service:\w{1,64}$/.test(value) || isOriginUrl(value)),
  'must be an http or https URL without a path, such as "https://origin.example.com", or "service:NAME"',
  STRING,
);

export const corsOriginField = field<string>(
  (value) =>
    typeof value === "string" &&
    isOriginUrl(value) &&
    new URL(value).origin === value.toLowerCase(),
  'must be an origin such as "https://app.example.com", without path or trailing slash',
  STRING,
);

/** A domain of at least two labels: a cookie for a whole top-level domain is refused by browsers. */
export const domainField = matching(
  /^(?=.{3,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
  'must be a domain in lower case such as "example.com"',
);
