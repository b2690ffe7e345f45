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

/** Tags come from a header: what `Intl` would throw on falls back to the language. */
const localeOf = (tag: string, language: string): string => {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? language;
  } catch {
    return language;
  }
};

/** Which of ours a tag means, by its primary subtag. */
export const spokenAs = (tag: string, spoken: readonly string[]): string | null => {
  const primary = tag.split("-")[0]?.toLowerCase();
  return spoken.find((ours) => ours.toLowerCase() === primary) ?? null;
};

/**
 * The first language of `Accept-Language` that we speak, else `fallback`, else English. Entries of
 * one quality keep their order (RFC 9110, 12.5.4).
 */
export const chooseLanguage = (
  header: string,
  spoken: readonly string[],
  fallback = "en",
): Choice => {
  for (const tag of [...preferences(header).map((preference) => preference.tag), fallback]) {
    const language = spokenAs(tag, spoken);
    if (language !== null) return { language, locale: localeOf(tag, language) };
  }
  return { language: "en", locale: "en" };
};
