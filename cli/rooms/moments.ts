/** Times as people at a terminal write and read them: by the clock of this machine. */

const LOCAL = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d))?$/;

const padded = (number: number, digits = 2): string => String(number).padStart(digits, "0");

/** `2026-11-28T20:00` as RFC 3339 with the offset that this machine has then; null for any other text. */
export const momentText = (text: string): string | null => {
  const parts = LOCAL.exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (parts === undefined) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const at = new Date(year, month - 1, day, hour, minute, second);
  const isOne = at.getMonth() === month - 1 && at.getDate() === day && at.getHours() === hour;
  return isOne
    ? `${wallTime(at)}:${padded(at.getSeconds())}${offsetOf(at)}`.replace(" ", "T")
    : null;
};

/** `2026-11-28 20:00` by this machine's clock. */
export const localText = (moment: string): string => {
  const at = new Date(moment.toUpperCase());
  return Number.isNaN(at.getTime()) ? moment : wallTime(at);
};

const wallTime = (at: Date): string =>
  `${padded(at.getFullYear(), 4)}-${padded(at.getMonth() + 1)}-${padded(at.getDate())} ` +
  `${padded(at.getHours())}:${padded(at.getMinutes())}`;

const offsetOf = (at: Date): string => {
  const minutes = -at.getTimezoneOffset();
  const away = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${padded(Math.floor(away / 60))}:${padded(away % 60)}`;
};
