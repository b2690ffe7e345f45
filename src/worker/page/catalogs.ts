/** The languages that our pages speak, and their texts. */
import type { Catalog } from "../../page/words.ts";
import { letterCss } from "./assets.gen.ts";
import { catalogTexts, languages } from "./catalogs.gen.ts";

export const LANGUAGES: readonly string[] = Object.keys(languages);

const FALLBACK = "en";
const parsed = new Map<string, Catalog>();

/** Parsed once an isolate needs it: the start of a Worker does not pay for languages that nobody reads. */
export const catalogOf = (language: string): Catalog => {
  const known = parsed.get(language);
  if (known !== undefined) return known;
  const text = catalogTexts[language];
  if (text === undefined) return catalogOf(FALLBACK);
  const catalog = JSON.parse(text) as Catalog;
  parsed.set(language, catalog);
  return catalog;
};

/** A language in its own words, for those who look for theirs. */
export interface LanguageName {
  readonly language: string;
  readonly ownName: string;
  readonly dir: string;
}

/** In the order of alphabets, Latin first, with Č beside C. */
export const languageNames = (): readonly LanguageName[] =>
  Object.entries(languages)
    .map(([language, { name, dir }]) => ({ language, ownName: name, dir }))
    .toSorted((a, b) => a.ownName.localeCompare(b.ownName, "en"));

/** How the language is written, by ISO 15924. */
export const scriptIn = (language: string): string => languages[language]?.script ?? "";

/** The style of the language's letters: fonts, and lines high enough for what they carry. */
export const letterStyle = (language: string): string => letterCss[scriptIn(language)] ?? "";
