/** How a valibot schema of ours is read by what writes documents of it. */

/** What of a valibot schema, or of an action in its pipe, is read here. */
export interface Part {
  readonly type: string;
  readonly message?: unknown;
  readonly requirement?: unknown;
  readonly default?: unknown;
  readonly wrapped?: Part;
  readonly item?: Part;
  readonly pipe?: readonly Part[];
  readonly metadata?: {
    readonly words?: Words;
    readonly entries?: Readonly<Record<string, Part>>;
    readonly shape?: JsonSchema;
  };
}
export type Words = Readonly<Record<string, string | undefined>>;
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema itself and all that its pipe holds, pipes within it too. */
export const partsOf = (schema: Part): readonly Part[] =>
  (schema.pipe ?? [schema]).flatMap((part) => (part.pipe === undefined ? [part] : partsOf(part)));

export const settingsOf = (schema: Part) =>
  partsOf(schema).find((part) => part.metadata?.entries !== undefined)?.metadata;

export const isOptional = ({ type }: Part): boolean => type === "nullish" || type === "optional";

export const innerOf = (schema: Part): Part =>
  isOptional(schema) && schema.wrapped !== undefined ? schema.wrapped : schema;

/**
 * JSON Schema (2020-12) of what a schema takes. What it can't say (a host that is one, fields that fit each
 * other) the API still refuses.
 */
export const jsonSchemaOf = (schema: Part): JsonSchema => {
  const inner = shapeOf(innerOf(schema));
  const given = schema.default;
  return {
    ...(schema.type === "nullish" ? orNull(inner) : inner),
    ...(given === undefined || typeof given === "object" ? {} : { default: given }),
  };
};

const shapeOf = (schema: Part): JsonSchema => {
  const told = settingsOf(schema);
  if (told?.entries !== undefined) return objectOf(told.entries, told.words ?? {});
  const parts = partsOf(schema);
  const item = parts.find((part) => part.item !== undefined)?.item;
  if (item !== undefined) {
    const maxItems = parts.find(({ type }) => type === "max_length")?.requirement;
    return { type: "array", items: jsonSchemaOf(item), maxItems };
  }
  return parts.find(({ metadata }) => metadata?.shape !== undefined)?.metadata?.shape ?? {};
};

const objectOf = (entries: Readonly<Record<string, Part>>, words: Words): JsonSchema => {
  const properties = Object.entries(entries).map(([name, entry]) => {
    const isReadOnly = innerOf(entry).type === "unknown";
    const description = words[name];
    return [
      name,
      {
        ...jsonSchemaOf(entry),
        ...(isReadOnly ? { readOnly: true } : {}),
        ...(description === undefined ? {} : { description }),
      },
    ];
  });
  const required = Object.keys(entries).filter((name) => !isOptional(entries[name] as Part));
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
};

const orNull = (schema: JsonSchema): JsonSchema => {
  const { type, anyOf } = schema;
  const values = schema["enum"];
  if (typeof type === "string") return { ...schema, type: [type, "null"] };
  if (Array.isArray(values)) return { ...schema, enum: [...(values as unknown[]), null] };
  return Array.isArray(anyOf)
    ? { ...schema, anyOf: [...(anyOf as unknown[]), { type: "null" }] }
    : schema;
};
