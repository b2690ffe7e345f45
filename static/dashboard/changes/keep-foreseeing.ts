/** Runs two courses ahead in slices, and again as the room goes on, one run at a time. */
import type { ForecastPoint } from "../../../src/core/forecast/course.ts";
import type { Courses } from "./foresee.ts";

/** Of the browser's time at a go, so that the page stays quick. */
const SLICE_MS = 12;
/** After a run has ended. A room that has sent nothing since is not run again. */
export const AGAIN_AFTER_MS = 3_000;

/**
 * Tells the first run as it comes, and later ones when they are whole, so that nothing on the page
 * jumps back. Gives what ends it.
 */
export const keepForeseeing = <Outset>(
  latest: () => Outset,
  coursesFrom: (outset: Outset) => readonly Iterator<ForecastPoint>[],
  tell: (courses: Courses) => void,
): (() => void) => {
  let timer: ReturnType<typeof setTimeout>;
  const later = (work: () => void, ms: number): void => {
    timer = setTimeout(work, ms);
  };

  const run = (outset: Outset, isFirst: boolean): void => {
    const courses = coursesFrom(outset);
    const points: readonly ForecastPoint[][] = courses.map(() => []);
    const slice = (): void => {
      const until = performance.now() + SLICE_MS;
      let isDone = false;
      while (!isDone && performance.now() < until)
        isDone = courses
          .map((course, index) => advance(course, points[index] ?? []))
          .every(Boolean);
      const [present = [], changed = []] = points;
      if (isDone || isFirst) tell({ present: [...present], changed: [...changed] });
      if (isDone) later(() => runIfNewer(outset), AGAIN_AFTER_MS);
      else later(slice, 0);
    };
    later(slice, 0);
  };

  const runIfNewer = (before: Outset): void => {
    const outset = latest();
    if (outset === before) later(() => runIfNewer(before), AGAIN_AFTER_MS);
    else run(outset, false);
  };

  run(latest(), true);
  return () => clearTimeout(timer);
};

/** True: there are no more. */
const advance = (run: Iterator<ForecastPoint>, points: ForecastPoint[]): boolean => {
  const next = run.next();
  if (next.done !== true) points.push(next.value);
  return next.done === true;
};
