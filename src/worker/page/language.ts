import { LANGUAGES, scriptIn } from "./catalogs.ts";

interface Preference {
  readonly tag: string;
  readonly quality: number;
}

/** Beyond this many entries a header is not a person's list of languages. */
const PREFERENCES_MAX = 32;

const preferences = (header: string): readonly Preference[] =>
  header
    .split(",", PREFERENCES_MAX)
    .map((entry) => {
      const [tag = "", ...parameters] = entry.split(";").map((part) => part.trim());
      const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
      return { tag: tag.toLowerCase(), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ tag, quality }) => tag !== "" && quality > 0)
    .toSorted((a, b) => b.quality - a.quality);

export interface Choice {
  /** One of ours: which catalog. */
  readonly language: string;
  /** The visitor's own tag, for times and numbers as they write them: `en-GB` under `en`. */
  readonly locale: string;
}

/** Other names of languages of ours (older codes, the ones inside them), and those whose readers read ours. */
const ALSO: Readonly<Record<string, string>> = {
  bs: "sr",
  cmn: "zh",
  fil: "tl",
  in: "id",
  iw: "he",
  nn: "nb",
  no: "nb",
  sh: "sr",
  yue: "zh-hant",
};

const primaryOf = (tag: string): string => tag.replace(/-.*/s, "").toLowerCase();

const OURS: ReadonlyMap<string, readonly string[]> = Map.groupBy(LANGUAGES, primaryOf);

/** Tags come from a header: what `Intl` would throw on has no script, and falls back to the language. */
const scriptOf = (tag: string): string | null => {
  try {
    return new Intl.Locale(tag).maximize().script ?? null;
  } catch {
    return null;
  }
};

const localeOf = (tag: string, language: string): string => {
  if (primaryOf(tag) !== primaryOf(language)) return language;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? language;
  } catch {
    return language;
  }
};

/**
 * Which of ours a tag means: by its primary subtag, and where we have a language in several scripts by
 * the one that its readers read (`zh-HK`: traditional Chinese).
 */
export const spokenAs = (tag: string): string | null => {
  const meant = ALSO[primaryOf(tag)] ?? tag;
  const ours = OURS.get(primaryOf(meant)) ?? [];
  if (ours.length < 2) return ours[0] ?? null;
  const script = scriptOf(meant);
  return ours.find((language) => scriptIn(language) === script) ?? ours[0] ?? null;
};

/**
 * The first language of `Accept-Language` that we speak, else `fallback`, else English. Entries of
 * one quality keep their order (RFC 9110, 12.5.4).
 */
export const chooseLanguage = (header: string, fallback = "en"): Choice => {
  for (const tag of [...preferences(header).map((preference) => preference.tag), fallback]) {
    const language = spokenAs(tag);
    if (language !== null) return { language, locale: localeOf(tag, language) };
  }
  return { language: "en", locale: "en" };
};
