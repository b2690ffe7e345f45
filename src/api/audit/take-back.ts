import type { Changes } from "../../core/differences.ts";

type MergePatch = { [name: string]: unknown };

/**
 * The merge patch (RFC 7396) that brings the old values back. Of a path and one below it the shorter
 * one's null counts: what there was not has nothing below it.
 */
export const takenBack = (changes: Changes): MergePatch => {
  const patch: MergePatch = {};
  const paths = Object.keys(changes).toSorted((a, b) => a.length - b.length);
  for (const path of paths) {
    const names = path.split(".");
    const last = names.pop() ?? "";
    let inner: MergePatch | null = patch;
    for (const name of names) {
      if (inner === null) break;
      const standing: unknown = Object.hasOwn(inner, name) ? inner[name] : (inner[name] = {});
      inner = typeof standing === "object" ? (standing as MergePatch | null) : null;
    }
    if (inner !== null) inner[last] = changes[path]?.[0] ?? null;
  }
  return patch;
};
