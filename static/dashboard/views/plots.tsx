import { useMemo, useState } from "preact/hooks";
import type { MinuteResource } from "../../../src/api/rooms/history.ts";
import type { HistoryStep } from "../../../src/core/room/history-steps.ts";
import { readHistory } from "../client/rooms-api.ts";
import { useAsked } from "../client/use-asked.ts";
import { columnsOf, type LivePoint } from "../live/series.ts";
import { historyColumns } from "../live/history-columns.ts";
import { FailureNotice } from "../parts/notice.tsx";
import { Plot, type PlotSeries } from "../parts/plot.tsx";
import { useSession } from "../session.ts";
import { count, dayTimeOf, shortSpan, span, timeOf } from "../text/format.ts";

const SPANS = [
  ["live", "10 minutes"],
  ["60", "Hour"],
  ["1440", "Day"],
] as const;
type ShownSpan = (typeof SPANS)[number][0];

const HISTORY_EVERY_MS = 30_000;
const PEOPLE: readonly PlotSeries[] = [
  { label: "Waiting", colour: "blue", isFilled: true },
  { label: "On the site", colour: "green", dash: [7, 3] },
  { label: "Limit", colour: "soft", dash: [2, 3], isStepped: true },
];
const ENTRIES: readonly PlotSeries[] = [
  { label: "Entered in 60 s", colour: "orange", isFilled: true },
];
const WAITS: readonly PlotSeries[] = [
  { label: "End of the line", colour: "plum" },
  { label: "Middle", colour: "blue", dash: [7, 3] },
  { label: "Head", colour: "green", dash: [2, 3] },
];

export const Plots = ({
  room,
  points,
}: {
  readonly room: string;
  readonly points: readonly LivePoint[];
}) => {
  const [shown, setShown] = useState<ShownSpan>("live");
  return (
    <section class="plots card">
      <div class="bar">
        <h2>Course</h2>
        <div class="choice" role="group" aria-label="How far back">
          {SPANS.map(([value, label]) => (
            <button
              key={value}
              type="button"
              aria-pressed={shown === value}
              onClick={() => setShown(value)}
            >
              {label}
            </button>
          ))}
        </div>
      </div>
      {shown === "live" ? (
        <LivePlots points={points} />
      ) : (
        <HistoryPlots key={shown} room={room} minutes={Number(shown)} />
      )}
    </section>
  );
};

const LivePlots = ({ points }: { readonly points: readonly LivePoint[] }) => {
  const people = useMemo(() => columnsOf(points, ["waiting", "visiting", "permits"]), [points]);
  const entries = useMemo(() => columnsOf(points, ["perMinute"]), [points]);
  const waits = useMemo(() => columnsOf(points, ["end", "middle", "head"]), [points]);
  return (
    <div class="grid">
      <Plot title="People" series={PEOPLE} {...people} format={count} timeFormat={timeOf} />
      <Plot
        title="Expected wait"
        series={WAITS}
        {...waits}
        format={span}
        axisFormat={shortSpan}
        timeFormat={timeOf}
      />
      <Plot title="Entries" series={ENTRIES} {...entries} format={count} timeFormat={timeOf} />
    </div>
  );
};

const MINUTE_PEOPLE: readonly PlotSeries[] = [
  { label: "Most waiting", colour: "blue", isFilled: true },
  { label: "Most on the site", colour: "green", dash: [7, 3] },
];
const MINUTE_ENTRIES: readonly PlotSeries[] = [
  { label: "Entered", colour: "orange", isFilled: true },
  { label: "Numbers taken", colour: "blue", dash: [7, 3] },
  { label: "Calls missed", colour: "plum", dash: [2, 3] },
];
const MINUTE_WAITS: readonly PlotSeries[] = [
  { label: "99 of 100", colour: "plum", dash: [2, 3] },
  { label: "90 of 100", colour: "blue", dash: [7, 3] },
  { label: "Median", colour: "green" },
];

interface HistoryPlotsProps {
  readonly room: string;
  readonly minutes: number;
  readonly step?: HistoryStep;
}

export const HistoryPlots = ({ room, minutes, step = "minute" }: HistoryPlotsProps) => {
  const { client } = useSession();
  const { value, failure } = useAsked(
    `history/${room}/${minutes}/${step}`,
    () => readHistory(client, room, minutes, step),
    HISTORY_EVERY_MS,
  );
  const rows = value?.minutes ?? NO_ROWS;
  const columns = useMemo(
    () => historyColumns(rows, minutes, step, Date.now()),
    [rows, minutes, step],
  );
  return (
    <>
      <FailureNotice failure={failure} />
      <div class="grid">
        <Plot
          title={`People, by the ${step}`}
          series={MINUTE_PEOPLE}
          times={columns.times}
          columns={columns.people}
          format={count}
          timeFormat={dayTimeOf}
        />
        <Plot
          title="Waits that ended"
          series={MINUTE_WAITS}
          times={columns.times}
          columns={columns.waits}
          format={span}
          axisFormat={shortSpan}
          timeFormat={dayTimeOf}
        />
        <Plot
          title={`Entries, by the ${step}`}
          series={MINUTE_ENTRIES}
          times={columns.times}
          columns={columns.entries}
          format={count}
          timeFormat={dayTimeOf}
        />
      </div>
    </>
  );
};

const NO_ROWS: readonly MinuteResource[] = [];
