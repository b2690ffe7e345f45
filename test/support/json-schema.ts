/** As much of JSON Schema (2020-12) as openapi.json uses. Answers where a value does not fit, as JSON pointers. */
type Schema = Readonly<Record<string, unknown>>;

export const misfits = (value: unknown, schema: Schema, root: Schema, at = ""): string[] => {
  const list = (name: string) => (schema[name] ?? null) as readonly Schema[] | null;
  const ref = schema["$ref"];
  if (typeof ref === "string") return misfits(value, referred(ref, root), root, at);
  const fits = (one: Schema) => misfits(value, one, root, at).length === 0;
  const found = (list("allOf") ?? []).flatMap((one) => misfits(value, one, root, at));
  const anyOf = list("anyOf");
  if (anyOf !== null && !anyOf.some(fits)) found.push(at);
  if (!isOfType(value, schema["type"]) || !isWithin(value, schema)) found.push(at);
  if (Array.isArray(value)) {
    const items = schema["items"] as Schema | undefined;
    if (items !== undefined)
      found.push(...value.flatMap((one, index) => misfits(one, items, root, `${at}/${index}`)));
  } else if (typeof value === "object" && value !== null)
    found.push(...misfitsWithin(value as Schema, schema, root, at));
  return found;
};

const misfitsWithin = (value: Schema, schema: Schema, root: Schema, at: string): string[] => {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Schema>>;
  const required = (schema["required"] ?? []) as readonly string[];
  const missing = required.filter((name) => !(name in value)).map((name) => `${at}/${name}`);
  const wrong = Object.entries(value).flatMap(([name, inner]) => {
    const property = properties[name];
    if (property !== undefined) return misfits(inner, property, root, `${at}/${name}`);
    return schema["additionalProperties"] === false ? [`${at}/${name}`] : [];
  });
  return [...missing, ...wrong];
};

const referred = (ref: string, root: Schema): Schema =>
  ref
    .slice(2)
    .split("/")
    .reduce((place, name) => place[name] as Schema, root);

const isOfType = (value: unknown, type: unknown): boolean => {
  if (type === undefined) return true;
  if (Array.isArray(type)) return type.some((one) => isOfType(value, one));
  switch (type) {
    case "null":
      return value === null;
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
};

const isWithin = (value: unknown, schema: Schema): boolean => {
  const values = schema["enum"] as readonly unknown[] | undefined;
  if (values !== undefined && !values.includes(value)) return false;
  const bound = (name: string, otherwise: number) => (schema[name] ?? otherwise) as number;
  if (typeof value === "number")
    return value >= bound("minimum", -Infinity) && value <= bound("maximum", Infinity);
  if (Array.isArray(value)) return value.length <= bound("maxItems", Infinity);
  if (typeof value !== "string") return true;
  const pattern = schema["pattern"] as string | undefined;
  const isMatch = pattern === undefined || new RegExp(pattern, "u").test(value);
  return isMatch && value.length <= bound("maxLength", Infinity);
};
