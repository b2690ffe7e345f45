import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rememberWriter } from "../../../cli/launch/leftover.ts";
import type { RuntimePlan } from "../../../cli/launch/runtime.ts";
import { startWorkerd } from "../../../cli/launch/workerd.ts";

const WRITER = { pid: 7, port: 8787 };
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "seiriken-leftover-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("[RUN-9] [RUN-25] who writes to a directory is noted there, or it is said why not", () => {
  expect(rememberWriter(directory, WRITER)).toBeNull();
  expect(JSON.parse(readFileSync(join(directory, "workerd.json"), "utf8"))).toEqual([WRITER]);
  const noDirectory = join(directory, "workerd.json");
  expect(rememberWriter(noDirectory, WRITER)).toContain(`${noDirectory}/workerd.json`);
});

test("[RUN-25] a directory that can't be written to ends the start, by its name", async () => {
  writeFileSync(join(directory, "workerd"), "in the way");
  const plan = { dataDir: directory } as RuntimePlan;
  await expect(startWorkerd(plan)).rejects.toMatchObject({
    code: "data",
    message: expect.stringContaining(`${directory} can't be written to`),
  });
});
