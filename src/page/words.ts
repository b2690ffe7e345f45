/**
 * A language's messages and how they are filled: plurals, spans, times. The texts are in
 * static/queue/messages.
 */
import { UNDER_A_MINUTE_SECONDS } from "../core/estimate/under-a-minute.ts";
import type { PageEta } from "./state.ts";
import type english from "../../static/queue/messages/en.json";

export type MessageKey = keyof typeof english.page;
type ServerKey = keyof typeof english.server;
type LostKey = keyof typeof english.lost;
type EventKey = keyof typeof english.event;
/** Labels that change with the phases of an event. */
type LabelKey = "ahead" | "among" | "wait";
type ErrorKey = keyof typeof english.error;

/**
 * Names a message. In the browser messages are a list, and the build (scripts/build-page.ts) writes the
 * place in it for each name that stands here or in `say`: names would be a fiftieth of the page.
 */
export const keyOf = <Key extends keyof Messages>(name: Key): Key => name;

/** A text with `{holes}`, or one for each plural form of the language (`other` is always there). */
export type Message = string | { readonly [form: string]: string };
export type Messages = { readonly [key in MessageKey]: Message } & {
  /** Only in pages that are made while there is an event. */
  readonly [key in EventKey | LabelKey]?: Message;
};

/** One language. `page` goes to the browser, `server` is needed only while rendering. */
export interface Catalog {
  /** Of the language, in itself. */
  readonly name: string;
  readonly dir: "ltr" | "rtl";
  readonly page: Messages;
  readonly server: { readonly [key in ServerKey]: Message };
  /** How a visit ended: only for pages of visitors who had one. */
  readonly lost: { readonly [key in LostKey]: Message };
  /** Before an event and after its draw: only for pages that are made while there is one. */
  readonly event: { readonly [key in EventKey]: Message };
  /** Pages in place of an answer. */
  readonly error: { readonly [key in ErrorKey]: Message };
}

/** Numbers are written as the language writes them; `n` chooses the plural form. */
export type Holes = { readonly [name: string]: string | number };

export interface Words {
  fill(message: Message, holes?: Holes): string;
  say(key: keyof Messages, holes?: Holes): string;
  number(value: number): string;
  percent(share: number): string;
  /** A span that holds exactly: "60 minutes", "90 seconds", "5 minutes 30 seconds". */
  span(seconds: number): string;
  /** An estimate, rounded as people do, as a range. */
  wait(eta: PageEta | null | undefined): string;
  time(atMs: number, style?: Intl.DateTimeFormatOptions): string;
}

const MINUTE = 60;
const HOUR = 3_600;
/** Below this many a span is told in the smaller unit, as people say "90 minutes". */
const SMALLER_UNIT_BELOW = 120;
const RANGE_IN_HOURS_FROM = 90 * MINUTE;
const RANGE_IN_FIVES_FROM = 30 * MINUTE;

const TO_THE_MINUTE = { hour: "numeric", minute: "2-digit" } as const;
export const TO_THE_SECOND = { hour: "numeric", minute: "2-digit", second: "2-digit" } as const;

/** For browsers that know no plurals. */
const ENGLISH_PLURALS = { select: (n: number): Intl.LDMLPluralRule => (n === 1 ? "one" : "other") };

/** Two `??` are written out at length for the browsers that the script is built for. */
const either = (value: number | null | undefined, other: number | null | undefined): number =>
  value == null ? other || 0 : value;

export const createWords = (locale: string, messages: Messages): Words => {
  // Made when first needed: most pages say only a few numbers, and `Intl` objects are expensive.
  let numbers: Intl.NumberFormat | undefined;
  let plurals: Pick<Intl.PluralRules, "select"> | undefined;

  const number = (value: number): string =>
    (numbers = numbers || new Intl.NumberFormat(locale)).format(value);

  const formOf = (n: number): string =>
    (plurals =
      plurals || (Intl.PluralRules ? new Intl.PluralRules(locale) : ENGLISH_PLURALS)).select(n);

  const fill = (message: Message, holes: Holes = {}): string => {
    const text =
      typeof message === "string"
        ? message
        : message[formOf(Number(holes["n"]))] || message["other"] || "";
    return text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = holes[name];
      return typeof value === "number" ? number(value) : value || "";
    });
  };

  const say = (key: keyof Messages, holes?: Holes): string => fill(messages[key] as Message, holes);

  const span = (seconds: number): string => {
    const [unit, lesser, size] =
      seconds >= SMALLER_UNIT_BELOW * MINUTE
        ? ([keyOf("hours"), keyOf("minutes"), HOUR] as const)
        : ([keyOf("minutes"), keyOf("seconds"), MINUTE] as const);
    if (seconds < SMALLER_UNIT_BELOW) return say("seconds", { n: Math.round(seconds) });
    const whole = Math.floor(seconds / size);
    const rest = Math.floor((seconds % size) / (size / MINUTE));
    const first = say(unit, { n: whole });
    return rest === 0 ? first : say("spans", { a: first, b: say(lesser, { n: rest }) });
  };

  const wait = (eta: PageEta | null | undefined): string => {
    if (!eta || !eta.known)
      return say(eta && eta.reason === "long" ? keyOf("waitLong") : keyOf("waitUnknown"));
    const least = Math.max(0, either(eta.low, eta.seconds));
    const most = Math.max(least, either(eta.high, eta.seconds));
    if (most < UNDER_A_MINUTE_SECONDS) return say("waitSoon");
    const inHours = most >= RANGE_IN_HOURS_FROM;
    const step = inHours ? HOUR / 2 : most >= RANGE_IN_FIVES_FROM ? 5 * MINUTE : MINUTE;
    const unit = inHours ? HOUR : MINUTE;
    const low = (Math.floor(least / step) * step) / unit;
    const high = (Math.ceil(most / step) * step) / unit;
    const highText = say(inHours ? keyOf("hours") : keyOf("minutes"), { n: high });
    if (low === 0) return say("waitUpTo", { span: highText });
    if (low === high) return say("waitAbout", { span: highText });
    return say(inHours ? keyOf("hoursRange") : keyOf("minutesRange"), { low, high });
  };

  return {
    fill,
    say,
    span,
    wait,
    number,
    percent: (share) => new Intl.NumberFormat(locale, { style: "percent" }).format(share),
    time: (atMs, style = TO_THE_MINUTE) => new Intl.DateTimeFormat(locale, style).format(atMs),
  };
};
