/** Reads flags one by one and keeps what is wrong with them, so that all of it is told at once. */
import type { Lengths } from "../../src/core/simulation/sale.ts";
import { quoted } from "../launch/failure.ts";
import type { Flags } from "../launch/flags.ts";
import { nearest } from "../nearest.ts";
import { countMeant, lengthsMeant, shareMeant, spanMeant } from "./meant.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
export const WEEK_MS = 7 * 24 * HOUR;
const UNIT_MS = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: 24 * HOUR } as const;
const SPAN = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;
/** `1,000`, `1_000` and `1000`, not `1,5`. */
const WHOLE = /^(\d+|\d{1,3}([_,]\d{3})+)$/;

export class SaleFlagReader {
  readonly problems: string[] = [];
  readonly #flags: Flags;

  constructor(flags: Flags) {
    this.#flags = flags;
  }

  count(flag: string, usual: number, most: number, least = 1): number {
    const text = this.#flags.text(flag);
    if (text === null) return usual;
    const isGood = (count: number): boolean => count >= least && count <= most;
    const count = WHOLE.test(text) ? Number(text.replaceAll(/[_,]/g, "")) : Number.NaN;
    if (isGood(count)) return count;
    const wanted = `a whole number from ${least} to ${most.toLocaleString("en")}`;
    const meant = countMeant(text);
    return this.#wrong(flag, text, wanted, usual, isGood(Number(meant ?? "x")) ? meant : null);
  }

  span(flag: string, usual: number, least = 0, most = WEEK_MS): number {
    const text = this.#flags.text(flag);
    if (text === null) return usual;
    const isGood = (ms: number | null): ms is number => ms !== null && ms >= least && ms <= most;
    const ms = msOf(text);
    if (isGood(ms)) return ms;
    const bounds =
      least > 0 ? `, ${boundText(least)} to ${boundText(most)}` : `, at most ${boundText(most)}`;
    const meant = spanMeant(text);
    return this.#wrong(
      flag,
      text,
      `a time such as ${least < MINUTE ? "30s, " : ""}10m or 2h${bounds}`,
      usual,
      isGood(msOf(meant ?? "")) ? meant : null,
    );
  }

  share(flag: string, usual: number): number {
    const text = this.#flags.text(flag);
    if (text === null) return usual;
    const [, number, sign] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
    const share = sign === "%" ? Number(number) / 100 : Number(number);
    if (number !== undefined && share <= 1) return share;
    return this.#wrong(
      flag,
      text,
      "a share such as 30% or 0.3, at most all",
      usual,
      shareMeant(text),
    );
  }

  lengths(flag: string, usual: Lengths): Lengths {
    const text = this.#flags.text(flag);
    if (text === null) return usual;
    const lengths = lengthsOf(text);
    if (lengths !== null) return lengths;
    const meant = lengthsMeant(text);
    return this.#wrong(
      flag,
      text,
      "a time such as 3m, or two such as 1m..5m; 100ms to 24h",
      usual,
      lengthsOf(meant ?? "") === null ? null : meant,
    );
  }

  one<T extends string>(flag: string, words: readonly [T, ...T[]]): T | null {
    const text = this.#flags.text(flag);
    if (text === null) return null;
    const known = words.find((word) => word === text);
    const wanted = words.join(", ").replace(/, (?=[^,]*$)/, " or ");
    return known ?? this.#wrong(flag, text, wanted, words[0], nearest(text, words));
  }

  /** These say nothing without what they belong to. */
  needs(flags: readonly string[], isThere: boolean, belongsTo: string): void {
    if (isThere) return;
    for (const flag of flags) if (this.isGiven(flag)) this.problems.push(`--${flag}: ${belongsTo}`);
  }

  /** Of these at most one is given. */
  oneOf(...flags: readonly string[]): void {
    const given = flags.filter((flag) => this.isGiven(flag)).map((flag) => `--${flag}`);
    if (given.length > 1) this.problems.push(`${given.join(" and ")}: one of them, not both`);
  }

  isGiven(flag: string): boolean {
    return this.#flags.text(flag) !== null || this.#flags.isOn(flag);
  }

  /** `meant`: what may stand there instead, and is probably meant. */
  #wrong<T>(flag: string, text: string, wanted: string, instead: T, meant: string | null): T {
    const hint = meant === null ? "" : `; did you mean ${meant}?`;
    this.problems.push(`--${flag} ${quoted(text)}: ${wanted}${hint}`);
    return instead;
  }
}

const msOf = (text: string): number | null => {
  const [, amount, unit] = SPAN.exec(text) ?? [];
  return amount === undefined ? null : Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
};

const lengthsOf = (text: string): Lengths | null => {
  const [least = "", most, ...rest] = text.split("..");
  const leastMs = msOf(least);
  const mostMs = most === undefined ? leastMs : msOf(most);
  if (leastMs === null || mostMs === null || leastMs > mostMs || rest.length > 0) return null;
  if (leastMs < 100 || mostMs > 24 * HOUR) return null;
  return most === undefined
    ? { kind: "around", meanMs: leastMs }
    : { kind: "between", leastMs, mostMs };
};

/** As it can be written behind the flag. */
const boundText = (ms: number): string =>
  ms % HOUR === 0 ? `${ms / HOUR}h` : ms % MINUTE === 0 ? `${ms / MINUTE}m` : `${ms / SECOND}s`;
