/** A report as one HTML file: no script, nothing from elsewhere, a table beside each plot. */
import { escapeHtml } from "../escape-html.ts";
import { momentText, plotOf } from "./plot.ts";
import type { TimePlot } from "./plot.ts";
import { REPORT_STYLE } from "./report-style.ts";

export interface ReportFigure {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
  /** What one looks for first. */
  readonly isMain?: boolean;
}

export interface ReportTable {
  /** Unique in its page, as plots' are. */
  readonly id: string;
  readonly title: string;
  readonly says: string;
  readonly columns: readonly string[];
  readonly rows: readonly ReportRow[];
  readonly sum?: readonly string[];
}

export interface ReportRow {
  readonly cells: readonly string[];
  /** What the others are compared with. */
  readonly isGiven?: boolean;
  /** How long a bar below the cell of this column is, as a share of the longest. */
  readonly bar?: { readonly column: number; readonly share: number };
}

export interface ReportPage {
  readonly title: string;
  readonly about: readonly string[];
  readonly figures: readonly ReportFigure[];
  readonly plots: readonly TimePlot[];
  readonly tables: readonly ReportTable[];
  readonly notes: readonly string[];
}

/** What a person reads to the end. */
const PLOT_ROWS = 30;

export const reportPageHtml = (page: ReportPage): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(page.title)}</title><style>${REPORT_STYLE}</style></head>
<body><header><p class="soft">A sale, simulated</p><h1>${escapeHtml(page.title)}</h1>${page.about.map((text) => `<p>${escapeHtml(text)}</p>`).join("")}</header>
<main>${[figuresHtml(page.figures), plotsHtml(page.plots), ...page.tables.map(tableHtml)].join("\n")}</main>
<footer>${page.notes.map((text) => `<p>${escapeHtml(text)}</p>`).join("")}</footer></body></html>
`;

const figuresHtml = (figures: readonly ReportFigure[]): string => {
  const each = figures.map(
    ({ name, value, note, isMain = false }) =>
      `<div${isMain ? ' class="main"' : ""}><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}` +
      `${note === undefined ? "" : `<small>${escapeHtml(note)}</small>`}</dd></div>`,
  );
  return `<section aria-labelledby="figures"><h2 id="figures">In short</h2><dl class="figures">${each.join("")}</dl></section>`;
};

const plotsHtml = (plots: readonly TimePlot[]): string => {
  const each = plots.map(
    (plot) =>
      `<figure><figcaption><h2>${escapeHtml(plot.title)}</h2><p>${escapeHtml(plot.says)}</p></figcaption>` +
      plotOf(plot) +
      `<details><summary>${escapeHtml(plot.title)} as a table</summary>${plotTable(plot)}</details></figure>`,
  );
  return `<section class="plots" aria-label="Over time">${each.join("\n")}</section>`;
};

/** Of as many points as a person reads, evenly chosen, the first and the last among them. */
const plotTable = ({ title, atMs, series }: TimePlot): string => {
  const every = Math.max(1, Math.ceil((atMs.length - 1) / PLOT_ROWS));
  const chosen = atMs.flatMap((_, i) => (i % every === 0 || i === atMs.length - 1 ? [i] : []));
  return wideTable({
    caption: title,
    columns: ["since the start", ...series.map(({ label }) => label)],
    rows: chosen.map((i) => ({
      cells: [
        momentText(Math.round((atMs[i] ?? 0) / 1_000) * 1_000),
        ...series.map(({ values }) => Math.round(values[i] ?? 0).toLocaleString("en")),
      ],
    })),
  });
};

const tableHtml = ({ id, title, says, ...table }: ReportTable): string =>
  `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(title)}</h2>` +
  `<p class="soft">${escapeHtml(says)}</p>${wideTable({ caption: title, ...table })}</section>`;

/** Scrolls in itself where a screen is narrow, also by the keyboard. */
const wideTable = (
  table: Pick<ReportTable, "columns" | "rows" | "sum"> & { readonly caption: string },
): string => {
  const head = table.columns.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join("");
  const rows = table.rows.map(
    ({ cells, isGiven = false, bar }) =>
      `<tr${isGiven ? ' class="given"' : ""}>${cellsHtml(cells, bar)}</tr>`,
  );
  const sum = table.sum === undefined ? "" : `<tfoot><tr>${cellsHtml(table.sum)}</tr></tfoot>`;
  return (
    `<div class="wide" tabindex="0" role="group" aria-label="${escapeHtml(table.caption)}, a table">` +
    `<table><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody>${sum}</table></div>`
  );
};

const cellsHtml = ([first = "", ...others]: readonly string[], bar?: ReportRow["bar"]): string =>
  `<th scope="row">${escapeHtml(first)}</th>` +
  others
    .map((cell, at) => {
      const drawn = bar?.column === at + 1 ? barHtml(bar.share) : "";
      return `<td>${escapeHtml(cell)}${drawn}</td>`;
    })
    .join("");

/** It says nothing that the figure above it does not. */
const barHtml = (share: number): string =>
  `<span class="bar" aria-hidden="true"><i style="width:${Math.round(Math.min(1, share) * 100)}%"></i></span>`;
