import type { Appearance } from "../../core/definition.ts";
import { css, errorCss, errorTemplate } from "./assets.gen.ts";
import { catalogOf, letterStyle } from "./catalogs.ts";
import { chooseLanguage } from "./language.ts";
import { looksOf } from "./looks.ts";
import { markup } from "./markup.ts";
import { createWords } from "../../page/words.ts";

/** What the page says has its title under this key, and what to do under this key and `Detail`. */
export type ErrorPageKind =
  | "full"
  | "originUnreachable"
  | "originLost"
  | "originTimeout"
  | "paced"
  | "notReady"
  | "internal"
  | "ambiguousUrl"
  | "unknownHost"
  | "ambiguousHost"
  | "roomNotFound"
  | "notFound";

export interface ErrorPageInput {
  readonly kind: ErrorPageKind;
  /** The site's, or its host where no room owns the path. */
  readonly name: string;
  readonly appearance: Appearance;
  /** As in `Accept-Language`. */
  readonly languages: string;
  /** The room's own, for visitors whose languages we do not have. */
  readonly defaultLanguage?: string | undefined;
  readonly reference: string;
  /** The page comes back by itself after so many seconds. */
  readonly refreshSeconds: number | null;
  /** The way on, if there is one: where its button leads, and what it says. */
  readonly way: { readonly to: string; readonly label: "again" | "back" | "front" } | null;
}

/** A page of ours in place of an answer. It looks like the queue page, and has no script. */
export const renderErrorPage = (input: ErrorPageInput): string => {
  const { kind, way, refreshSeconds } = input;
  const { language, locale } = chooseLanguage(input.languages, input.defaultLanguage);
  const catalog = catalogOf(language);
  const words = createWords(locale, catalog.page);
  const t = catalog.error;
  const byItself =
    refreshSeconds === null ? null : words.fill(t.byItself, { span: words.span(refreshSeconds) });
  return markup(errorTemplate, {
    lang: language,
    dir: catalog.dir,
    name: input.name,
    title: t[kind],
    detail: t[`${kind}Detail`],
    byItself,
    reference: input.reference,
    way: way === null ? null : { to: way.to, label: t[way.label] },
    t,
    ...looksOf(input.appearance),
    css: css + letterStyle(language),
    errorCss,
  });
};
