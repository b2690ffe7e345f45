import { positionOf } from "./read.ts";
import { scanJson } from "./scan.ts";

/**
 * On which line (from 1 up) the value at `keys` begins, in a text that is JSON: for people who have to
 * change it. Null when it is not there.
 */
export const lineOfValue = (text: string, keys: readonly (string | number)[]): number | null => {
  /** The member or the entry at hand, in each list and object that is open. */
  const path: (string | number)[] = [];
  let found: number | null = null;
  const begin = (at: number): void => {
    const last = path.at(-1);
    if (typeof last === "number") path[path.length - 1] = last + 1;
    const isThere = path.length === keys.length && path.every((key, depth) => key === keys[depth]);
    if (isThere) found ??= positionOf(text, at).line;
  };
  scanJson(text, {
    enter(at, isList) {
      begin(at);
      path.push(isList ? -1 : "");
    },
    leave: () => void path.pop(),
    name: (from, to) => void (path[path.length - 1] = JSON.parse(text.slice(from, to)) as string),
    scalar: begin,
  });
  return found;
};
