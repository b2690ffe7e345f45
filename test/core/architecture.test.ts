import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const text = readFileSync("ARCHITECTURE.md", "utf8");
/** In the order of the table, the lowest first. */
const ROOMS = [...text.matchAll(/^\| `(src\/[\w/-]*\/)` \|/gm)].map(([, room]) => room!);
const FILES = globSync("src/**/*.ts").toSorted();

/** The rooms of the core know each other, and so do those of the API. */
const roomOf = (file: string): string =>
  /^src\/(?:core|api)\//.exec(file)?.[0] ?? `${dirname(file)}/`;
const floorOf = (file: string): number => ROOMS.indexOf(roomOf(file));

/** What a module imports from other files of ours, types included. */
const importsOf = (file: string, source: string): readonly string[] =>
  [...source.matchAll(/^(?:import|export)\b[^;"]*"(\.{1,2}\/[^"]+)"/gm)].map(([, path]) =>
    join(dirname(file), path!),
  );

const upward = (file: string, source: string): readonly string[] =>
  importsOf(file, source).filter((to) => floorOf(to) > floorOf(file));

describe("ARCHITECTURE.md", () => {
  test("names every room of src, and none that is not there", () => {
    const there = new Set(FILES.map((file) => `${dirname(file)}/`));
    expect(new Set(ROOMS)).toEqual(there);
  });

  test("tells the floors: nothing imports upward", () => {
    const found = FILES.flatMap((file) =>
      upward(file, readFileSync(file, "utf8")).map((to) => `${file} imports ${to}`),
    );
    expect(found).toEqual([]);
  });

  test.each([
    ['import { gate } from "../gate/gate.ts";', ["src/worker/gate/gate.ts"]],
    ['import type { Gate } from "../gate/gate.ts";', ["src/worker/gate/gate.ts"]],
    ['import {\n  gate,\n} from "../gate/gate.ts";', ["src/worker/gate/gate.ts"]],
    ['export { gate } from "../gate/gate.ts";', ["src/worker/gate/gate.ts"]],
    ['import { cookieOf } from "../tokens/cookies.ts";', []],
    ['import { start } from "../../core/start.ts";', []],
  ])("notices an import that runs upward: %s", (source, found) => {
    expect(upward("src/worker/origin/canary.ts", source)).toEqual(found);
  });

  test("[DRAW-15] the Worker starts without what verifies draws", () => {
    const reached = new Set(["src/worker/index.ts"]);
    for (const file of reached)
      for (const to of importsOf(file, readFileSync(file, "utf8"))) reached.add(to);
    expect(reached).toContain("src/core/room/step.ts");
    expect(reached).not.toContain("src/core/draw/drand-signature.ts");
    expect(
      importsOf("src/core/draw/examine.ts", readFileSync("src/core/draw/examine.ts", "utf8")),
    ).toContain("src/core/draw/drand-signature.ts");
  });

  const links = [...text.matchAll(/\[([^\]]+)\]\(([^)#]+)\)/g)].map(
    ([, label, path]) => [label!, path!] as const,
  );

  test.each(links)("leads from %s to what is there: %s", (label, path) => {
    expect(existsSync(path)).toBe(true);
    const name = /^`(\w+)`$/.exec(label)?.[1];
    if (name !== undefined) expect(readFileSync(path, "utf8")).toMatch(new RegExp(`\\b${name}\\b`));
  });
});
