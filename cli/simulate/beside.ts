/** What really was, drawn beside a simulated course. */
import type { SalePoint } from "../../src/core/simulation/sale.ts";

/** The most of a span that begins here and lasts until the next point; the last one is the end. */
export interface RealPoint {
  readonly atMs: number;
  readonly waiting: number;
  readonly visiting: number;
}

/** How many more points a course gets where what really was lasted longer. */
const MORE_POINTS_MAX = 200;

export interface BothCourses {
  readonly simulated: readonly SalePoint[];
  /** As many, at the same moments. */
  readonly really: readonly RealPoint[];
}

/** Both until the later of their ends. After its own end each of them is empty. */
export const bothCourses = (
  course: readonly SalePoint[],
  really: readonly RealPoint[],
): BothCourses => {
  const simulated = [...course, ...afterwards(course, really.at(-1)?.atMs ?? 0)];
  let from = 0;
  return {
    simulated,
    really: simulated.map(({ atMs }, at): RealPoint => {
      const untilMs = simulated[at + 1]?.atMs ?? atMs + 1;
      while ((really[from + 1]?.atMs ?? Infinity) <= atMs) from += 1;
      let [waiting, visiting] = [0, 0];
      for (let i = from; (really[i]?.atMs ?? Infinity) < untilMs; i += 1) {
        waiting = Math.max(waiting, really[i]?.waiting ?? 0);
        visiting = Math.max(visiting, really[i]?.visiting ?? 0);
      }
      return { atMs, waiting, visiting };
    }),
  };
};

const afterwards = (course: readonly SalePoint[], untilMs: number): SalePoint[] => {
  const last = course.at(-1);
  const [fromMs, entered] = [last?.atMs ?? 0, last?.entered ?? 0];
  if (untilMs <= fromMs) return [];
  const count = Math.min(MORE_POINTS_MAX, Math.ceil((untilMs - fromMs) / 60_000));
  return Array.from({ length: count }, (_, at) => ({
    atMs: fromMs + ((at + 1) / count) * (untilMs - fromMs),
    ...{ waiting: 0, visiting: 0, entered },
  }));
};
