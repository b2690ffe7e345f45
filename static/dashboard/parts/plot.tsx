import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { axisTime } from "../text/format.ts";

/** Told apart by colour, by the pattern of the line, and by its name. */
export interface PlotSeries {
  readonly label: string;
  readonly colour: "blue" | "orange" | "green" | "plum" | "soft";
  readonly dash?: readonly number[];
  readonly isFilled?: boolean;
  readonly isStepped?: boolean;
}

interface PlotProps {
  readonly title: string;
  readonly series: readonly PlotSeries[];
  /** Seconds, rising. */
  readonly times: readonly number[];
  readonly columns: readonly (readonly (number | null)[])[];
  readonly format: (value: number | null) => string;
  readonly timeFormat: (at: number) => string;
  /** On the axis, where there is less room. */
  readonly axisFormat?: (value: number | null) => string;
  readonly height?: number;
}

/** How many rows the plot's table has: enough to read the course from. */
const TABLE_ROWS = 12;

export const Plot = (props: PlotProps) => {
  const { title, series, times, columns, format, timeFormat, height = 170 } = props;
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const heading = useId();
  const axisFormat = useRef(props.axisFormat ?? format);
  axisFormat.current = props.axisFormat ?? format;
  const names = series.map(({ label }) => label).join();
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return;
    const options = optionsOf(
      element,
      series,
      height,
      (value) => axisFormat.current(value),
      setPointed,
    );
    const made = new uPlot(options, dataOf(times, columns), element);
    plot.current = made;
    const resized = new ResizeObserver(() => {
      if (element.clientWidth > 0) made.setSize({ width: element.clientWidth, height });
    });
    resized.observe(element);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const recolour = (): void => made.redraw(false);
    scheme.addEventListener("change", recolour);
    return () => {
      resized.disconnect();
      scheme.removeEventListener("change", recolour);
      made.destroy();
    };
  }, [names, height]);
  useEffect(() => plot.current?.setData(dataOf(times, columns)), [times, columns]);
  const shown = pointed !== null && pointed < times.length ? pointed : times.length - 1;
  return (
    <figure class="plot" aria-labelledby={heading}>
      <figcaption>
        <h3 id={heading}>{title}</h3>
        <ul class="legend">
          {series.map((one, index) => (
            <li key={one.label}>
              <svg viewBox="0 0 26 8" aria-hidden="true">
                <path
                  d="M0 4H26"
                  class={`line-${one.colour}`}
                  stroke-dasharray={one.dash?.join(" ")}
                />
              </svg>
              {one.label} <b>{format(columns[index]?.[shown] ?? null)}</b>
            </li>
          ))}
        </ul>
        <p class="soft at">
          {times.length === 0 ? "Nothing yet" : timeFormat((times[shown] ?? 0) * 1_000)}
        </p>
      </figcaption>
      <div ref={host} class="canvas" style={{ height: `${height}px` }} aria-hidden="true" />
      <details>
        <summary>{title} as a table</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label={`${title}, table`}>
          <PlotTable {...props} />
        </div>
      </details>
    </figure>
  );
};

const PlotTable = ({ series, times, columns, format, timeFormat }: PlotProps) => {
  const step = Math.max(1, Math.ceil(times.length / TABLE_ROWS));
  const rows = times
    .map((_, index) => index)
    .filter((index) => (times.length - 1 - index) % step === 0);
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Time</th>
          {series.map(({ label }) => (
            <th key={label} scope="col" class="n">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((index) => (
          <tr key={index}>
            <th scope="row">{timeFormat((times[index] ?? 0) * 1_000)}</th>
            {series.map(({ label }, column) => (
              <td key={label} class="n">
                {format(columns[column]?.[index] ?? null)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const dataOf = (times: PlotProps["times"], columns: PlotProps["columns"]): uPlot.AlignedData =>
  [[...times], ...columns.map((column) => [...column])] as uPlot.AlignedData;

const optionsOf = (
  element: HTMLElement,
  series: readonly PlotSeries[],
  height: number,
  format: (value: number) => string,
  onPointed: (index: number | null) => void,
): uPlot.Options => {
  const colour = (name: string): string => colourIn(element, name);
  const axis = {
    stroke: () => colour("soft"),
    font: "11px system-ui, sans-serif",
    grid: { stroke: () => colour("rule"), width: 1 },
    ticks: { show: false },
  };
  return {
    width: Math.max(1, element.clientWidth),
    height,
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: { x: { time: true }, y: { range: (_, __, max) => [0, Math.max(1, max * 1.08)] } },
    axes: [
      { ...axis, values: CLOCK, space: 64, size: 26 },
      {
        ...axis,
        size: 52,
        space: 28,
        values: (_, splits) => splits.map((value) => format(value)),
      },
    ],
    series: [
      {},
      ...series.map((one): uPlot.Series => ({
        label: one.label,
        stroke: () => colour(one.colour),
        width: one.colour === "soft" ? 1.25 : 1.75,
        points: { show: false },
        ...(one.dash === undefined ? {} : { dash: [...one.dash] }),
        ...(one.isFilled === true ? { fill: () => `${colour(one.colour)}22` } : {}),
        ...(one.isStepped === true && uPlot.paths.stepped !== undefined
          ? { paths: uPlot.paths.stepped({ align: 1 }) }
          : {}),
      })),
    ],
    hooks: { setCursor: [({ cursor }) => onPointed(cursor.idx ?? null)] },
  };
};

/** Times of day; days where steps are whole days, and at each midnight between. */
const CLOCK: uPlot.Axis.DynamicValues = (_, splits, __, ___, step) =>
  splits.map((at) => axisTime(at * 1_000, step));

/** As the browser computes it for the scheme in use: a canvas knows no light-dark(). */
const colourIn = (element: HTMLElement, name: string): string => {
  element.style.color = `var(--${name})`;
  const [red = 0, green = 0, blue = 0] = (
    getComputedStyle(element).color.match(/[\d.]+/g) ?? []
  ).map(Number);
  element.style.color = "";
  return `#${[red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
};
