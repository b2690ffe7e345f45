/** Costs over sizes: how steep they are, and a drawing of them. */

export interface Point {
  readonly size: number;
  readonly cost: number;
}

export interface Curve {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly Point[];
}

/** The power of the size with which a cost grows: least squares over both logarithms. */
export const exponentOf = (points: readonly Point[]): number => {
  const logs = points.map(({ size, cost }) => [Math.log(size), Math.log(cost)] as const);
  const mean = (at: 0 | 1): number => logs.reduce((sum, log) => sum + log[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const over = logs.reduce((sum, log) => sum + (log[0] - x) * (log[1] - y), 0);
  return over / logs.reduce((sum, log) => sum + (log[0] - x) ** 2, 0);
};

const PANEL = { width: 300, height: 170, left: 46, right: 12, top: 40, bottom: 26 };
const COLUMNS = 3;

const decades = (values: readonly number[]): readonly [number, number] => {
  const low = Math.floor(Math.log10(Math.min(...values)));
  return [low, Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)) + 1e-9))];
};

const POWERS = ["1", "10", "100", "1k", "10k", "100k", "1M", "10M"];
const costWord = (power: number): string =>
  power >= 0 ? (POWERS[power] ?? `1e${power}`) : (10 ** power).toFixed(-power);

const panelOf = ({ name, unit, points }: Curve, at: number): string => {
  const { width, height, left, right, top, bottom } = PANEL;
  const sizes = decades(points.map(({ size }) => size));
  const costs = decades(points.map(({ cost }) => cost));
  const scale = (value: number, [low, high]: readonly [number, number]): number =>
    (Math.log10(value) - low) / (high - low);
  const x = (size: number): string =>
    (left + scale(size, sizes) * (width - left - right)).toFixed(1);
  const y = (cost: number): string =>
    (height - bottom - scale(cost, costs) * (height - top - bottom)).toFixed(1);
  const lines: string[] = [];
  for (let power = costs[0]; power <= costs[1]; power += 1) {
    const height = y(10 ** power);
    lines.push(
      `<line x1="${left}" x2="${width - right}" y1="${height}" y2="${height}"/>`,
      `<text class="cost" x="${left - 6}" y="${height}">${costWord(power)}</text>`,
    );
  }
  for (let power = sizes[0]; power <= sizes[1]; power += 1)
    lines.push(
      `<text class="size" x="${x(10 ** power)}" y="${height - 8}">${POWERS[power] ?? ""}</text>`,
    );
  const path = points.map(({ size, cost }) => `${x(size)},${y(cost)}`).join(" ");
  const dots = points.map(({ size, cost }) => `<circle cx="${x(size)}" cy="${y(cost)}" r="3"/>`);
  const place = `translate(${(at % COLUMNS) * width} ${Math.floor(at / COLUMNS) * height})`;
  return (
    `<g transform="${place}"><text class="name" x="${left - 30}" y="18">${name}</text>` +
    `<text class="unit" x="${left - 30}" y="32">${unit}, power ${exponentOf(points).toFixed(2)}</text>` +
    `${lines.join("")}<polyline points="${path}"/>${dots.join("")}</g>`
  );
};

/** One panel for each curve, both axes by powers of ten; readable in light and dark. */
export const drawingOf = (curves: readonly Curve[]): string => {
  const width = COLUMNS * PANEL.width;
  const height = Math.ceil(curves.length / COLUMNS) * PANEL.height;
  const style =
    "text{font:11px system-ui,sans-serif;fill:#57606a}.name{font-weight:600;font-size:12px;fill:#1f2328}" +
    ".cost{text-anchor:end;dominant-baseline:middle}.size{text-anchor:middle}line{stroke:#d0d7de}" +
    "polyline{fill:none;stroke:#0b62d6;stroke-width:2}circle{fill:#0b62d6}rect{fill:#fff}" +
    "@media(prefers-color-scheme:dark){text{fill:#9da7b3}.name{fill:#e6edf3}line{stroke:#30363d}" +
    "polyline{stroke:#6cb0ff}circle{fill:#6cb0ff}rect{fill:#0d1117}}";
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" ` +
    `aria-label="Costs over sizes; the table is in RESULTS.md"><style>${style}</style>` +
    `<rect width="${width}" height="${height}"/>${curves.map(panelOf).join("\n")}</svg>\n`
  );
};
