/** The lock rules' API as the commands use it: each "no" becomes a `Failure` that says what to do. */
import type { RuleResource } from "../src/api/lock-rules/schema.ts";
import type { RuleJson } from "../src/api/lock-rules/file.ts";
import type { Deployment } from "./api-client.ts";
import { describe, Failure } from "./launch/failure.ts";

const RULES = "/.seiriken/api/lock-rules";
const ANSWER_WITHIN_MS = 10_000;

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
  readonly #deployment: Deployment;

  constructor(deployment: Deployment) {
    this.#deployment = deployment;
  }

  async list(): Promise<RuleResource[]> {
    return ((await this.#call("GET", RULES)) as { rules: RuleResource[] }).rules;
  }

  async create(rule: RuleJson): Promise<RuleResource> {
    return (await this.#call("POST", RULES, rule)) as RuleResource;
  }

  async replace(rule: RuleJson): Promise<RuleResource> {
    return (await this.#call("PUT", `${RULES}/${rule.name}`, rule)) as RuleResource;
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
    const { server, token } = this.#deployment;
    let response: Response;
    try {
      response = await fetch(new URL(path, server), {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        redirect: "error",
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch (thrown) {
      throw new Failure("unreachable", `${server} does not answer (${describe(thrown)})`, [
        "is it running? npm start runs one here; --server URL names another",
      ]);
    }
    if (response.status === 204) return null;
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok && answer !== null) return answer;
    throw failureOf(response.status, answer as Problem | null, server);
  }
}

const failureOf = (status: number, problem: Problem | null, server: string): Failure => {
  if (problem?.code === undefined)
    return new Failure("no-seiriken", `${server} answered ${status}, and not as Seiriken does`, [
      "is --server the address of the Worker itself?",
    ]);
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
