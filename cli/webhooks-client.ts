/** The webhooks' API as the command uses it: each "no" becomes a `Failure` that says what to do. */
import type {
  AttemptResource,
  DeliveryResource,
  WebhookResource,
  WebhookWithSecret,
} from "../src/api/webhooks/resource.ts";
import { callDeployment, noSeiriken, type DeploymentAccess } from "./deployment.ts";
import { Failure } from "./launch/failure.ts";

const WEBHOOKS = "/.seiriken/api/webhooks";

interface RefusedCall {
  readonly code?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

export class WebhooksClient {
  readonly #deployment: DeploymentAccess;

  constructor(deployment: DeploymentAccess) {
    this.#deployment = deployment;
  }

  async list(): Promise<readonly WebhookResource[]> {
    return ((await this.#call("GET", "")) as { webhooks: WebhookResource[] }).webhooks;
  }

  /** By id, or by a name that is no other's. */
  async find(nameOrId: string): Promise<WebhookResource> {
    const all = await this.list();
    const found = all.filter(({ id, name }) => id === nameOrId || name === nameOrId);
    const [first] = found;
    if (first !== undefined && found.length === 1) return first;
    if (first === undefined)
      throw new Failure("webhook-not-found", `there is no webhook ${nameOrId}`, [
        "list shows the names",
      ]);
    throw new Failure("webhook-unclear", `${found.length} webhooks are called ${nameOrId}`, [
      `say which by its id: ${found.map(({ id }) => id).join(", ")}`,
    ]);
  }

  async create(input: object): Promise<WebhookWithSecret> {
    return (await this.#call("POST", "", input)) as WebhookWithSecret;
  }

  async change(id: string, change: object): Promise<WebhookResource> {
    return (await this.#call("PATCH", `/${id}`, change)) as WebhookResource;
  }

  async delete(id: string): Promise<void> {
    await this.#call("DELETE", `/${id}`);
  }

  async test(id: string): Promise<AttemptResource> {
    return (await this.#call("POST", `/${id}/test`)) as AttemptResource;
  }

  async rotate(id: string): Promise<WebhookWithSecret> {
    return (await this.#call("POST", `/${id}/secret`)) as WebhookWithSecret;
  }

  async deliveries(id: string): Promise<readonly DeliveryResource[]> {
    const json = await this.#call("GET", `/${id}/deliveries`);
    return (json as { deliveries: DeliveryResource[] }).deliveries;
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const call = { method, path: `${WEBHOOKS}${path}`, body };
    const { status, isOk, json } = await callDeployment(this.#deployment, call);
    if (status === 204 || (isOk && json !== null)) return json;
    throw failureOf(status, json as RefusedCall | null, this.#deployment);
  }
}

const failureOf = (
  status: number,
  refused: RefusedCall | null,
  deployment: DeploymentAccess,
): Failure => {
  if (refused?.code === undefined) return noSeiriken(deployment, status);
  const details = (refused.errors ?? []).map(({ pointer, detail }) =>
    `${pointer} ${detail}`.trim(),
  );
  const more = details.length === 0 && refused.detail !== undefined ? [refused.detail] : details;
  return new Failure(refused.code, refused.title ?? refused.code, more);
};
