import { expect, test } from "vitest";
import { heightsOf, momentsOf, momentText, plotOf } from "../../../cli/simulate/plot.ts";

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [10, [0, 3, 6, 9, 12]],
  [100, [0, 25, 50, 75, 100]],
  [101, [0, 50, 100, 150]],
  [2_000, [0, 500, 1_000, 1_500, 2_000]],
  [890_000, [0, 250_000, 500_000, 750_000, 1_000_000]],
])(
  "[SALEREPORT-2] lines for at most %i lie at whole numbers, and none below it is last",
  (most, heights) => {
    expect(heightsOf(most)).toEqual(heights);
  },
);

test.each([
  [1_000, "0,0.2 s,0.4 s,0.6 s,0.8 s,1 s"],
  [60_000, "0,10 s,20 s,30 s,40 s,50 s,1 min"],
  [600_000, "0,2 min,4 min,6 min,8 min,10 min"],
  [150_000, "0,30 s,1 min,1:30,2 min,2:30"],
  [7_200_000, "0,15 min,30 min,45 min,1 h,1 h 15,1 h 30,1 h 45,2 h"],
  [14 * 86_400_000, "0,48 h,96 h,144 h,192 h,240 h,288 h,336 h"],
])("[SALEREPORT-2] %i ms are told in spans that people count in", (lengthMs, texts) => {
  expect(String(momentsOf(lengthMs).map(momentText))).toBe(texts);
});

const plot = {
  id: "inside",
  title: "Inside",
  says: "At most 4 <of 4>.",
  atMs: [0, 1_000, 2_000],
  series: [
    { label: "inside", values: [0, 4, 2], look: "first" },
    { label: "permits", values: [4, 4, 4], look: "limit" },
  ],
} as const;

test("[SALEREPORT-2] a plot's lines go from its first moment to its last, from 0 up to the highest line", () => {
  const [broad = "", narrow = ""] = plotOf(plot).split("</svg>");
  expect(broad).toContain('<polyline class="first" points="64,230 291,34 518,132"/>');
  expect(broad).toContain('<polyline class="limit" points="64,34 291,34 518,34"/>');
  expect(narrow).toContain('<polyline class="first" points="64,190 181,34 298,112"/>');
});

test("[SALEREPORT-2] a plot has a name and says what one sees, and tells its lines apart by more than colour", () => {
  const svg = plotOf(plot);
  for (const size of ["broad", "narrow"]) {
    expect(svg).toContain(
      `<svg class="${size}" viewBox="0 0 ${size === "broad" ? "540 260" : "320 220"}" role="img" aria-labelledby="inside-${size}-title inside-${size}-says">`,
    );
    expect(svg).toContain(`<desc id="inside-${size}-says">At most 4 &#60;of 4&#62;.</desc>`);
  }
  expect(svg.match(/<text class="legend"[^>]*>[^<]+/g)).toHaveLength(4);
});

test("[SALEREPORT-2] a mark stands at its moment, its word on the side that has room; none before the first or after the last", () => {
  const marks = [
    { atMs: 0, label: "never" },
    { atMs: 500, label: "opens" },
    { atMs: 1_500, label: "ends <b>" },
    { atMs: 2_001, label: "later" },
  ];
  const [broad = ""] = plotOf({ ...plot, marks }).split("</svg>");
  expect(broad).toContain('<line class="mark" x1="177.5" x2="177.5" y1="26" y2="230"/>');
  expect(broad).toContain('<text class="mark" x="182.5" y="22">opens</text>');
  expect(broad).toContain('<text class="mark late" x="399.5" y="22">ends &#60;b&#62;</text>');
  expect(broad).not.toMatch(/never|later/);
});

test("[SALEREPORT-2] a sale that is over at once has a plot too", () => {
  const svg = plotOf({ ...plot, atMs: [0], series: [{ label: "x", values: [0], look: "first" }] });
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
});
