import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../../cli/launch/worker-config.ts";

/** A fenced block of a page, and where it stands. */
export interface Block {
  /** `README.md:49` */
  readonly at: string;
  /** What follows the fence: `json`, `http`, or nothing. */
  readonly info: string;
  readonly text: string;
}

export const PAGES = [
  "README.md",
  ...readdirSync(join(PROJECT_ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

export const read = (page: string): string => readFileSync(join(PROJECT_ROOT, page), "utf8");

export const blocksOf = (page: string): Block[] => {
  const blocks: Block[] = [];
  let open: { at: string; info: string; lines: string[] } | null = null;
  for (const [index, line] of readFileSync(join(PROJECT_ROOT, page), "utf8")
    .split("\n")
    .entries()) {
    if (open === null && line.startsWith("```"))
      open = { at: `${page}:${index + 1}`, info: line.slice(3).trim(), lines: [] };
    else if (open !== null && line === "```") {
      blocks.push({ at: open.at, info: open.info, text: open.lines.join("\n") });
      open = null;
    } else open?.lines.push(line);
  }
  return blocks;
};
