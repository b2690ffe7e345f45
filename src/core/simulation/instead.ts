/** The same sale under other settings, for comparison. */
import type { Sale } from "./sale.ts";

export interface Instead {
  readonly name: string;
  readonly sale: Sale;
}

/** A smaller sale is over sooner and goes the same way, as long as enough permits are left. */
const VISITORS_ENOUGH = 100_000;
const PERMITS_ENOUGH = 50;

/** By how much a sale can be made smaller for comparisons. */
export const scaleOf = ({ visitors, limits }: Sale): number =>
  Math.max(1, Math.floor(Math.min(visitors / VISITORS_ENOUGH, limits.permitsMax / PERMITS_ENOUGH)));

const shrunk = (sale: Sale, by: number): Sale => {
  const { limits } = sale;
  const { startsPerMinuteMax, startsPerSecondMax } = limits;
  const fewer = (count: number): number => Math.max(1, Math.round(count / by));
  return {
    ...sale,
    visitors: fewer(sale.visitors),
    limits: {
      ...limits,
      permitsMax: fewer(limits.permitsMax),
      startsPerMinuteMax: fewer(startsPerMinuteMax),
      startsPerSecondMax: startsPerSecondMax === null ? null : fewer(startsPerSecondMax),
    },
  };
};

const meanMsOf = ({ visit }: Sale): number =>
  visit.kind === "around" ? visit.meanMs : (visit.leastMs + visit.mostMs) / 2;

/** As it is first, each smaller by the same scale. */
export const insteadOf = (sale: Sale): readonly Instead[] => {
  const small = shrunk(sale, scaleOf(sale));
  const { limits } = small;
  const permits = (times: number): Sale => ({
    ...small,
    limits: { ...limits, permitsMax: Math.max(1, Math.round(limits.permitsMax * times)) },
  });
  const visitMaxMs = Math.max(1_000, Math.round(meanMsOf(sale)));
  return [
    { name: "as it is", sale: small },
    { name: "half the permits", sale: permits(0.5) },
    { name: "twice the permits", sale: permits(2) },
    {
      name: "twice the starts a minute",
      sale: { ...small, limits: { ...limits, startsPerMinuteMax: limits.startsPerMinuteMax * 2 } },
    },
    { name: "visits end at their mean", sale: { ...small, limits: { ...limits, visitMaxMs } } },
    {
      name: "half the visitors",
      sale: { ...small, visitors: Math.max(1, Math.round(small.visitors / 2)) },
    },
  ];
};
