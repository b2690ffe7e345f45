/** A text with stars, each of which stands for any characters or none. It must match whole. */
export interface Wildcard {
  /** What stands between the stars: one part has no star. */
  readonly parts: readonly string[];
  /** `wildcard` takes letters in either case, `strict wildcard` does not. */
  readonly isStrict: boolean;
}

/** A star itself is written `\*`, a backslash `\\`. Answers where it goes wrong, and how. */
export const readWildcard = (
  text: string,
  isStrict: boolean,
): Wildcard | { readonly at: number; readonly expected: string } => {
  const parts: string[] = [];
  let part = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === "\\") {
      const escaped = text[at + 1] ?? "";
      if (escaped !== "*" && escaped !== "\\")
        return { at, expected: "\\* or \\\\: only these are escaped here" };
      part += escaped;
      at += 1;
    } else if (char === "*") {
      if (text[at + 1] === "*") return { at: at + 1, expected: "one * alone, or \\* for a star" };
      parts.push(part);
      part = "";
    } else part += char;
  }
  parts.push(part);
  return { parts: isStrict ? parts : parts.map(foldCase), isStrict };
};

export const foldCase = (text: string): string => text.toLowerCase();

/** From the left, each part as early as it comes: no other choice can match where this one fails. */
export const matchesWildcard = ({ parts, isStrict }: Wildcard, given: string): boolean => {
  const text = isStrict ? given : foldCase(given);
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - at >= last.length && text.endsWith(last);
};
