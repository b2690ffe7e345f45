/** A page of one's own, parsed. What it may be is said in api/rooms/page-template.ts. */
// oxlint-disable-next-line typescript/triple-slash-reference -- mustache brings no types: programs that include this file have to find ours
/// <reference path="./mustache.d.ts" />
import Mustache from "mustache";
import { readTemplate } from "../../api/rooms/page-template.ts";

/** The names that a template may look up: Cloudflare's, `seirikenScript`, and `seiriken`. */
export type PageVariables = Readonly<Record<string, string | number | boolean | null | object>>;

export interface OwnTemplate {
  /** Every name that it looks up. */
  readonly names: ReadonlySet<string>;
  /** Throws where a name leads to something that cannot be shown. */
  render(variables: PageVariables): string;
}

// The package's own writer keeps every template that it ever parsed.
const writer = new Mustache.Writer();
writer.templateCache = undefined;

/** No name but the documented ones leads anywhere; the page as a whole is shown as the package shows it. */
const NOTHING_ELSE = Object.assign(Object.create(null) as object, {
  toString: () => "[object Object]",
});

/** Null for one that does not parse, which an older version may have stored. */
export const ownTemplate = (html: string): OwnTemplate | null => {
  const read = readTemplate(html);
  if (!read.ok) return null;
  const tokens = writer.parse(html);
  return {
    names: read.names,
    render(variables) {
      const view = Object.assign(Object.create(NOTHING_ELSE) as object, variables);
      return writer.renderTokens(tokens, new Mustache.Context(view), undefined, html);
    },
  };
};
