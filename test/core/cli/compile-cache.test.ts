import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");

test("each command of package.json keeps what Node compiles of it", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const commands = Object.values(scripts).filter((script) => script.includes("cli/"));
  expect(commands.length).toBeGreaterThan(10);
  for (const command of commands)
    expect(command).toMatch(/^node --import \.\/cli\/compile-cache\.ts cli\/[a-z-]+\.ts$/);
});

/** A project with one command, and without the cache that tests have. */
const runIn = (root: string) => {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const args = ["--import", "./cli/compile-cache.ts", "cli/hello.ts"];
  return spawnSync(process.execPath, args, { cwd: root, env, encoding: "utf8" });
};

test("it is kept in the project's folder, and a command starts where that can't be", () => {
  const root = mkdtempSync(join(tmpdir(), "seiriken-compiled-"));
  try {
    mkdirSync(join(root, "cli"));
    cpSync(join(ROOT, "cli/compile-cache.ts"), join(root, "cli/compile-cache.ts"));
    writeFileSync(join(root, "package.json"), '{ "type": "module" }');
    writeFileSync(join(root, "cli/hello.ts"), "const hello: string = 'hello'; console.log(hello);");
    writeFileSync(join(root, "node_modules"), "a file, where the folder would be");
    const { status, stdout, stderr } = runIn(root);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "hello\n", stderr: "" });

    rmSync(join(root, "node_modules"));
    expect(runIn(root)).toMatchObject({ status: 0, stdout: "hello\n", stderr: "" });
    expect(readdirSync(join(root, "node_modules/.cache/compiled"))).not.toEqual([]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
