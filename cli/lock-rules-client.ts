/** The lock rules' API as the commands use it: each "no" becomes a `Failure` that says what to do. */
import type { LockRuleResource } from "../src/api/lock-rules/schema.ts";
import type { LockRuleJson } from "../src/api/lock-rules/file.ts";
import { callDeployment, noSeiriken, type DeploymentAccess } from "./deployment.ts";
import { Failure } from "./launch/failure.ts";

const RULES = "/.seiriken/api/lock-rules";

interface Problem {
  readonly code?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

/** One row of the lock service's list. */
export interface HolderRow {
  readonly key: string;
  readonly state: string;
  readonly by: string | null;
  readonly fence: number | null;
  readonly held_seconds: number | null;
  readonly waiting: number;
  readonly waiting_seconds: number | null;
}
export interface Holders {
  readonly locks: readonly HolderRow[];
  readonly total: number;
  readonly waiting: number;
}

export class LockRulesClient {
  readonly #deployment: DeploymentAccess;

  constructor(deployment: DeploymentAccess) {
    this.#deployment = deployment;
  }

  async list(): Promise<LockRuleResource[]> {
    return ((await this.#call("GET", RULES)) as { rules: LockRuleResource[] }).rules;
  }

  async create(rule: LockRuleJson): Promise<LockRuleResource> {
    return (await this.#call("POST", RULES, rule)) as LockRuleResource;
  }

  async replace(rule: LockRuleJson): Promise<LockRuleResource> {
    return (await this.#call("PUT", `${RULES}/${rule.name}`, rule)) as LockRuleResource;
  }

  async delete(name: string): Promise<void> {
    await this.#call("DELETE", `${RULES}/${encodeURIComponent(name)}`);
  }

  /** With the deployment's LOCK_TOKEN. */
  async holders(namespace: string): Promise<Holders> {
    const path = `/.seiriken/locks/${encodeURIComponent(namespace)}`;
    return (await this.#call("GET", path)) as Holders;
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const call = { method, path, body };
    const { status, isOk, json } = await callDeployment(this.#deployment, call);
    if (status === 204 || (isOk && json !== null)) return json;
    throw failureOf(status, json as Problem | null, this.#deployment);
  }
}

const failureOf = (
  status: number,
  problem: Problem | null,
  deployment: DeploymentAccess,
): Failure => {
  if (problem?.code === undefined) return noSeiriken(deployment, status);
  if (status === 401)
    return new Failure("not-signed-in", "the token is missing or wrong", [
      "rules want the ADMIN_TOKEN, holders the LOCK_TOKEN, in the variable of that name or with --token-file",
    ]);
  if (problem.code === "not-found")
    return new Failure("off", "the deployment has this turned off: its token is not set");
  const details = (problem.errors ?? []).map(({ pointer, detail }) =>
    `${pointer} ${detail}`.trim(),
  );
  return new Failure(problem.code, problem.title ?? problem.code, [
    ...details,
    ...(details.length === 0 && problem.detail !== undefined ? [problem.detail] : []),
  ]);
};
