/** V8 names no position for most broken JSON; people need the line and the column. */

export interface TextPosition {
  /** Both from 1 up. */
  readonly line: number;
  readonly column: number;
}

const SPACE = /[ \t\r\n]*/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
// eslint-disable-next-line no-control-regex -- JSON forbids bare control characters in strings
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

/** Where `text` first stops being JSON; null when all of it is JSON. */
export const firstJsonError = (text: string): TextPosition | null => {
  const offset = firstErrorOffset(text);
  if (offset === null) return null;
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
};

/** A scanner with its own stack, so that deep nesting cannot overflow ours. */
function firstErrorOffset(text: string): number | null {
  const open: ("[" | "{")[] = [];
  let at = 0;
  let expects: "value" | "value or ]" | "key" | "key or }" | "rest" = "value";
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  for (;;) {
    take(SPACE);
    const character = text[at];
    if (expects === "rest") {
      if (open.length === 0) return at === text.length ? null : at;
      if (character === ",") expects = open.at(-1) === "{" ? "key" : "value";
      else if (character === (open.at(-1) === "{" ? "}" : "]")) open.pop();
      else return at;
      at += 1;
    } else if (expects === "key" || expects === "key or }") {
      if (expects === "key or }" && character === "}") {
        open.pop();
        at += 1;
        expects = "rest";
        continue;
      }
      if (!take(STRING)) return at;
      take(SPACE);
      if (text[at] !== ":") return at;
      at += 1;
      expects = "value";
    } else if (character === "{" || character === "[") {
      open.push(character);
      at += 1;
      expects = character === "{" ? "key or }" : "value or ]";
    } else if (expects === "value or ]" && character === "]") {
      open.pop();
      at += 1;
      expects = "rest";
    } else if (take(STRING) || take(SCALAR)) expects = "rest";
    else return at;
  }
}
