const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

type Open = { key: string | number; readonly isList: boolean };

/**
 * On which line (from 1 up) the value at `keys` begins, in a text that is JSON: for people who have to
 * change it. Null when it is not there.
 */
export const lineOfValue = (text: string, keys: readonly (string | number)[]): number | null => {
  const open: Open[] = [];
  let isKey = false;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const inner = open.at(-1);
    if (token === ":") {
      isKey = false;
      continue;
    }
    if (token === ",") {
      if (inner?.isList === true) inner.key = Number(inner.key) + 1;
      else isKey = true;
      continue;
    }
    if (token === "]" || token === "}") {
      open.pop();
      isKey = false;
      continue;
    }
    if (isKey && inner !== undefined) {
      inner.key = JSON.parse(token) as string;
      continue;
    }
    if (open.length === keys.length && open.every(({ key }, depth) => key === keys[depth]))
      return text.slice(0, index).split("\n").length;
    if (token === "[") open.push({ key: 0, isList: true });
    if (token === "{") open.push({ key: "", isList: false });
    isKey = token === "{";
  }
  return null;
};
