/** A strict reader of OpenMetrics 1.0: throws at whatever the specification does not allow. */

export interface ReadSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ReadFamily {
  readonly name: string;
  readonly type: string;
  readonly unit: string | null;
  readonly help: string;
  readonly samples: readonly ReadSample[];
}

const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  gauge: [""],
  counter: ["_total"],
  info: ["_info"],
  stateset: [""],
  histogram: ["_bucket", "_count", "_sum"],
};

const byText = (one: string, other: string): number => (one < other ? -1 : 1);

const fail = (why: string): never => {
  throw new Error(`not OpenMetrics: ${why}`);
};

export const readOpenMetrics = (text: string): readonly ReadFamily[] => {
  if (!text.endsWith("# EOF\n")) fail("it does not end with # EOF and a line feed");
  const lines = text.slice(0, -"# EOF\n".length).split("\n");
  if (lines.pop() !== "") fail("no line feed before # EOF");
  const families = new Map<string, { meta: Map<string, string>; samples: ReadSample[] }>();
  let current: string | null = null;
  for (const line of lines) {
    const meta = /^# (TYPE|UNIT|HELP) ([a-zA-Z_:][\w:]*) (.*)$/.exec(line);
    if (meta !== null) {
      const [, keyword = "", name = "", rest = ""] = meta;
      if (name !== current) {
        if (families.has(name)) fail(`${name} comes twice`);
        families.set(name, { meta: new Map(), samples: [] });
        current = name;
      }
      const family = families.get(name) ?? fail("unreachable");
      if (family.samples.length > 0) fail(`${keyword} of ${name} behind its samples`);
      if (family.meta.has(keyword)) fail(`${keyword} of ${name} twice`);
      family.meta.set(keyword, keyword === "HELP" ? unescaped(rest) : rest);
      continue;
    }
    const sample = readSample(line);
    const family = current === null ? undefined : families.get(current);
    if (current === null || family === undefined) return fail(`a sample without a family: ${line}`);
    const suffix = sample.name.startsWith(current) ? sample.name.slice(current.length) : null;
    const type = family.meta.get("TYPE") ?? "unknown";
    if (suffix === null || SUFFIXES[type]?.includes(suffix) !== true)
      fail(`${sample.name} is no sample of the ${type} ${current}`);
    family.samples.push(sample);
  }
  return [...families].map(([name, { meta, samples }]) => checked(name, meta, samples));
};

const checked = (
  name: string,
  meta: ReadonlyMap<string, string>,
  samples: readonly ReadSample[],
): ReadFamily => {
  const type = meta.get("TYPE") ?? fail(`${name} has no type`);
  const unit = meta.get("UNIT") ?? null;
  const help = meta.get("HELP") ?? fail(`${name} has no help`);
  if (unit !== null && !name.endsWith(`_${unit}`)) fail(`${name} does not end with its unit`);
  if (/_(total|info|bucket|count|sum|created)$/.test(name)) fail(`${name} has a reserved suffix`);
  const seen = new Set<string>();
  for (const sample of samples) {
    const key = `${sample.name} ${JSON.stringify(sample.labels, Object.keys(sample.labels).toSorted(byText))}`;
    if (seen.has(key)) fail(`${key} twice`);
    seen.add(key);
    if (type === "counter" && !(sample.value >= 0)) fail(`${key} is below 0`);
    if (type === "info" && sample.value !== 1) fail(`${key} is not 1`);
    if (type === "stateset") {
      if (sample.labels[name] === undefined) fail(`${key} has no label ${name}`);
      if (![0, 1].includes(sample.value)) fail(`${key} is neither 0 nor 1`);
    }
  }
  if (type === "histogram") checkBuckets(name, samples);
  return { name, type, unit, help, samples };
};

const checkBuckets = (name: string, samples: readonly ReadSample[]): void => {
  const groups = new Map<string, ReadSample[]>();
  for (const sample of samples) {
    const { le: _le, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    if ([...groups.keys()].at(-1) !== key && groups.has(key)) fail(`${name} is interleaved`);
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  for (const group of groups.values()) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => labels["le"] ?? fail(`${name} without le`));
    if (bounds.at(-1) !== "+Inf") fail(`${name} has no last bucket +Inf`);
    if (!bounds.slice(0, -1).every((le) => /^\d+\.\d+$/.test(le))) fail(`bounds ${bounds.join()}`);
    for (const [index, bucket] of buckets.entries()) {
      const before = buckets[index - 1];
      if (before === undefined) continue;
      if (!(numberOf(bounds[index] ?? "") > numberOf(bounds[index - 1] ?? "")))
        fail(`${name}: bounds do not rise`);
      if (bucket.value < before.value) fail(`${name}: buckets are not cumulative`);
    }
    const count = group.find((sample) => sample.name === `${name}_count`);
    const sum = group.find((sample) => sample.name === `${name}_sum`);
    if ((count === undefined) !== (sum === undefined)) fail(`${name}: count and sum go together`);
    if (count !== undefined && count.value !== buckets.at(-1)?.value) fail(`${name}: count`);
  }
};

const readSample = (line: string): ReadSample => {
  const match =
    /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\n"])*"(?:,(?!\})|(?=\})))*)\})? (\S+)$/.exec(
      line,
    );
  if (match === null) return fail(JSON.stringify(line));
  const [, name = "", inside = "", value = ""] = match;
  const labels: Record<string, string> = {};
  for (const [, label = "", text = ""] of inside.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) {
    if (label in labels) fail(`label ${label} twice`);
    labels[label] = unescaped(text);
  }
  return { name, labels, value: numberOf(value) };
};

const numberOf = (text: string): number => {
  if (text === "+Inf") return Infinity;
  if (text === "-Inf") return -Infinity;
  if (!/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return fail(`the number ${text}`);
  return Number(text);
};

const unescaped = (text: string): string =>
  text.replace(/\\(.)/g, (_, one: string) => {
    if (one === "n") return "\n";
    return one === "\\" || one === '"' ? one : fail(`the escape \\${one}`);
  });
