interface BarsProps {
  /** Oldest first. */
  readonly values: readonly number[];
  /** A line across: what no bar may pass. */
  readonly limit?: number | null;
  /** What is to be seen, in a sentence. */
  readonly label: string;
  readonly height?: number;
}

const STEP = 10;
const GAP = 2;

/** One bar for each value, as wide as its place. */
export const Bars = ({ values, limit = null, label, height = 40 }: BarsProps) => {
  const top = Math.max(1, limit ?? 0, ...values);
  const yOf = (value: number): number => height - (value / top) * (height - 2);
  const width = Math.max(1, values.length) * STEP;
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {values.map((value, at) => (
        <rect
          key={at}
          class={value === 0 ? "none" : limit !== null && value >= limit ? "full" : ""}
          x={at * STEP + GAP / 2}
          width={STEP - GAP}
          y={value === 0 ? height - 1 : yOf(value)}
          height={value === 0 ? 1 : height - yOf(value)}
        />
      ))}
      {limit !== null && <path class="limit" d={`M0 ${yOf(limit)}H${width}`} />}
    </svg>
  );
};
