import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { exposition } from "../../../src/api/metrics/exposition.ts";
import { metricFamilies } from "../../../src/api/metrics/room-families.ts";
import { meteredRoom } from "../../support/meters.ts";
import { readOpenMetrics } from "../../support/openmetrics.ts";

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly datasource?: { readonly uid: string };
  readonly targets?: readonly {
    readonly expr: string;
    readonly legendFormat: string;
    readonly datasource: { readonly uid: string };
  }[];
}

interface Dashboard {
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string; definition?: string }[];
  };
  readonly panels: readonly Panel[];
}

/** The labels of each sample of a scrape in which everything that can be told is told. */
const labelsBySample = new Map(
  readOpenMetrics(exposition(metricFamilies([meteredRoom()]), "openmetrics"))
    .flatMap(({ samples }) => samples)
    .map(({ name, labels }) => [name, new Set(Object.keys(labels))]),
);

/** What a query asks of the metrics: each name, with the labels it selects by. */
const askedOf = (expr: string): readonly { name: string; labels: readonly string[] }[] =>
  [...expr.matchAll(/\b(seiriken_\w+)(?:\{([^}]*)\})?/g)]
    // A state set's label has the name of its family.
    .filter(({ index }) => !/by \([^)]*$|on \([^)]*$|[{,]$/.test(expr.slice(0, index)))
    .map(([, name = "", inside = ""]) => ({
      name,
      labels: [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => label),
    }));

const strangersIn = (expr: string): readonly string[] =>
  askedOf(expr).flatMap(({ name, labels }) => {
    const known = labelsBySample.get(name);
    if (known === undefined) return [name];
    return labels.filter((label) => !known.has(label)).map((label) => `${name}{${label}}`);
  });

const dashboard = JSON.parse(readFileSync("docs/grafana/seiriken.json", "utf8")) as Dashboard;
const targets = dashboard.panels.flatMap(({ title, targets: all = [] }) =>
  all.map((target) => ({ title, ...target })),
);

test("[METRIC-8] the Grafana dashboard asks for what a scrape has, and for nothing else", () => {
  expect(targets.length).toBeGreaterThan(15);
  expect(targets.flatMap(({ expr }) => strangersIn(expr))).toEqual([]);
  for (const { title, expr } of targets) expect(askedOf(expr).length, title).toBeGreaterThan(0);
  for (const { definition } of dashboard.templating.list)
    if (definition !== undefined) expect(strangersIn(definition)).toEqual([]);
});

test("[METRIC-8] its legends name labels that the metrics have", () => {
  for (const { title, expr, legendFormat } of targets) {
    const has = askedOf(expr).flatMap(({ name }) => [...(labelsBySample.get(name) ?? [])]);
    for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
      expect(has, `${title}: ${legendFormat}`).toContain(label);
  }
});

test("[METRIC-8] its data source is a variable", () => {
  expect(dashboard.templating.list).toContainEqual(
    expect.objectContaining({ name: "datasource", type: "datasource" }),
  );
  for (const { type, datasource } of dashboard.panels)
    if (type !== "row") expect(datasource?.uid).toBe("${datasource}");
  for (const { datasource } of targets) expect(datasource.uid).toBe("${datasource}");
});

test("[METRIC-8] docs/monitoring.md has every metric with its labels, and its rules ask for nothing else", () => {
  const text = readFileSync("docs/monitoring.md", "utf8");
  const rows = [...text.matchAll(/^\| `(seiriken_\w+)` \|[^|]*\|([^|]*)\|/gm)];
  const described = rows.map(([, name]) => name ?? "");
  const samples = [...labelsBySample.keys()].filter((name) => !/_(count|sum)$/.test(name));
  expect(described).toHaveLength(samples.length);
  expect(new Set(described)).toEqual(new Set(samples));
  for (const [, name = "", labels = ""] of rows) {
    const own = [...(labelsBySample.get(name) ?? [])].filter((label) => label !== "room");
    const told = [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label);
    expect(told, name).toEqual(expect.arrayContaining(own));
  }
  const rules = [...text.matchAll(/^\s+expr: (.*)$/gm)].map(([, expr = ""]) => expr);
  expect(rules.length).toBeGreaterThan(4);
  const recorded = new Set([...text.matchAll(/record: (\S+)/g)].map(([, name]) => name));
  for (const rule of rules) {
    const ours = rule.replaceAll(/\broom:[\w:]+/g, (name) => {
      expect(recorded).toContain(name);
      return "recorded";
    });
    expect(strangersIn(ours)).toEqual([]);
  }
});
