/** As Cloudflare words them for its templates: in English. */
export const minutesInWords = (wholeMinutes: number): string => {
  const hours = Math.floor(wholeMinutes / 60);
  const rest = wholeMinutes % 60;
  const parts = [count(hours, "hour"), count(rest, "minute")].filter((part) => part !== "");
  return parts.length === 0 ? "0 minutes" : parts.join(" ");
};

const count = (amount: number, unit: string): string =>
  amount === 0 ? "" : `${amount} ${unit}${amount === 1 ? "" : "s"}`;
