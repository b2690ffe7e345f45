import { parsePrometheus } from "../../support/prometheus.ts";
import { describe, expect, test } from "vitest";
import { exposition, type Family } from "../../../src/api/metrics/exposition.ts";
import { metricFamilies } from "../../../src/api/metrics/room-families.ts";
import { meteredRoom, meterOf } from "../../support/meters.ts";
import { readOpenMetrics } from "../../support/openmetrics.ts";

const ODD = 'a "quoted" \\ name\nof two lines';

const gauge = (labels: Readonly<Record<string, string>>, value = 1): Family => ({
  name: "things",
  type: "gauge",
  help: 'Says "one"\nand \\ two.',
  readings: [{ labels, value }],
});

const buckets: Family = {
  name: "wait_seconds",
  type: "histogram",
  unit: "seconds",
  help: "Waits.",
  readings: [
    {
      labels: { room: ODD },
      upTo: [
        { bound: 0.5, count: 1 },
        { bound: 8, count: 4 },
      ],
      count: 6,
      sum: 71.5,
    },
  ],
};

describe("metrics as text", () => {
  test("[METRIC-2] quotes, backslashes and line feeds in a label survive both formats", () => {
    const [family] = readOpenMetrics(exposition([gauge({ room: ODD })], "openmetrics"));
    expect(family?.samples).toEqual([{ name: "things", labels: { room: ODD }, value: 1 }]);
    expect(family?.help).toBe('Says "one"\nand \\ two.');
    const text = exposition([gauge({ room: ODD })], "prometheus");
    expect(text.split("\n")).toEqual([
      '# HELP things Says "one"\\nand \\\\ two.',
      "# TYPE things gauge",
      'things{room="a \\"quoted\\" \\\\ name\\nof two lines"} 1',
      "",
    ]);
    expect(parsePrometheus(text)[0]?.metrics[0]?.labels).toHaveProperty("room");
  });

  test("[METRIC-2] a histogram tells cumulative buckets, and its count beside its sum", () => {
    const [family] = readOpenMetrics(exposition([buckets], "openmetrics"));
    expect(family?.unit).toBe("seconds");
    expect(family?.samples.map(({ name, labels, value }) => [name, labels["le"], value])).toEqual([
      ["wait_seconds_bucket", "0.5", 1],
      ["wait_seconds_bucket", "8.0", 4],
      ["wait_seconds_bucket", "+Inf", 6],
      ["wait_seconds_count", undefined, 6],
      ["wait_seconds_sum", undefined, 71.5],
    ]);
    const [read] = parsePrometheus(exposition([buckets], "prometheus"));
    expect(read).toMatchObject({
      name: "wait_seconds",
      type: "HISTOGRAM",
      metrics: [{ buckets: { "0.5": "1", "+Inf": "6" } }],
    });
  });

  test("[METRIC-2] what is infinite is told as such; a family without readings not at all", () => {
    const text = exposition(
      [gauge({}, Infinity), { ...gauge({}), name: "none", readings: [] }],
      "prometheus",
    );
    expect(text).toContain("things +Inf\n");
    expect(text).not.toContain("none");
  });

  test.each(["openmetrics", "prometheus"] as const)(
    "[METRIC-2] of rooms: each family once, its samples together, every line well-formed (%s)",
    (format) => {
      const rooms = [
        meteredRoom(),
        meteredRoom({ name: "other", id: "b".repeat(32), meter: meterOf({ mode: "open" }) }),
        meteredRoom({ name: "down", id: "c".repeat(32), meter: null }),
      ];
      const text = exposition(metricFamilies(rooms), format);
      const names = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
      expect(new Set(names).size).toBe(names.length);
      if (format === "openmetrics") {
        const families = readOpenMetrics(text);
        expect(families.map(({ name }) => name)).toEqual(names);
        for (const { samples } of families) expect(samples.length).toBeGreaterThan(0);
      } else {
        const read = parsePrometheus(text);
        expect(read.map(({ name }) => name)).toEqual(names);
        expect(read.find(({ name }) => name === "seiriken_room_entries_total")).toMatchObject({
          type: "COUNTER",
          metrics: expect.arrayContaining([
            expect.objectContaining({ labels: { room: "sale", via: "usher" } }),
          ]),
        });
      }
    },
  );

  test("[METRIC-5] a room that could not be asked is down, and has no figures", () => {
    const text = exposition(metricFamilies([meteredRoom({ meter: null })]), "openmetrics");
    const told = readOpenMetrics(text).filter(({ name }) => name.startsWith("seiriken_room"));
    expect(told.map(({ name }) => name)).toEqual([
      "seiriken_rooms",
      "seiriken_room",
      "seiriken_room_up",
    ]);
    expect(told.at(-1)?.samples).toEqual([
      { name: "seiriken_room_up", labels: { room: "sale" }, value: 0 },
    ]);
  });

  test("[METRIC-7] limits as the operator set them and as they are in effect; the mode as a state set", () => {
    const text = exposition(metricFamilies([meteredRoom()]), "openmetrics");
    const valuesOf = (family: string, label: string) =>
      readOpenMetrics(text)
        .find(({ name }) => name === family)
        ?.samples.map(({ labels, value }) => [labels[label], value]);
    expect(valuesOf("seiriken_room_permits", "limit")).toEqual([
      ["operator", 40],
      ["effect", 30],
    ]);
    expect(valuesOf("seiriken_room_mode", "seiriken_room_mode")).toEqual([
      ["open", 0],
      ["queues", 1],
      ["paused", 0],
      ["closed", 0],
      ["suspended", 0],
    ]);
    expect(valuesOf("seiriken_room_expected_wait_seconds", "bound")).toEqual([
      ["low", 60],
      ["expected", 90],
      ["high", 150],
    ]);
  });

  test("[METRIC-7] refusals by every reason there is, and real waits as a histogram", () => {
    const text = exposition(metricFamilies([meteredRoom()]), "openmetrics");
    expect(text).toContain('seiriken_room_refused_total{room="sale",reason="line-full"} 4\n');
    expect(text).toContain('seiriken_room_refused_total{room="sale",reason="too-many-joins"} 0\n');
    const bucket = 'seiriken_room_wait_seconds_bucket{room="sale",le=';
    for (const [bound, count] of [
      ["1.024", 5],
      ["2.048", 5],
      ["4.096", 8],
      ["8.192", 9],
      ["16777.216", 9],
      ["+Inf", 9],
    ])
      expect(text).toContain(`${bucket}"${bound}"} ${count}\n`);
    expect(text).toContain('seiriken_room_wait_seconds_sum{room="sale"} 21.5\n');
  });

  test("[REGION-17] who is there in each region, and since when it is silent where somebody is", () => {
    const regions = [
      { region: "weur", waiting: 7, silentMs: 1_500 },
      { region: "apac", waiting: 0, silentMs: null },
    ] as const;
    const { regions: _, ...plain } = meterOf();
    const rooms = [meteredRoom({ meter: { ...plain, regions } }), meteredRoom({ meter: plain })];
    const text = exposition(metricFamilies(rooms), "prometheus");
    expect(text.split("\n").filter((line) => line.startsWith("seiriken_room_region"))).toEqual([
      'seiriken_room_region_waiting{room="sale",region="weur"} 7',
      'seiriken_room_region_waiting{room="sale",region="apac"} 0',
      'seiriken_room_region_silence_seconds{room="sale",region="weur"} 1.5',
    ]);
  });

  test("[METRIC-7] what nobody knows is absent: the wait of a paused room, a limit that is not set", () => {
    const limits = { permitsMax: 1, startsPerMinuteMax: 1, startsPerSecondMax: null };
    const newcomer = { known: false, reason: "paused" } as const;
    const meter = meterOf({ newcomer, own: limits, inEffect: limits });
    const text = exposition(metricFamilies([meteredRoom({ meter })]), "openmetrics");
    expect(text).not.toContain("expected_wait");
    expect(text).not.toContain("starts_per_second");
  });
});
