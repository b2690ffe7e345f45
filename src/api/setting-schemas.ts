/** Every setting (of a room, or by another schema) by its dotted name, with the schema of its value. */
import type * as v from "valibot";
import { roomSchema } from "./rooms/schema.ts";

/** Fields that the API answers and takes back, and that set nothing. */
export const READ_ONLY: ReadonlySet<string> = new Set([
  "id",
  "created_on",
  "modified_on",
  "version",
  "last_updated",
  "next_event_prequeue_start_time",
  "next_event_start_time",
]);

type Entries = Readonly<Record<string, v.GenericSchema>>;

export type SettingSchemas = ReadonlyMap<string, v.GenericSchema>;

/** `name`, `seiriken`, `seiriken.message` and so on. Entries of lists have no names. */
export const settingSchemas = (schema: v.GenericSchema = roomSchema): SettingSchemas => {
  const found = new Map<string, v.GenericSchema>();
  const walk = (entries: Entries, below: string): void => {
    for (const [key, schema] of Object.entries(entries)) {
      const name = below + key;
      if (READ_ONLY.has(name)) continue;
      found.set(name, schema);
      const inner = entriesOf(schema);
      if (inner !== null) walk(inner, `${name}.`);
    }
  };
  walk(entriesOf(schema) ?? {}, "");
  return found;
};

/** An object may stand inside `nullish`, and as one part of a `pipe`. */
const entriesOf = (schema: unknown): Entries | null => {
  const { wrapped, entries, pipe } = schema as {
    readonly wrapped?: unknown;
    readonly entries?: Entries;
    readonly pipe?: readonly { readonly kind: string }[];
  };
  if (entries !== undefined) return entries;
  if (wrapped !== undefined) return entriesOf(wrapped);
  for (const part of pipe ?? []) {
    const inner = part.kind === "schema" ? entriesOf(part) : null;
    if (inner !== null) return inner;
  }
  return null;
};
