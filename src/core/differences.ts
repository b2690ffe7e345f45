/**
 * Which settings a change changed: in full, so that it can be taken back, and in a form for people who
 * read the log.
 */
import { plainText } from "./plain-text.ts";

/** A value as the log shows it: bounded, in one line, and no secret. */
export type Shown = string | number | boolean | null;
/** From what to what, by the setting's path, as in `seiriken.message`. Null: there was none, or is none now. */
export type Differences = Readonly<Record<string, readonly [from: Shown, to: Shown]>>;

/** The same in full: whole values of JSON. */
export type Changes = Readonly<Record<string, readonly [from: unknown, to: unknown]>>;

export interface FullDifferences {
  readonly changes: Changes;
  /** Paths of what changed besides, and is too long to be kept. */
  readonly leftOut: readonly string[];
}

export const NO_DIFFERENCES: FullDifferences = { changes: {}, leftOut: [] };

/** In characters of JSON, of both values together. */
const VALUES_LENGTH_MAX = 8_192;
const DIFFERENCES_LENGTH_MAX = 32_768;
/** Beyond these not even the path is kept. */
const PATHS_LEFT_OUT_MAX = 200;

/** One call rarely changes more; the log says how many it left out. */
const FIELDS_MAX = 24;
const TEXT_LENGTH_MAX = 80;

/** Left out: fields that change along with any other, or are no settings. */
const NOT_TOLD: ReadonlySet<string> = new Set([
  ...["id", "created_on", "modified_on", "created_at", "modified_at"],
  ...["next_event_prequeue_start_time", "next_event_start_time"],
]);
/** Shown as a count only: an exempt rule may name a header's secret value. */
const COUNTED: ReadonlySet<string> = new Set(["seiriken.exempt"]);
/** Shown as a length only: pages and pictures. */
const MEASURED: ReadonlySet<string> = new Set(["custom_page_html", "seiriken.appearance.logo"]);

/** The settings that are not the same in both, at most 24; `more` counts what is left out. */
export const differencesOf = (
  before: object,
  after: object,
): { readonly changes: Differences; readonly more: number } => {
  const { old, fresh, paths } = compared(before, after);
  const told = paths.slice(0, FIELDS_MAX);
  return {
    changes: Object.fromEntries(
      told.map((path) => [path, [shown(path, old.get(path)), shown(path, fresh.get(path))]]),
    ),
    more: paths.length - told.length,
  };
};

/** All that is not the same in both, as far as it is short enough; of the rest the paths. */
export const fullDifferencesOf = (before: object, after: object): FullDifferences => {
  const { old, fresh, paths } = compared(before, after);
  const kept: [string, readonly [unknown, unknown]][] = [];
  const leftOut: string[] = [];
  let length = 0;
  for (const path of paths) {
    const values = [old.get(path) ?? null, fresh.get(path) ?? null] as const;
    if (values[0] === null && values[1] === null) continue;
    const its = path.length + JSON.stringify(values).length;
    if (its > VALUES_LENGTH_MAX || length + its > DIFFERENCES_LENGTH_MAX) {
      if (leftOut.length < PATHS_LEFT_OUT_MAX) leftOut.push(path);
      continue;
    }
    length += its;
    kept.push([path, values]);
  }
  return { changes: Object.fromEntries(kept), leftOut };
};

const compared = (before: object, after: object) => {
  const [old, fresh] = [leavesOf(before), leavesOf(after)];
  const paths = [...new Set([...fresh.keys(), ...old.keys()])].filter(
    (path) => JSON.stringify(old.get(path)) !== JSON.stringify(fresh.get(path)),
  );
  return { old, fresh, paths };
};

/** Lists count as one value; objects are walked through. Settings nest a few levels deep. */
const leavesOf = (settings: object): ReadonlyMap<string, unknown> => {
  const leaves = new Map<string, unknown>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      leaves.set(path, value);
      return;
    }
    for (const [key, inner] of Object.entries(value)) {
      if (!NOT_TOLD.has(key)) walk(inner, path === "" ? key : `${path}.${key}`);
    }
  };
  walk(settings, "");
  return leaves;
};

const shown = (path: string, value: unknown): Shown => {
  if (value === undefined || value === null) return null;
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (COUNTED.has(path)) return `${Array.isArray(value) ? value.length : 1} not shown`;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return MEASURED.has(path) ? `${text.length} characters` : plainText(text, TEXT_LENGTH_MAX);
};
