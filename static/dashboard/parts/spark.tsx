interface SparkProps {
  /** Oldest first. */
  readonly values: readonly number[];
  /** The least that the top stands for, so that a small change does not look like a large one. */
  readonly least?: number;
}

const WIDTH = 100;
const HEIGHT = 24;

const spark = (values: readonly number[], top: number): string =>
  values
    .map((value, at) => {
      const x = values.length < 2 ? WIDTH : (at / (values.length - 1)) * WIDTH;
      const y = HEIGHT - 1 - (value / top) * (HEIGHT - 2);
      return `${at === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join("");

/** A figure's last minutes, without axes: the figure beside it says how much. */
export const Spark = ({ values, least = 1 }: SparkProps) => {
  const top = Math.max(least, ...values);
  const line = spark(values, top);
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {values.length > 1 && (
        <>
          <path class="area" d={`${line}V${HEIGHT}H0Z`} />
          <path class="stroke" d={line} />
        </>
      )}
    </svg>
  );
};
