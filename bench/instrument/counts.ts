/** What the platform would write on the bill, by name. One isolate: objects and Worker share it. */
const counts: Record<string, number> = {};

export const count = (name: string, by = 1): void => {
  counts[name] = (counts[name] ?? 0) + by;
};

export const countsSoFar = (): Readonly<Record<string, number>> => ({ ...counts });
