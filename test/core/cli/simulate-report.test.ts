import { expect, test } from "vitest";
import { REPORT_STYLE } from "../../../cli/simulate/report-style.ts";
import { saleReportHtml } from "../../../cli/simulate/report.ts";
import { report } from "../../support/sale-report.ts";

const html = saleReportHtml(report);

/** The section or the rows that follow a heading. */
const after = (heading: string): string => {
  const [, rest = ""] = html.split(`>${heading}</h2>`);
  return rest.split("</section>")[0] ?? "";
};

/** As a person reads it: what is between tags, without what is only drawn. */
const textOf = (piece: string): string =>
  piece
    .replace(/<svg.*?<\/svg>/gs, "")
    .replace(/<[^>]+>/g, "|")
    .replace(/\|[|\s]*/g, "|");

test("[SALEREPORT-1] a report has no script, asks for nothing from elsewhere, and forbids both", () => {
  expect(html).not.toMatch(/<script|<link|<img|<iframe|\bon\w+=|url\(|@import|https?:/i);
  expect(html).toContain("default-src 'none'; style-src 'unsafe-inline'");
});

test("[SALEREPORT-1] what was asked is shown as text", () => {
  const name = "<b onclick=go()>&'";
  const hostile = { ...report, instead: [{ name, outcome: report.outcome }] };
  const shown = saleReportHtml(hostile);
  expect(shown).toContain("&#60;b onclick=go()&#62;&#38;&#39;");
  expect(shown).not.toContain(name);
});

test("[SALEREPORT-1] the same sale has the same report", () => {
  expect(saleReportHtml(report)).toBe(html);
});

test.each(["waiting", "inside", "entered", "waits"])(
  "[SALEREPORT-2] the plot of %s has a table beside it, with its first and last moment",
  (id) => {
    const [, piece = ""] = html.split(`id="${id}-narrow-title"`);
    const [table = ""] = piece.split("</details>");
    const rows = [...table.matchAll(/<tr><th scope="row">([^<]+)/g)].map(([, first]) => first);
    expect(rows.length).toBeLessThanOrEqual(32);
    expect(rows[0]).toBe("0");
    const { course, waitsByArrival } = report.outcome;
    const last = (id === "waits" ? waitsByArrival : course).at(-1)?.atMs ?? NaN;
    expect(rows.at(-1)).toMatch(last >= 3_600_000 ? / h/ : /min|:/);
  },
);

test("[SALEREPORT-3] the text of a report has enough contrast, dark and light", () => {
  const palettes = [...REPORT_STYLE.matchAll(/:root\{([^}]*--ink[^}]*)\}/g)];
  expect(palettes).toHaveLength(2);
  for (const [, palette = ""] of palettes) {
    const colour = (name: string): string =>
      new RegExp(`--${name}:(#[0-9a-f]{6})`).exec(palette)?.[1] ?? "";
    for (const ground of ["bg", "paper"])
      for (const text of ["ink", "soft", "blue", "orange"])
        expect(contrast(colour(text), colour(ground)), `${text} on ${ground}`).toBeGreaterThan(4.5);
  }
});

/** As WCAG 2 has it. */
const contrast = (one: string, other: string): number => {
  const light = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const share = parseInt(colour.slice(at, at + 2), 16) / 255;
      return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const [a, b] = [light(one), light(other)];
  return Math.max(a, b) / Math.min(a, b);
};

test("[SALEREPORT-4] a report says how long people wait, when it ends, and who came in", () => {
  const said = textOf(after("In short"));
  for (const figure of [
    "Half waited less than|30 min|",
    "90 % waited less than|54 min 10 s|",
    "99 % waited less than|1 h|",
    "The longest wait|1 h 1 min|",
    "The line ends after|1 h 10 min|the last visit after 1 h 15 min|",
    "Waiting at most|900,000|",
    "Inside at most|2,000|400 started in the busiest second|",
    "Came in|690,000|300,000 left, 10,000 missed their call|",
  ])
    expect(said).toContain(`|${figure}`);
});

test("[SALEREPORT-4] the rows of the cost add up to its sum, to the cent", () => {
  const amounts = [...textOf(after("What it costs at Cloudflare")).matchAll(/\|\$([\d.]+)(?=\|)/g)];
  const dollars = amounts.map(([, amount]) => Number(amount));
  const sum = dollars.pop() ?? NaN;
  expect(dollars).toHaveLength(5);
  expect(Math.abs(sum - dollars.reduce((total, each) => total + each, 0))).toBeLessThan(0.03);
});

test("[SIMULATE-10] the cost says for which crowd it was measured", () => {
  expect(after("What it costs at Cloudflare")).toContain("2,000 came at once before 100 permits");
});

test("[SALEREPORT-4] other settings stand beside the sale, at its own size, and it says how they were made", () => {
  const said = textOf(after("What other settings would give"));
  expect(said).toContain("with a 10th of the visitors, permits and starts");
  expect(said).toContain("|as it is|30 min|1 h 10 min|54 min 10 s|1 h|900,000|690,000|");
  expect(said).toContain("|twice the permits|-|not in the time simulated|-|-|0|0|");
});

test("[SALEREPORT-4] what nobody can know is not told as a figure", () => {
  const none = { ...report.outcome, waits: null, lineEndsMs: null, overMs: null, entered: 0 };
  const shown = saleReportHtml({ ...report, outcome: none, instead: [] });
  expect(shown).toContain("nobody entered");
  expect(shown).toContain("not in the time simulated");
  expect(shown).not.toMatch(/NaN|null|undefined|Infinity/);
});

test("[SALEREPORT-4] a sale that opens at a moment says so, how long those wait who came early, and marks it in its plots", () => {
  const ends = { afterMs: 30 * 60_000, limits: report.sale.limits };
  const opening = { prequeueMs: 600_000, isDrawn: true, ends };
  const waitsFromStart = { medianMs: 720_000, p90Ms: 0, p99Ms: 0, longestMs: 0 };
  const shown = saleReportHtml({
    ...report,
    sale: { ...report.sale, opening },
    outcome: { ...report.outcome, waitsFromStart, drawnMs: 606_000 },
    event: "drop <1>",
  });
  expect(shown).toContain("Nobody goes in before the sale opens after 10 min.");
  expect(shown).toContain("its public value is there, 6 s after the start");
  expect(shown).toContain(
    "The room&#39;s event drop &#60;1&#62;, which ends 30 min after its start.",
  );
  expect(shown).toContain("of the early ones, 12 min from the opening on");
  expect(shown.match(/>opens, drawn<\/text>/g)?.length).toBeGreaterThanOrEqual(6);
  expect(shown).toContain(">event ends</text>");
  expect(html).not.toMatch(/>opens<|opening on/);
});

test("[SALEREPORT-4] what really was is drawn beside what was simulated, and told", () => {
  const course = [0, 1, 2].map((at) => ({
    ...{ atMs: at * 60 * 60_000, waiting: 1_234_567, visiting: 1_999 },
  }));
  const shown = saleReportHtml({
    ...report,
    really: { longestWaitMs: 90_000, waitingMost: 1_234_567, visitingMost: 1_999, course },
  });
  expect(shown).toContain("the longest wait 1 min 30 s, most in line 1,234,567");
  expect(shown.match(/<polyline class="second"/g)).toHaveLength(4);
  expect(shown).toContain("In fact they were 1,999 at most.");
  expect(shown.match(/<th scope="col">as it really was/g)).toHaveLength(2);
  expect(html).not.toMatch(/really was|In fact/);
});

test("[SALEREPORT-4] the longer a line lasts under another setting, the longer is its bar", () => {
  const shorter = { name: "x", outcome: { ...report.outcome, lineEndsMs: 35 * 60_000 } };
  const shown = saleReportHtml({ ...report, instead: [...report.instead.slice(0, 1), shorter] });
  expect([...shown.matchAll(/<i style="width:(\d+)%">/g)].map(([, width]) => width)).toEqual([
    "100",
    "50",
  ]);
});

test.each([
  [100_000, null, " At most 100,000 a minute go in."],
  [999_999, 50, " At most 999,999 a minute and 50 a second go in."],
  [1_000_000, 50, " At most 50 a second go in."],
  [1_000_000_000, null, ""],
])(
  "[SALEREPORT-4] %i starts a minute and %s a second: a limit that nobody can reach is not told",
  (startsPerMinuteMax, startsPerSecondMax, told) => {
    const limits = { ...report.sale.limits, startsPerMinuteMax, startsPerSecondMax };
    const shown = saleReportHtml({ ...report, sale: { ...report.sale, limits } });
    expect(shown).toContain(`<p>All come within 10 min and stay around 3 min.${told}</p>`);
  },
);
