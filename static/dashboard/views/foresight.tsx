import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { ForecastChange, ForecastPoint } from "../../../src/core/forecast/course.ts";
import { forecastCourse } from "../../../src/core/forecast/forecast.ts";
import type { ForecastOutset } from "../../../src/core/forecast/outset.ts";
import type { LiveMessage } from "../../../src/core/live/message.ts";
import type { Act } from "../changes/acts.ts";
import { courseColumns, courseWords, type Courses } from "../changes/foresee.ts";
import { Plot, type PlotSeries } from "../parts/plot.tsx";
import { count, shortSpan, span, timeOf } from "../text/format.ts";

interface ForesightProps {
  readonly message: LiveMessage | null;
  readonly act: Act;
}

const HORIZON_MS = 30 * 60_000;
const POINTS = 30;
/** Of the browser's time at a go, so that the page stays quick. */
const SLICE_MS = 12;
const PLOT_HEIGHT = 120;

const SERIES: readonly PlotSeries[] = [
  { label: "As it is", colour: "blue", dash: [7, 3] },
  { label: "After it", colour: "orange" },
];
const NONE: Courses = { present: [], changed: [] };

/** What the act says, and what it would lead to beside what comes without it. */
export const Foresight = ({ message, act }: ForesightProps) => (
  <>
    <ul class="says">
      {act.says.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
    {foreseen(message, act)}
  </>
);

/** For the question before the act; nothing where nothing can be foretold. */
export const foreseen = (message: LiveMessage | null, act: Act): ComponentChildren =>
  message === null || act.foresees === null ? null : (
    <CoursesShown outset={message.outset} change={act.foresees} />
  );

interface CoursesProps {
  readonly outset: ForecastOutset;
  readonly change: ForecastChange;
}

const CoursesShown = ({ outset, change }: CoursesProps) => {
  const courses = useCourses(outset, change);
  const { times, waiting, wait } = useMemo(() => courseColumns(courses), [courses]);
  const words = courseWords(courses);
  return (
    <div class="foresight">
      <p class="soft">
        The room's own rules, run ahead from now: this is what they lead to if people go on coming
        as they do.
      </p>
      <Plot
        title="Waiting"
        series={SERIES}
        times={times}
        columns={waiting}
        format={(value) => count(value === null ? null : Math.round(value))}
        timeFormat={timeOf}
        height={PLOT_HEIGHT}
      />
      <Plot
        title="Wait of who joins"
        series={SERIES}
        times={times}
        columns={wait}
        format={span}
        axisFormat={shortSpan}
        timeFormat={timeOf}
        height={PLOT_HEIGHT}
      />
      <ul class="says foretold">
        {words.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
};

/** From the room as it stood when the change was thought of: it runs once for each change. */
const useCourses = (outset: ForecastOutset, change: ForecastChange): Courses => {
  const [courses, setCourses] = useState(NONE);
  const key = JSON.stringify(change);
  useEffect(() => runBoth(outset, change, setCourses), [key]);
  return courses;
};

const runBoth = (
  outset: ForecastOutset,
  change: ForecastChange,
  tell: (courses: Courses) => void,
): (() => void) => {
  const asked = { horizonMs: HORIZON_MS, points: POINTS };
  const runs = [forecastCourse(outset, asked), forecastCourse(outset, { ...asked, change })];
  const points: ForecastPoint[][] = [[], []];
  let timer = 0;
  const slice = (): void => {
    const until = performance.now() + SLICE_MS;
    let isDone = false;
    while (!isDone && performance.now() < until)
      isDone = runs.map((run, index) => advance(run, points[index] ?? [])).every(Boolean);
    const [present = [], changed = []] = points;
    tell({ present: [...present], changed: [...changed] });
    if (!isDone) timer = setTimeout(slice, 0);
  };
  timer = setTimeout(slice, 0);
  return () => clearTimeout(timer);
};

/** True: there are no more. */
const advance = (run: Iterator<ForecastPoint>, points: ForecastPoint[]): boolean => {
  const next = run.next();
  if (next.done !== true) points.push(next.value);
  return next.done === true;
};
