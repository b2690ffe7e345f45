/**
 * Pages of one's own are Mustache templates. Here one is read for what is wrong with it and which names it
 * uses, before the `mustache` package sees it: linear in its length, where the package's own expressions
 * take the square of a tag's length. The two agree on what a template is.
 */
import * as v from "valibot";
import { text } from "../fields.ts";

/** Of a page of one's own, in characters. */
export const PAGE_LENGTH_MAX = 65_536;
/** What the package takes long for, or recurses into, no page needs. */
export const TAGS_MAX = 1_000;
export const TAG_LENGTH_MAX = 1_000;
export const DEPTH_MAX = 50;
export const DELIMITER_LENGTH_MAX = 16;

export type ReadTemplate =
  | { readonly ok: true; readonly names: ReadonlySet<string> }
  | { readonly ok: false; readonly problem: string };

/** What a tag begins with says what it is; without any of these it is a variable. */
const SIGNS = ["#", "^", "/", ">", "{", "&", "=", "!"];
/** Signs of tags that look a name up. */
const LOOKS_UP = ["", "#", "^", "{", "&"];

interface Tag {
  readonly sign: string;
  readonly value: string;
  readonly at: number;
  readonly end: number;
}

type Delimiters = readonly [open: string, close: string];

export const readTemplate = (template: string): ReadTemplate => {
  const names = new Set<string>();
  const sections: Tag[] = [];
  let delimiters: Delimiters = ["{{", "}}"];
  let tags = 0;
  let at = template.indexOf(delimiters[0]);
  while (at !== -1) {
    const tag = tagAt(template, at, delimiters);
    const problem = tag === null ? "is never closed" : problemOfTag(tag, sections, ++tags);
    if (tag === null || problem !== null) return wrong(template, at, problem);
    if (LOOKS_UP.includes(tag.sign)) names.add(tag.value);
    if (tag.sign === ">") names.add(`> ${tag.value}`);
    if (tag.sign === "#" || tag.sign === "^") sections.push(tag);
    if (tag.sign === "/") sections.pop();
    if (tag.sign === "=") delimiters = delimitersOf(tag) ?? delimiters;
    at = template.indexOf(delimiters[0], tag.end);
  }
  const open = sections.at(-1);
  if (open !== undefined) return wrong(template, open.at, "opens a section that is never closed");
  return { ok: true, names };
};

/** Null where it is never closed. */
const tagAt = (template: string, at: number, [open, close]: Delimiters): Tag | null => {
  let from = afterBlanks(template, at + open.length);
  const first = template.charAt(from);
  const sign = SIGNS.includes(first) ? first : "";
  if (sign !== "") from = afterBlanks(template, from + 1);
  const ending = sign === "=" ? "=" : sign === "{" ? `}${close}` : close;
  const valueEnd = template.indexOf(ending, from);
  if (valueEnd === -1) return null;
  const closesAt = sign === "=" || sign === "{" ? valueEnd + 1 : valueEnd;
  const closed = template.indexOf(close, closesAt);
  if (closed === -1) return null;
  return { sign, value: template.slice(from, valueEnd).trimEnd(), at, end: closed + close.length };
};

const afterBlanks = (template: string, from: number): number => {
  let at = from;
  while (/\s/.test(template.charAt(at))) at++;
  return at;
};

const problemOfTag = (tag: Tag, sections: readonly Tag[], count: number): string | null => {
  if (count > TAGS_MAX) return `is one more than ${TAGS_MAX} tags`;
  if (tag.end - tag.at > TAG_LENGTH_MAX) return `is longer than ${TAG_LENGTH_MAX} characters`;
  switch (tag.sign) {
    case "#":
    case "^":
      return sections.length < DEPTH_MAX ? null : `is nested deeper than ${DEPTH_MAX} sections`;
    case "/":
      return problemOfEnd(tag, sections.at(-1));
    case "=":
      return problemOfDelimiters(delimitersOf(tag));
    default:
      return null;
  }
};

const problemOfEnd = ({ value }: Tag, open: Tag | undefined): string | null => {
  if (open === undefined) return `closes ${quoted(value)}, which is not open`;
  if (open.value === value) return null;
  return `closes ${quoted(value)}, but ${quoted(open.value)} is open`;
};

/** As the package splits them: what follows the second is not read. */
const delimitersOf = ({ value }: Tag): Delimiters | null => {
  const [open, close] = value.split(/\s+/, 2);
  return open === undefined || close === undefined ? null : [open, close];
};

const problemOfDelimiters = (delimiters: Delimiters | null): string | null => {
  if (delimiters === null) return "must name two delimiters, such as {{=<% %>=}}";
  return delimiters.every(({ length }) => length <= DELIMITER_LENGTH_MAX)
    ? null
    : `names a delimiter of more than ${DELIMITER_LENGTH_MAX} characters`;
};

const QUOTED_MAX = 60;
const quoted = (name: string): string => JSON.stringify(name.slice(0, QUOTED_MAX));

const wrong = (template: string, at: number, problem: string | null): ReadTemplate => {
  const before = template.slice(0, at).split("\n");
  const column = (before.at(-1) ?? "").length + 1;
  const place = `line ${before.length}, column ${column}`;
  return { ok: false, problem: `must be a Mustache template: the tag at ${place} ${problem}` };
};

const problemOf = (template: string): string => {
  const read = readTemplate(template);
  return read.ok ? "" : read.problem;
};

/** A page of one's own, of a room and of an event: whatever does not parse is refused. */
export const pageTemplateField = v.pipe(
  text(PAGE_LENGTH_MAX),
  v.check(
    (template) => problemOf(template) === "",
    ({ input }) => problemOf(input),
  ),
);
