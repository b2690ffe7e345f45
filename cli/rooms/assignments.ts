/** What `set` was asked: `total_active_users=50 seiriken.strict=true`, typed by the schema. */
import * as v from "valibot";
import { settingSchemas, READ_ONLY, type SettingSchemas } from "../../src/api/setting-schemas.ts";
import { quoted, usageFailure } from "../launch/failure.ts";
import { nearest } from "../nearest.ts";

/** A JSON merge patch (RFC 7396). */
export type Patch = Readonly<Record<string, unknown>>;

/** Every word that is wrong is told at once; nothing has been sent then. */
export const patchOf = (
  words: readonly string[],
  schemas: SettingSchemas = settingSchemas(),
): Patch => {
  const read = words.map((word) => assignmentOf(word, schemas));
  const problems = read.flatMap((one) => ("problem" in one ? [one.problem] : []));
  const given = read.flatMap((one) => ("problem" in one ? [] : [one]));
  problems.push(...givenTwice(given.map(({ name }) => name)));
  if (problems.length > 0)
    throw usageFailure("nothing was changed: what is to be set has problems", problems);
  return given.reduce<Patch>((patch, { name, value }) => laid(patch, name.split("."), value), {});
};

type Read = { readonly name: string; readonly value: unknown } | { readonly problem: string };

const assignmentOf = (word: string, schemas: SettingSchemas): Read => {
  const split = word.indexOf("=");
  if (split < 1) return { problem: `${quoted(word)} sets nothing; write NAME=VALUE` };
  const name = word.slice(0, split);
  const schema = schemas.get(name);
  if (schema === undefined) return { problem: unknownName(name, schemas) };
  const value = valueOf(schema, word.slice(split + 1));
  return "problem" in value ? { problem: `${name} ${value.problem}` } : { name, ...value };
};

const unknownName = (name: string, schemas: SettingSchemas): string => {
  if (READ_ONLY.has(name)) return `${name} can't be set; the deployment keeps it`;
  const last = name.split(".").at(-1) ?? name;
  const known = [...schemas.keys()];
  const meant =
    known.find((other) => other.endsWith(`.${last}`) || other === last) ??
    nearest(name, known) ??
    nearest(`seiriken.${name}`, known);
  // A word near a setting's name is no token, so it may be shown.
  return meant === null
    ? `${quoted(name)} is no setting`
    : `${name} is no setting; did you mean ${meant}?`;
};

/**
 * A value is read as JSON if the setting takes that, else as text as it stands, else as a list with
 * commas. So `description=2026` is a text, `queue_all=true` a boolean, and `null` takes a setting back.
 */
const valueOf = (
  schema: v.GenericSchema,
  text: string,
): { readonly value: unknown } | { readonly problem: string } => {
  const json = jsonOf(text);
  if (json === null)
    return v.safeParse(schema, null).success ? { value: null } : { problem: "can't be taken away" };
  const list = text.split(",").map((entry) => entry.trim());
  const readings = [...(json === undefined ? [] : [json]), text, list];
  const fitting = readings.find((reading) => v.safeParse(schema, reading).success);
  if (fitting !== undefined) return { value: fitting };
  const [issue] = v.safeParse(schema, readings[0]).issues ?? [];
  return { problem: issue?.message ?? "is refused" };
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const givenTwice = (names: readonly string[]): string[] =>
  names.flatMap((name, index) => {
    const other = names.slice(0, index).find((one) => isWithin(one, name) || isWithin(name, one));
    if (other === undefined) return [];
    return [other === name ? `${name} is given twice` : `${name} and ${other} overlap`];
  });

const isWithin = (inner: string, outer: string): boolean => `${inner}.`.startsWith(`${outer}.`);

const laid = (onto: Patch, [key = "", ...below]: readonly string[], value: unknown): Patch => ({
  ...onto,
  [key]: below.length === 0 ? value : laid((onto[key] ?? {}) as Patch, below, value),
});
