import type { Appearance } from "../../core/definition.ts";
import { css, languagesCss, languagesTemplate } from "./assets.gen.ts";
import { catalogOf, languageNames, letterStyle } from "./catalogs.ts";
import { chooseLanguage } from "./language.ts";
import { looksOf } from "./looks.ts";
import { markup } from "./markup.ts";

export interface LanguagesPageInput {
  readonly name: string;
  readonly appearance: Appearance;
  /** As in `Accept-Language`. */
  readonly languages: string;
  readonly defaultLanguage?: string | undefined;
  /** Where the visitor came from, and goes back to: judged by the caller. */
  readonly to: string;
}

/** Every language of ours by its own name: a form that needs no script. */
export const renderLanguagesPage = (input: LanguagesPageInput): string => {
  const { language } = chooseLanguage(input.languages, input.defaultLanguage);
  const catalog = catalogOf(language);
  return markup(languagesTemplate, {
    lang: language,
    dir: catalog.dir,
    name: input.name,
    title: catalog.server.language,
    back: catalog.error.back,
    to: input.to,
    languages: languageNames().map((one) => ({ ...one, isCurrent: one.language === language })),
    ...looksOf(input.appearance),
    css: css + letterStyle(language),
    languagesCss,
  });
};
