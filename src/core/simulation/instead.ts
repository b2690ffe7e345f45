/** The same sale under other settings, for comparison. */
import type { RoomLimits } from "../definition.ts";
import { MINUTE_MS } from "../time.ts";
import type { Lengths, Sale } from "./sale.ts";

export interface Instead {
  readonly name: string;
  readonly sale: Sale;
}

/** A smaller sale is over sooner and goes the same way, as long as enough of everything is left. */
const VISITORS_ENOUGH = 100_000;
const PERMITS_ENOUGH = 50;
const STARTS_A_MINUTE_ENOUGH = 50;
/** Of fewer, rounding would change too much. */
const STARTS_A_MINUTE_TOLD = 10;

/** Both limits as one, which can be made smaller without being rounded to nothing. */
const startsPerMinuteOf = ({ startsPerMinuteMax, startsPerSecondMax }: RoomLimits): number =>
  Math.min(startsPerMinuteMax, startsPerSecondMax === null ? Infinity : startsPerSecondMax * 60);

/** By how much a sale can be made smaller for comparisons. */
export const scaleOf = ({ visitors, limits }: Sale): number => {
  const by = [
    visitors / VISITORS_ENOUGH,
    limits.permitsMax / PERMITS_ENOUGH,
    startsPerMinuteOf(limits) / STARTS_A_MINUTE_ENOUGH,
  ];
  return Math.max(1, Math.floor(Math.min(...by)));
};

const fewer = (count: number, by: number): number => Math.max(1, Math.round(count / by));

const limitsBy = (limits: RoomLimits, by: number): RoomLimits => ({
  ...limits,
  permitsMax: fewer(limits.permitsMax, by),
  lineMax: fewer(limits.lineMax, by),
  startsPerMinuteMax: fewer(startsPerMinuteOf(limits), by),
  startsPerSecondMax: null,
});

const shrunk = (sale: Sale, by: number): Sale =>
  by === 1
    ? sale
    : {
        ...withLimits(sale, (limits) => limitsBy(limits, by)),
        visitors: fewer(sale.visitors, by),
      };

/** Also after its event's end. */
const withLimits = (sale: Sale, change: (limits: RoomLimits) => RoomLimits): Sale => {
  const { limits, opening } = sale;
  const ends = opening?.ends ?? null;
  return {
    ...sale,
    limits: change(limits),
    opening:
      opening === null || ends === null
        ? opening
        : { ...opening, ends: { ...ends, limits: change(ends.limits) } },
  };
};

const meanMsOf = (lengths: Lengths): number =>
  lengths.kind === "around" ? lengths.meanMs : (lengths.leastMs + lengths.mostMs) / 2;

/** How many start in a minute when all permits are out, and nothing else is in the way. */
const flowOf = ({ limits, visit, claim, toldShare }: Sale): number => {
  const heldMs = meanMsOf(visit) + meanMsOf(claim) + (1 - toldShare) * limits.leaseMs;
  return (limits.permitsMax * MINUTE_MS) / heldMs;
};

/** Two digits say enough of a number that nobody has set. */
const roundish = (count: number): number => {
  const digit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.max(1, Math.round(count / digit) * digit);
};

/** As it is first, each smaller by the same scale. What would change nothing is left out. */
export const insteadOf = (sale: Sale): readonly Instead[] => {
  const by = scaleOf(sale);
  const small = shrunk(sale, by);
  const permits = (times: number) => (limits: RoomLimits) => ({
    ...limits,
    permitsMax: Math.max(1, Math.round(limits.permitsMax * times)),
  });
  const starts = (most: number) => (limits: RoomLimits) => ({
    ...limits,
    startsPerMinuteMax: Math.max(1, Math.round(most)),
    startsPerSecondMax: null,
  });
  const now = startsPerMinuteOf(small.limits);
  const given = startsPerMinuteOf(sale.limits);
  // A limit that nobody can reach has no half.
  const gentler = roundish(flowOf(sale) / 2);
  const isGentlerTold = by === 1 || gentler / by >= STARTS_A_MINUTE_TOLD;
  const visitMaxMs = Math.min(
    Math.max(1_000, Math.round(meanMsOf(sale.visit))),
    sale.limits.visitMaxMs ?? Infinity,
  );
  const others: Instead[] = [
    { name: "half the permits", sale: withLimits(small, permits(0.5)) },
    { name: "twice the permits", sale: withLimits(small, permits(2)) },
    ...(given < sale.visitors
      ? [
          { name: "half the starts a minute", sale: withLimits(small, starts(now / 2)) },
          { name: "twice the starts a minute", sale: withLimits(small, starts(now * 2)) },
        ]
      : !isGentlerTold
        ? []
        : [
            {
              name: `${gentler.toLocaleString("en")} start${gentler === 1 ? "" : "s"} a minute`,
              sale: withLimits(small, starts(gentler / by)),
            },
          ]),
    {
      name: "visits cut at their mean",
      sale: withLimits(small, (limits) => ({ ...limits, visitMaxMs })),
    },
    { name: "half the visitors", sale: { ...small, visitors: fewer(small.visitors, 2) } },
  ];
  const isOther = ({ sale: { visitors, limits } }: Instead): boolean =>
    visitors !== small.visitors ||
    LIMITS_CHANGED.some((name) => limits[name] !== small.limits[name]);
  return [{ name: "as it is", sale: small }, ...others.filter(isOther)];
};

const LIMITS_CHANGED = ["permitsMax", "startsPerMinuteMax", "visitMaxMs"] as const;
