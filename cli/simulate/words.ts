/** Figures of a simulated sale as people read them, at a terminal and in the report. */

export const people = (count: number): string => Math.round(count).toLocaleString("en");

/** `0.4 s`, `12 s`, `4 min 10 s`, `2 h 5 min`, `1 d 2 h`: rounded to the smaller unit before it is told. */
export const spanText = (ms: number): string => {
  const tenths = Math.round(ms / 100);
  if (tenths < 100) return `${tenths / 10} s`;
  const seconds = Math.round(ms / SECOND);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return inTwo(seconds, 60, "min", "s");
  const minutes = Math.round(ms / MINUTE);
  if (minutes < DAY_MINUTES) return inTwo(minutes, 60, "h", "min");
  return inTwo(Math.round(ms / HOUR), 24, "d", "h");
};

const inTwo = (count: number, each: number, large: string, small: string): string => {
  const rest = count % each;
  const whole = `${Math.floor(count / each)} ${large}`;
  return rest === 0 ? whole : `${whole} ${rest} ${small}`;
};

export const percentText = (share: number): string => `${Math.round(share * 1_000) / 10} %`;

/** A small sale costs something too. */
export const dollarsText = (amount: number): string => {
  if (amount > 0 && amount < 0.01) return "less than $0.01";
  return `$${amount < 100 ? amount.toFixed(2) : people(amount)}`;
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY_MINUTES = 24 * 60;
