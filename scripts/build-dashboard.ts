/**
 * Builds the dashboard: `static/dashboard` becomes one page, and the page a module with it as compressed
 * text, which every bundler takes. The Worker's start reads past one string; the page is unpacked for
 * those who ask for it. Run `node scripts/build-dashboard.ts` after a change in `static/dashboard`.
 */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const SOURCE = new URL("../static/dashboard/", import.meta.url);
const TARGET = new URL("../src/worker/dashboard/assets.gen.ts", import.meta.url);
/** Browsers since spring 2024: an operator's, not a visitor's. */
const BROWSERS = ["chrome123", "firefox120", "safari17.5"];
const NOTE =
  "// Made by scripts/build-dashboard.ts from static/dashboard. Edit there, then build again.";

const bundled = async (entry: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, SOURCE))],
    bundle: true,
    format: "iife",
    target: BROWSERS,
    charset: "utf8",
    minify: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    write: false,
  });
  const text = (outputFiles[0]?.text ?? "").trim();
  if (/<\/script|<!--|<\/style/i.test(text)) throw new Error(`${entry} can't be inlined`);
  return text;
};

const hashOf = (text: string): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

export interface DashboardPage {
  readonly html: string;
  readonly policy: string;
}

export const buildDashboard = async (): Promise<DashboardPage> => {
  const css = await bundled("style/main.css");
  const script = await bundled("main.tsx");
  const template = await readFile(new URL("page.html", SOURCE), "utf8");
  return {
    html: template.replace("{{css}}", () => css).replace("{{script}}", () => script),
    policy: [
      "default-src 'none'",
      `script-src ${hashOf(script)}`,
      `style-src ${hashOf(css)}`,
      "connect-src 'self'",
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
  };
};

const moduleOf = ({ html, policy }: DashboardPage): string => {
  const packed = gzipSync(html, { level: 9 }).toString("base64");
  return `${NOTE}

export const policy = ${JSON.stringify(policy)};

export const packedPage = "${packed}";
`;
};

if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeFile(TARGET, moduleOf(await buildDashboard()));
