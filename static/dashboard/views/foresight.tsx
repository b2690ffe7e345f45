import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ForecastChange, ForecastPoint } from "../../../src/core/forecast/course.ts";
import { forecastCourse } from "../../../src/core/forecast/forecast.ts";
import type { ForecastOutset } from "../../../src/core/forecast/outset.ts";
import type { LiveMessage } from "../../../src/core/live/message.ts";
import type { Act } from "../changes/acts.ts";
import { courseColumns, courseWords, type Courses } from "../changes/foresee.ts";
import { keepForeseeing } from "../changes/keep-foreseeing.ts";
import { Plot, type PlotSeries } from "../parts/plot.tsx";
import { count, shortSpan, span, timeOf } from "../text/format.ts";

interface ForesightProps {
  readonly message: LiveMessage | null;
  readonly act: Act;
}

const HORIZON_MS = 30 * 60_000;
const POINTS = 30;
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

/** From the room as it stands; with each change anew, and as the room goes on. */
const useCourses = (outset: ForecastOutset, change: ForecastChange): Courses => {
  const [courses, setCourses] = useState(NONE);
  const latest = useRef(outset);
  latest.current = outset;
  const key = JSON.stringify(change);
  useEffect(() => keepForeseeing(() => latest.current, coursesWith(change), setCourses), [key]);
  return courses;
};

const coursesWith =
  (change: ForecastChange) =>
  (outset: ForecastOutset): readonly Iterator<ForecastPoint>[] => {
    const asked = { horizonMs: HORIZON_MS, points: POINTS };
    return [forecastCourse(outset, asked), forecastCourse(outset, { ...asked, change })];
  };
