import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROJECT_ROOT, readWorkerConfig } from "../../cli/launch/worker-config.ts";
import { blocksOf } from "../support/docs.ts";

/** Every command line of the walk that needs no account. */
const dryRuns = blocksOf("docs/cloudflare.md").flatMap(({ text }) =>
  text.split("\n").filter((line) => line.includes("--dry-run")),
);

test("[DEPLOY-1] the walk tries staging and production before it deploys them", () => {
  expect(dryRuns).toEqual([
    "npx wrangler deploy --env staging --dry-run",
    "npx wrangler deploy --env production --dry-run",
  ]);
});

test.each([["staging"], ["production"]])(
  "[DEPLOY-1] %s has every object, and nothing that wrangler warns of",
  async (environment) => {
    const { objects } = await readWorkerConfig();
    const out = mkdtempSync(join(tmpdir(), "seiriken-dry-"));
    const wrangler = join(PROJECT_ROOT, "node_modules/.bin/wrangler");
    const args = ["deploy", "--dry-run", "--env", environment, "--outdir", out];
    const env = { ...process.env, WRANGLER_SEND_METRICS: "false", NO_COLOR: "1", CI: "1" };
    const ran = spawnSync(wrangler, args, { cwd: PROJECT_ROOT, env, encoding: "utf8" });
    rmSync(out, { recursive: true, force: true });
    expect([ran.status, ran.stderr]).toEqual([0, expect.not.stringMatching(/WARNING|ERROR/)]);
    expect(ran.stdout).not.toContain("WARNING");
    for (const { binding, className } of objects)
      expect(ran.stdout).toMatch(
        new RegExp(`env\\.${binding} \\(${className}\\)\\s+Durable Object`),
      );
  },
  120_000,
);

test("[DEPLOY-1] the walk's commands name an environment, and subcommands that wrangler has", () => {
  const lines = blocksOf("docs/cloudflare.md")
    .flatMap(({ text }) => text.split("\n"))
    .filter((line) => line.startsWith("npx wrangler "));
  expect(lines.length).toBeGreaterThanOrEqual(10);
  for (const line of lines) {
    const [, , command = ""] = line.split(" ");
    expect(["login", "whoami", "deploy", "secret", "tail", "deployments", "rollback"]).toContain(
      command,
    );
    const isOfOne = !["login", "whoami"].includes(command);
    expect([line, /--env (staging|production)\b/.test(line)]).toEqual([line, isOfOne]);
  }
});
