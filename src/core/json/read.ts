/** JSON from people. V8 names no position for most broken JSON; people need the line and the column. */
import { scanJson } from "./scan.ts";

export interface TextPosition {
  /** Both from 1 up. */
  readonly line: number;
  readonly column: number;
}

export type ReadJson =
  | { readonly ok: true; readonly json: unknown }
  /** `place`: `line 3, column 7`, or nothing where none can be named. */
  | { readonly ok: false; readonly place: string; readonly reason: string };

export const readJson = (text: string): ReadJson => {
  try {
    return { ok: true, json: JSON.parse(text) as unknown };
  } catch (error) {
    const at = firstJsonError(text);
    const place = at === null ? "" : `line ${at.line}, column ${at.column}`;
    return { ok: false, place, reason: reasonOf(error as SyntaxError) };
  }
};

/** V8's reason without its excerpt of the text, which may span lines. */
const reasonOf = ({ message }: SyntaxError): string =>
  message.replace(/,? (\.\.\.)?".*$| in JSON at .*$/s, "");

/** Where `text` first stops being JSON; null when all of it is JSON. */
export const firstJsonError = (text: string): TextPosition | null => {
  const offset = scanJson(text);
  return offset === null ? null : positionOf(text, offset);
};

export const positionOf = (text: string, offset: number): TextPosition => {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
};
