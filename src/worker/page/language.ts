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

/**
 * The first language of `Accept-Language` that we speak, by its primary subtag; else `fallback`.
 * Entries of one quality keep their order (RFC 9110, 12.5.4).
 */
export const chooseLanguage = (
  header: string,
  spoken: readonly string[],
  fallback = "en",
): string => {
  for (const { tag } of preferences(header)) {
    const primary = tag.split("-")[0];
    const found = spoken.find((language) => language.toLowerCase() === primary);
    if (found !== undefined) return found;
  }
  return fallback;
};
