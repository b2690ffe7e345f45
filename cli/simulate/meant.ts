/** What somebody who wrote a value in another way probably means, as it can be written; null: who knows. */
import { nearest } from "../nearest.ts";

const UNITS: readonly (readonly [unit: string, spelled: RegExp])[] = [
  ["ms", /^(ms|millis(econds?)?)$/],
  ["s", /^(s|secs?|seconds?)$/],
  ["m", /^(m|mins?|minutes?)$/],
  ["h", /^(h|hrs?|hours?)$/],
  ["d", /^(d|days?)$/],
];
const TIMES: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

/** `10k`, `1.5m`, `1e5`, and thousands with points or spaces. */
export const countMeant = (text: string): string | null => {
  const [, amount, times = ""] = /^(\d{1,9}(?:\.\d{1,3})?)([km])$/i.exec(text) ?? [];
  const count =
    amount !== undefined
      ? Math.round(Number(amount) * (TIMES[times.toLowerCase()] ?? 1))
      : /^\d{1,3}(?:[. ']\d{3})+$/.test(text)
        ? Number(text.replaceAll(/\D/g, ""))
        : /^\d(?:\.\d+)?e\d$/i.test(text)
          ? Number(text)
          : Number.NaN;
  return Number.isInteger(count) ? String(count) : null;
};

/** `3`, `3min`, `3 minutes`, `1h30m`. */
export const spanMeant = (text: string): string | null => {
  const [, hours, minutes] = /^(\d{1,3})\s?h\s?(\d{1,2})\s?m?$/i.exec(text) ?? [];
  if (hours !== undefined) return `${Number(hours) * 60 + Number(minutes)}m`;
  const [, amount, spelled = ""] = /^(\d{1,9}(?:\.\d{1,3})?) ?([a-z]{0,12})$/i.exec(text) ?? [];
  const known = spelled === "" ? "m" : unitOf(spelled);
  return amount === undefined || known === null ? null : `${amount}${known}`;
};

/** `3`, `1m-5m`, `1 to 5 minutes`. */
export const lengthsMeant = (text: string): string | null => {
  const [least = "", most, ...rest] = text.split(/\s?(?:\.\.|-|–|to)\s?/);
  if (most === undefined) return spanMeant(least);
  const [to, unit = "m"] = [spanMeant(most), /[a-z]+$/.exec(spanMeant(most) ?? "")?.[0]];
  const from = /^\d+$/.test(least) ? `${least}${unit}` : spanMeant(least);
  return from === null || to === null || rest.length > 0 ? null : `${from}..${to}`;
};

/** `30` and `30 %`; `0,3`. */
export const shareMeant = (text: string): string | null => {
  const [, percent] = /^(\d{1,3}(?:\.\d+)?) ?%?$/.exec(text) ?? [];
  if (percent !== undefined) return Number(percent) <= 100 ? `${percent}%` : null;
  return /^0,\d{1,4}$/.test(text) ? text.replace(",", ".") : null;
};

/** Of a word that is no flag's value: the flags that it may be for. */
export const bareWordMeant = (
  word: string,
  before: { readonly name: string; readonly value: string | undefined } | null,
  flags: readonly string[],
): string | null => {
  const value = before?.value ?? "";
  if (before !== null && /^\d+$/.test(value)) {
    if (unitOf(word) !== null) return `--${before.name} ${value}${unitOf(word)}`;
    if (value.length < 4 && /^\d{3}$/.test(word)) return `--${before.name} ${value}${word}`;
  }
  const span = /^\d+$/.test(word) || /^\d.*k$/i.test(word) ? null : spanMeant(word);
  if (span !== null)
    return `--visit ${span} (how long visits last) or --arrive ${span} (in which time all come)`;
  const count = /^\d{1,9}$/.test(word) ? word : countMeant(word);
  if (count !== null)
    return `--visitors ${count} (how many come) or --permits ${count} (how many may be inside)`;
  const flag = FLAGS_OF_FILES.find(([, named]) => named.test(word));
  if (flag !== undefined) return `--${flag[0]} ${word}`;
  const named = nearest(word, flags);
  return named === null ? null : `--${named}`;
};

const unitOf = (spelled: string): string | null =>
  UNITS.find(([, spellings]) => spellings.test(spelled.toLowerCase()))?.[0] ?? null;

const FLAGS_OF_FILES: readonly (readonly [flag: string, named: RegExp])[] = [
  ["from", /^[\w./-]{1,80}\.json$/],
  ["arrivals", /^[\w./-]{1,80}\.(csv|tsv|txt)$/],
  ["html", /^[\w./-]{1,80}\.html?$/],
];
