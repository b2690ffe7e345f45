/**
 * Metrics as text: OpenMetrics 1.0 (https://prometheus.io/docs/specs/om/open_metrics_spec/), and the
 * older text format of Prometheus (0.0.4) for whoever asks for no other.
 */

export type Labels = Readonly<Record<string, string>>;

/** One value of a family. */
export interface Reading {
  readonly labels: Labels;
  readonly value: number;
}

/** How many were up to each bound, and how many there were. */
export interface BucketReading {
  readonly labels: Labels;
  /** Rising; each counts those before it too. */
  readonly upTo: readonly { readonly bound: number; readonly count: number }[];
  readonly count: number;
  /** Null where it is not known. */
  readonly sum: number | null;
}

/** How a family is called, and what it says. */
export interface FamilyName {
  /** Without `_total` and `_info`. */
  readonly name: string;
  readonly help: string;
  /** The last word of the name. */
  readonly unit?: "seconds";
}

export type Family =
  | (FamilyName & {
      readonly type: "gauge" | "counter" | "info" | "stateset";
      readonly readings: readonly Reading[];
    })
  | (FamilyName & { readonly type: "histogram"; readonly readings: readonly BucketReading[] });

export const METRICS_FORMATS = {
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
  prometheus: "text/plain; version=0.0.4; charset=utf-8",
} as const;
export type MetricsFormat = keyof typeof METRICS_FORMATS;

/** What the older format calls what it has no type for. */
const PLAIN_TYPES = {
  gauge: "gauge",
  counter: "counter",
  histogram: "histogram",
  info: "gauge",
  stateset: "gauge",
} as const satisfies Record<Family["type"], string>;

const SUFFIXES = { counter: "_total", info: "_info", gauge: "", stateset: "" } as const;

/** The families in their order, each once; one without readings is left out. */
export const exposition = (families: readonly Family[], format: MetricsFormat): string => {
  const told = families.filter(({ readings }) => readings.length > 0);
  const lines = told.flatMap((family) => [...headOf(family, format), ...linesOf(family)]);
  if (format === "openmetrics") lines.push("# EOF");
  return `${lines.join("\n")}\n`;
};

const headOf = (family: Family, format: MetricsFormat): readonly string[] => {
  const { name, type, unit, help } = family;
  const text = escaped(help, format === "openmetrics");
  if (format === "openmetrics")
    return [
      `# TYPE ${name} ${type}`,
      ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
      `# HELP ${name} ${text}`,
    ];
  const sample = type === "histogram" ? name : `${name}${SUFFIXES[type]}`;
  return [`# HELP ${sample} ${text}`, `# TYPE ${sample} ${PLAIN_TYPES[type]}`];
};

const linesOf = (family: Family): readonly string[] =>
  family.type === "histogram"
    ? family.readings.flatMap((reading) => bucketLines(family.name, reading))
    : family.readings.map(({ labels, value }) =>
        line(`${family.name}${SUFFIXES[family.type]}`, labels, value),
      );

const bucketLines = (
  name: string,
  { labels, upTo, count, sum }: BucketReading,
): readonly string[] => [
  ...upTo.map(({ bound, count: below }) =>
    line(`${name}_bucket`, { ...labels, le: boundText(bound) }, below),
  ),
  line(`${name}_bucket`, { ...labels, le: "+Inf" }, count),
  // OpenMetrics has a count only beside a sum.
  ...(sum === null ? [] : [line(`${name}_count`, labels, count), line(`${name}_sum`, labels, sum)]),
];

/** Bounds are floating point numbers, and are told as such. */
const boundText = (bound: number): string => (Number.isInteger(bound) ? `${bound}.0` : `${bound}`);

const line = (name: string, labels: Labels, value: number): string => {
  const told = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text, true)}"`);
  return `${name}${told.length === 0 ? "" : `{${told.join(",")}}`} ${numberText(value)}`;
};

const numberText = (value: number): string =>
  Math.abs(value) === Infinity ? `${value > 0 ? "+" : "-"}Inf` : `${value}`;

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", '"': '\\"' };

const escaped = (text: string, withQuotes: boolean): string =>
  text.replace(withQuotes ? /[\\\n"]/g : /[\\\n]/g, (one) => ESCAPES[one] ?? one);
