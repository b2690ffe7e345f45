/** What a client's JSON may not hold, whatever it describes. Runs in the Worker and on the command line. */
import type { FieldProblem } from "../field-problem.ts";

/**
 * Rooms and lock rules nest four deep. JSON nested as deep as a stack can go breaks code that walks
 * it.
 */
export const JSON_DEPTH_MAX = 32;
/** Of problems with one document: enough to mend it. */
const PROBLEMS_MAX = 50;
/** Names that mean something else to JavaScript objects than a field of their own. */
const NEVER_FIELDS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

interface JsonPlace {
  readonly value: object;
  readonly key: string | number;
  readonly parent: JsonPlace | null;
  readonly depth: number;
}

/** Walks with a list of its own, so that no nesting can overflow the stack. */
export const unsafeIn = (json: unknown): readonly FieldProblem[] => {
  const problems: FieldProblem[] = [];
  const left: JsonPlace[] = [];
  const visit = (value: unknown, key: string | number, parent: JsonPlace | null): void => {
    if (typeof value !== "object" || value === null) return;
    const place = { value, key, parent, depth: (parent?.depth ?? 0) + 1 };
    if (place.depth <= JSON_DEPTH_MAX) left.push(place);
    else
      problems.push({
        keys: keysOf(place),
        message: `is nested deeper than ${JSON_DEPTH_MAX} levels`,
      });
  };
  visit(json, "", null);
  for (const place of left) {
    const isList = Array.isArray(place.value);
    for (const [key, value] of Object.entries(place.value)) {
      if (problems.length >= PROBLEMS_MAX) return problems;
      if (NEVER_FIELDS.has(key))
        problems.push({ keys: [...keysOf(place), key], message: "can't be the name of a setting" });
      else visit(value, isList ? Number(key) : key, place);
    }
  }
  return problems;
};

const keysOf = (place: JsonPlace): (string | number)[] => {
  const keys: (string | number)[] = [];
  for (let at = place; at.parent !== null; at = at.parent) keys.unshift(at.key);
  return keys;
};
