import { useMemo, useState } from "preact/hooks";
import type { MinuteResource } from "../../../src/api/rooms/history.ts";
import type { HistoryStep } from "../../../src/core/room/history-steps.ts";
import { historyFile, readHistory } from "../client/rooms-api.ts";
import { useAsked } from "../client/use-asked.ts";
import { enteredIn } from "../live/history-columns.ts";
import { FailureNotice, Notice } from "../parts/notice.tsx";
import { useSession } from "../session.ts";
import { count, dayTimeOf, percent, span } from "../text/format.ts";
import { HistoryPlots } from "./plots.tsx";

interface RecordedSpan {
  readonly label: string;
  readonly minutes: number;
  readonly step: HistoryStep;
}

const HOUR: RecordedSpan = { label: "Hour", minutes: 60, step: "minute" };
const SPANS: readonly RecordedSpan[] = [
  HOUR,
  { label: "Day", minutes: 1_440, step: "hour" },
  { label: "Week", minutes: 10_080, step: "hour" },
  { label: "45 days", minutes: 64_800, step: "day" },
];

/** What happened, as it is kept: as plots, as a table, and as a file. */
export const RecordView = ({
  room,
  roomName,
}: {
  readonly room: string;
  readonly roomName: string;
}) => {
  const { client, tell } = useSession();
  const [shown, setShown] = useState(HOUR);
  const save = async (step: HistoryStep): Promise<void> => {
    const file = await historyFile(client, room, shown.minutes, step);
    if (file === null) tell("The file could not be had. Try again.", "failed");
    else download(file, `${roomName}-${shown.label.toLowerCase().replace(" ", "-")}.csv`);
  };
  return (
    <section class="card">
      <div class="bar">
        <h2>Record</h2>
        <div class="choice" role="group" aria-label="How far back">
          {SPANS.map((one) => (
            <button
              key={one.label}
              type="button"
              aria-pressed={shown === one}
              onClick={() => setShown(one)}
            >
              {one.label}
            </button>
          ))}
        </div>
        <button type="button" class="aside" onClick={() => void save(shown.step)}>
          Download as CSV, by the {shown.step}
        </button>
      </div>
      <HistoryPlots key={shown.label} room={room} minutes={shown.minutes} step={shown.step} />
      <RecordTable key={`table-${shown.label}`} room={room} {...shown} />
    </section>
  );
};

/** A minute is too fine for a table. */
const TABLE_ROWS_MAX = 48;

const RecordTable = ({ room, minutes, step }: RecordedSpan & { readonly room: string }) => {
  const { client } = useSession();
  const { value, failure } = useAsked(
    `record/${room}/${minutes}/${step}`,
    () => readHistory(client, room, minutes, step),
    null,
  );
  const rows = useMemo(() => (value?.minutes ?? []).toReversed().slice(0, TABLE_ROWS_MAX), [value]);
  if (value !== null && rows.length === 0)
    return <Notice kind="told">Nothing happened in this time.</Notice>;
  return (
    <>
      <FailureNotice failure={failure} />
      <div class="scroll recorded" tabIndex={0} role="region" aria-label="The record as a table">
        <table>
          <thead>
            <tr>
              <th scope="col">From</th>
              {COLUMNS.map(([label]) => (
                <th key={label} scope="col" class="n">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.minute}>
                <th scope="row">{dayTimeOf(Date.parse(row.minute))}</th>
                {COLUMNS.map(([label, of]) => (
                  <td key={label} class="n">
                    {of(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};

const COLUMNS: readonly (readonly [string, (row: MinuteResource) => string])[] = [
  ["Arrived", (row) => count(row.arrivals)],
  ["Joined", (row) => count(row.joined)],
  ["Entered", (row) => count(enteredIn(row))],
  ["Left", (row) => count(row.left)],
  ["Missed", (row) => count(row.missed)],
  ["Finished", (row) => count(row.finished)],
  ["Ran out", (row) => count(row.expired)],
  ["Revoked", (row) => count(row.revoked)],
  ["Refused", (row) => count(row.refused)],
  ["Median wait", (row) => span(row.wait_p50_seconds)],
  ["90 of 100", (row) => span(row.wait_p90_seconds)],
  ["99 of 100", (row) => span(row.wait_p99_seconds)],
  ["Foretold right", (row) => percent(row.waits_within_range / row.waits_checked)],
  ["Most waiting", (row) => count(row.waiting_max)],
  ["Most inside", (row) => count(row.out_max)],
  ["Origin errors", (row) => count(row.origin_errors)],
];

const download = (file: Blob, name: string): void => {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};
