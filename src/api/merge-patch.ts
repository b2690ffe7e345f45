import { isRecord } from "./fields.ts";

/** A JSON merge patch (RFC 7396): null takes a field away. The patch's depth is bounded before. */
export const merged = (
  onto: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const result = { ...onto };
  for (const [key, value] of Object.entries(patch)) {
    const inner = onto[key];
    if (value === null) delete result[key];
    else result[key] = isRecord(value) ? merged(isRecord(inner) ? inner : {}, value) : value;
  }
  return result;
};
