import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const FOLDER = "test/canary";

interface Diagnostic {
  readonly code: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

/** `file:line rule`, for each rule named behind `// bites:` in the canary's files. */
const expected = (): string[] =>
  globSync(`${FOLDER}/src/**/*.ts`).flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((text, i) => {
        const rules = /\/\/ bites: (.+)$/.exec(text)?.[1]?.split(" ") ?? [];
        return rules.map((rule) => `${file}:${i + 1} ${rule}`);
      }),
  );

/** The linter ends with 1 when it has found something, so its exit code says nothing here. */
const found = async (): Promise<string[]> => {
  const output = await new Promise<string>((resolve) => {
    execFile("node_modules/.bin/oxlint", ["-f", "json", FOLDER], (_failed, stdout) => {
      resolve(stdout);
    });
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: readonly Diagnostic[] };
  return diagnostics.map(({ code, filename, labels }) => {
    const rule = /\((.+)\)/.exec(code)?.[1] ?? code;
    return `${filename}:${labels[0]?.span.line ?? 0} ${rule}`;
  });
};

test("every lint rule bites where the canary breaks it, and nowhere else", async () => {
  const lines = expected();
  expect(lines.length).toBeGreaterThan(20);
  expect((await found()).toSorted()).toEqual(lines.toSorted());
});
