import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { claimDataDir } from "../../../cli/launch/data-dir.ts";
import { makePrivateDir } from "../../../cli/launch/private-dir.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "seiriken-data-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const modeOf = (...path: string[]): string =>
  (statSync(join(directory, ...path)).mode & 0o777).toString(8);

test("[RUN-17] a data directory is made for its owner only, whatever the umask", async () => {
  const claimed = await claimDataDir(join(directory, "deep", "data"));
  claimed.release();
  expect(claimed.isPrivate).toBe(true);
  expect([modeOf("deep"), modeOf("deep", "data"), modeOf("deep", "data", "do")]).toEqual(
    new Array(3).fill("700"),
  );
});

test("[RUN-17] one that an older version left open is mended, with all that lies in it", () => {
  mkdirSync(join(directory, "do", "seiriken-Registry"), { recursive: true });
  const outside = join(directory, "..", `${Date.now()}-outside`);
  writeFileSync(outside, "");
  chmodSync(outside, 0o644);
  symlinkSync(outside, join(directory, "do", "link"));
  const key = join(directory, "do", "seiriken-Registry", "key.sqlite");
  writeFileSync(key, "");
  for (const path of [directory, join(directory, "do")]) chmodSync(path, 0o755);
  chmodSync(key, 0o644);
  expect(makePrivateDir(directory)).toBe(true);
  expect(modeOf()).toBe("700");
  expect(modeOf("do")).toBe("700");
  expect(modeOf("do", "seiriken-Registry", "key.sqlite")).toBe("600");
  expect((statSync(outside).mode & 0o777).toString(8)).toBe("644");
  rmSync(outside);
});

test("[RUN-17] of a directory that holds other things only our part is closed", () => {
  writeFileSync(join(directory, "index.html"), "");
  for (const name of ["", "index.html"]) chmodSync(join(directory, name), 0o755);
  expect(makePrivateDir(directory)).toBe(true);
  expect([modeOf(), modeOf("index.html"), modeOf("do")]).toEqual(["755", "755", "700"]);
});

test("[RUN-17] one that belongs to everybody is refused, and left as it is", () => {
  chmodSync(directory, 0o1777);
  expect(() => makePrivateDir(directory)).toThrow("belongs to everybody");
  expect(statSync(directory).mode & 0o7777).toBe(0o1777);
});
