import { instant, type InstantMs } from "../../core/time.ts";

const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** The instant of an RFC 3339 text, by the millisecond; null where it is none, such as 30 February. */
export const momentOf = (text: string): InstantMs | null => {
  const [, year = "", month = "", day = ""] = RFC_3339.exec(text) ?? [];
  const dayOf = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (year === "" || dayOf.toISOString().slice(0, 10) !== `${year}-${month}-${day}`) return null;
  const at = Date.parse(text.toUpperCase());
  return Number.isNaN(at) ? null : instant(Math.floor(at));
};
