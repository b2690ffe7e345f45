import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** One word, one meaning: what one file exports as a type is no other file's type. */

/** Names that are taken more than once on purpose, with the files that take them. */
const ON_PURPOSE: Readonly<Record<string, readonly string[]>> = {
  // The classes of the objects, with what only the Worker knows added to them, under the names that
  // wrangler.toml and the stored objects have. The client of the lock service is for programs of others.
  Locks: ["src/client/locks.ts", "src/durable/locks/locks.ts", "src/worker/objects.ts"],
  Registry: ["src/durable/registry/registry.ts", "src/worker/objects.ts"],
};

const DECLARED =
  /^(export )?(?:default )?(?:declare )?(?:abstract )?(?:type|interface|class|enum) ([A-Z]\w*)/gm;

const sources = execFileSync(
  "git",
  ["ls-files", "-co", "--exclude-standard", "--deduplicate", "--", "src", "static", "cli"],
  { encoding: "utf8" },
)
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".gen.ts") && existsSync(file));

test("a type's name is taken once: no other file takes one that is exported, not even for itself", () => {
  const taken = new Map<string, { files: string[]; isExported: boolean }>();
  for (const file of sources) {
    for (const [, exported, name = ""] of readFileSync(file, "utf8").matchAll(DECLARED)) {
      const known = taken.get(name) ?? { files: [], isExported: false };
      taken.set(name, {
        files: [...known.files, file],
        isExported: known.isExported || exported !== undefined,
      });
    }
  }
  expect(taken.size).toBeGreaterThan(500);
  const twice = [...taken]
    .filter(([, { files, isExported }]) => isExported && files.length > 1)
    .filter(([name, { files }]) => String(ON_PURPOSE[name]) !== String(files))
    .map(([name, { files }]) => `${name}: ${files.join(", ")}`);
  expect(twice).toEqual([]);
});
