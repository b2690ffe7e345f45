/** The management API as the commands use it: each "no" becomes a `Failure` that says what to do. */
import { ERROR_CODES } from "../src/worker/management/envelope.ts";
import type { RoomResource } from "../src/worker/management/resource.ts";
import type { RoomStatus } from "../src/worker/management/status.ts";
import { describe, Failure } from "./launch/failure.ts";

/** Any zone will do: a deployment of ours has one set of rooms. */
const ROOMS = "/.seiriken/client/v4/zones/local/waiting_rooms";
const KEYS = "/.seiriken/api/keys";
const ANSWER_WITHIN_MS = 10_000;
const PER_PAGE = 1_000;

export interface Deployment {
  readonly server: string;
  readonly token: string;
}

export interface Keys {
  readonly source: "registry" | "secret";
  /** The first signs, all verify. */
  readonly keys: readonly string[];
}

interface Note {
  readonly code?: number;
  readonly message?: string;
}

/** What an answer of ours may carry: an envelope, or a problem (RFC 9457). */
interface Answer {
  readonly success?: boolean;
  readonly errors?: readonly Note[];
  readonly result?: unknown;
  readonly detail?: string;
}

export class ManagementClient {
  readonly #deployment: Deployment;
  readonly #fetch: typeof fetch;

  constructor(deployment: Deployment, fetchWith: typeof fetch = fetch) {
    this.#deployment = deployment;
    this.#fetch = fetchWith;
  }

  async listRooms(): Promise<RoomResource[]> {
    return (await this.#call("GET", `${ROOMS}?per_page=${PER_PAGE}`)) as RoomResource[];
  }

  async createRoom(room: unknown): Promise<RoomResource> {
    return (await this.#call("POST", ROOMS, room)) as RoomResource;
  }

  async putRoom(room: string, settings: unknown): Promise<RoomResource> {
    return (await this.#call("PUT", pathOf(room), settings)) as RoomResource;
  }

  async patchRoom(room: string, settings: unknown): Promise<RoomResource> {
    return (await this.#call("PATCH", pathOf(room), settings)) as RoomResource;
  }

  async deleteRoom(room: string): Promise<void> {
    await this.#call("DELETE", pathOf(room));
  }

  async statusOf(room: string): Promise<RoomStatus> {
    return (await this.#call("GET", `${pathOf(room)}/status`)) as RoomStatus;
  }

  async listKeys(): Promise<Keys> {
    return (await this.#call("GET", KEYS)) as Keys;
  }

  async rotateKeys(): Promise<Keys> {
    return (await this.#call("POST", `${KEYS}/rotate`)) as Keys;
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const { server, token } = this.#deployment;
    let response: Response;
    try {
      response = await this.#fetch(new URL(path, server), {
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
    const answer = (await response.json().catch(() => null)) as Answer | null;
    if (response.ok && answer !== null) return answer.success === true ? answer.result : answer;
    throw failureOf(response.status, answer, server);
  }
}

const pathOf = (room: string): string => `${ROOMS}/${encodeURIComponent(room)}`;

function failureOf(status: number, answer: Answer | null, server: string): Failure {
  const reasons = (answer?.errors ?? []).flatMap(({ message }) => message ?? []);
  if (reasons.length === 0 && answer?.detail !== undefined) reasons.push(answer.detail);
  if (answer === null || reasons.length === 0) {
    return new Failure("no-seiriken", `${server} answered ${status}, and not as Seiriken does`, [
      "is --server the address of the Worker itself?",
    ]);
  }
  if (status === 401) {
    return new Failure("not-signed-in", "the token is missing or wrong", [
      "give the deployment's ADMIN_TOKEN with --token or in SEIRIKEN_ADMIN_TOKEN",
    ]);
  }
  const [first = "", ...more] = reasons;
  if (status === 409) return new Failure("conflict", first, more);
  if (answer.errors?.[0]?.code === ERROR_CODES["not-found"]) {
    return new Failure("not-found", first, ["npm run rooms -- list shows the rooms there are"]);
  }
  if (status === 404) return new Failure("off", first, more);
  if (status >= 500) return new Failure("unavailable", first, more);
  return new Failure("refused", "the room was refused", reasons);
}
