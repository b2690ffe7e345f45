/** Figures and times as the dashboard writes them. English, as the whole page is; the zone is the operator's. */

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** 12,345; a dash where nothing is known. */
export const count = (value: number | null | undefined): string =>
  value === null || value === undefined || !Number.isFinite(value) ? "–" : whole.format(value);

/** With a tenth below ten, where it tells something. */
export const rate = (value: number | null | undefined): string =>
  value === null || value === undefined || !Number.isFinite(value)
    ? "–"
    : (Math.abs(value) < 10 ? tenths : whole).format(value);

export const percent = (share: number | null): string =>
  share === null || !Number.isFinite(share) ? "–" : `${whole.format(share * 100)} %`;

export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${count(n)} ${n === 1 ? one : many}`;

const MINUTE = 60;
const HOUR = 3_600;

/** 45 s, 3 min 20 s, 1 h 5 min: two parts at most, and none that is zero. */
export const span = (seconds: number | null | undefined): string => {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return "–";
  const all = Math.max(0, Math.round(seconds));
  if (all < MINUTE) return `${all} s`;
  if (all < 10 * MINUTE) return parts(all, MINUTE, "min", 1, "s");
  if (all < HOUR) return `${Math.round(all / MINUTE)} min`;
  return parts(Math.round(all / MINUTE), 60, "h", 1, "min");
};

/** On an axis: 45 s, 1:30, 12 min, 2.5 h. */
export const shortSpan = (seconds: number | null): string => {
  if (seconds === null) return "";
  if (seconds < MINUTE) return `${tenths.format(seconds)} s`;
  if (seconds < 10 * MINUTE)
    return `${Math.floor(seconds / MINUTE)}:${String(Math.round(seconds % MINUTE)).padStart(2, "0")}`;
  return seconds < 2 * HOUR
    ? `${Math.round(seconds / MINUTE)} min`
    : `${tenths.format(seconds / HOUR)} h`;
};

const parts = (all: number, size: number, large: string, unit: number, small: string): string => {
  const rest = (all % size) / unit;
  return `${Math.floor(all / size)} ${large}${rest === 0 ? "" : ` ${rest} ${small}`}`;
};

const clock = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayAndClock = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

const isInstant = (at: number): boolean => Number.isFinite(at);

/** 21:40:05 */
export const timeOf = (at: number): string => (isInstant(at) ? clock.format(at) : "–");
/** 22 Nov, 21:40 */
export const dayTimeOf = (at: number): string => (isInstant(at) ? dayAndClock.format(at) : "–");

const DAY = 86_400;

/** As an axis with ticks so many seconds apart has it: 21:40:05, 21:40, or 22 Nov. */
export const axisTime = (at: number, stepSeconds: number): string => {
  const time = new Date(at);
  const isMidnight = time.getHours() === 0 && time.getMinutes() === 0;
  if (stepSeconds >= DAY || (isMidnight && stepSeconds >= HOUR)) return day.format(at);
  return stepSeconds < MINUTE ? clock.format(at) : clock.format(at).slice(0, 5);
};

/** The operator's own zone, in words: "Europe/Berlin, UTC+1". */
export const zoneOf = (
  at: number,
  zone: string = new Intl.DateTimeFormat().resolvedOptions().timeZone,
): string => {
  const part = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "shortOffset" })
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName");
  const offset = (part?.value ?? "GMT").replace("GMT", "UTC");
  return zone === "UTC" ? "UTC" : `${zone}, ${offset}`;
};

/** For an input of type datetime-local: the operator's own wall clock. */
export const toLocalInput = (at: number): string => {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
};

/** The instant that such an input means; null where it is empty or wrong. */
export const fromLocalInput = (text: string): number | null => {
  const at = text === "" ? Number.NaN : new Date(text).getTime();
  return Number.isNaN(at) ? null : at;
};
