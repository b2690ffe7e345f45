/** The management API as the commands use it: each "no" becomes a `Failure` that says what to do. */
import { ERROR_CODES } from "../src/api/envelope.ts";
import type { DeletedRoomResource, RoomResource } from "../src/api/rooms/resource.ts";
import type { PlannedEventResource } from "../src/api/events/resource.ts";
import type { RuleResource } from "../src/api/rules/resource.ts";
import type { VisitorResource } from "../src/api/rooms/visitor.ts";
import type { Span } from "./rooms/history.ts";
import type { PaceResource } from "../src/api/rooms/pace.ts";
import type { MinuteResource } from "../src/api/rooms/history.ts";
import type { AuditPageResource } from "../src/api/audit/resource.ts";
import type { MadeTokenResource, TokenInput, TokenResource } from "../src/api/tokens/schema.ts";
import type { RoomStatusResource } from "../src/api/rooms/status.ts";
import { callDeployment, noSeiriken, type DeploymentAccess } from "./deployment.ts";
import { Failure } from "./launch/failure.ts";

/** Any zone will do: a deployment of ours has one set of rooms. */
const ROOMS = "/.seiriken/client/v4/zones/local/waiting_rooms";
const API_ROOMS = "/.seiriken/api/rooms";
const KEYS = "/.seiriken/api/keys";
const TOKENS = "/.seiriken/api/tokens";
const AUDIT = "/.seiriken/api/audit";
const PER_PAGE = 1_000;

export interface Keys {
  readonly source: "registry" | "secret";
  /** The first signs, all verify. */
  readonly keys: readonly string[];
}

interface Note {
  readonly code?: number;
  readonly message?: string;
  /** Of a problem: which field, and what is wrong with it. */
  readonly pointer?: string;
  readonly detail?: string;
}

/** What an answer of ours may carry: an envelope, or a problem (RFC 9457). */
interface Answer {
  readonly success?: boolean;
  readonly errors?: readonly Note[];
  readonly messages?: readonly Note[];
  readonly result?: unknown;
  readonly detail?: string;
  readonly code?: string;
}

export class ManagementClient {
  readonly #deployment: DeploymentAccess;
  readonly #fetch: typeof fetch;
  readonly #onNote: (note: string) => void;

  /** `onNote` hears which settings of a room the deployment took and does nothing with. */
  constructor(
    deployment: DeploymentAccess,
    fetchWith: typeof fetch = fetch,
    onNote: (note: string) => void = () => undefined,
  ) {
    this.#deployment = deployment;
    this.#fetch = fetchWith;
    this.#onNote = onNote;
  }

  async listRooms(): Promise<RoomResource[]> {
    return (await this.#call("GET", `${ROOMS}?per_page=${PER_PAGE}`)) as RoomResource[];
  }

  async createRoom(room: unknown): Promise<RoomResource> {
    return (await this.#call("POST", ROOMS, room)) as RoomResource;
  }

  /** Refused as `changed-since` when the room is not as it was read, at `readOn` (`modified_on`). */
  async putRoom(room: string, settings: unknown, readOn: string): Promise<RoomResource> {
    const ifMatch = { "if-match": `"${readOn}"` };
    return (await this.#call("PUT", pathOf(room), settings, ifMatch)) as RoomResource;
  }

  async readRoom(room: string): Promise<RoomResource> {
    return (await this.#call("GET", pathOf(room))) as RoomResource;
  }

  /** With `readOn` refused as `changed-since`, as `putRoom`. */
  async patchRoom(room: string, settings: unknown, readOn?: string): Promise<RoomResource> {
    const ifMatch = readOn === undefined ? {} : { "if-match": `"${readOn}"` };
    return (await this.#call("PATCH", pathOf(room), settings, ifMatch)) as RoomResource;
  }

  async deleteRoom(room: string): Promise<void> {
    await this.#call("DELETE", pathOf(room));
  }

  async listDeletedRooms(): Promise<DeletedRoomResource[]> {
    const answer = await this.#call("GET", `${API_ROOMS}?deleted=true`);
    return (answer as { readonly rooms: DeletedRoomResource[] }).rooms;
  }

  /** By name: the last one that was deleted under it. */
  async restoreRoom(room: string): Promise<RoomResource> {
    const path = `${API_ROOMS}/${encodeURIComponent(room)}/restore`;
    return (await this.#call("POST", path)) as RoomResource;
  }

  /** A link to look at a page of one's own. */
  async previewPage(html: string): Promise<string> {
    const answer = await this.#call("POST", `${ROOMS}/preview`, { custom_html: html });
    return (answer as { readonly preview_url: string }).preview_url;
  }

  /** Both in milliseconds since 1970. */
  async historyOf(room: string, { from, to, step }: Span): Promise<MinuteResource[]> {
    const span = new URLSearchParams({
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      step,
    });
    const path = `${API_ROOMS}/${encodeURIComponent(room)}/history?${span}`;
    return ((await this.#call("GET", path)) as { readonly minutes: MinuteResource[] }).minutes;
  }

  async pace(room: string, ask: unknown): Promise<PaceResource> {
    const path = `${API_ROOMS}/${encodeURIComponent(room)}/pace`;
    if (ask === null) return (await this.#call("GET", path)) as PaceResource;
    const answer = ask === "taken-back" ? this.#call("DELETE", path) : this.#call("PUT", path, ask);
    return (await answer) as PaceResource;
  }

  /** Also where it has ended before. */
  async endVisit(room: string, visit: number): Promise<void> {
    await this.#call("DELETE", `${API_ROOMS}/${encodeURIComponent(room)}/visits/${visit}`);
  }

  async findVisitor(room: string, visitor: string): Promise<VisitorResource> {
    return (await this.#call("GET", visitorPath(room, visitor))) as VisitorResource;
  }

  async helpVisitor(room: string, visitor: string, change: unknown): Promise<VisitorResource> {
    return (await this.#call("PATCH", visitorPath(room, visitor), change)) as VisitorResource;
  }

  /** Ends its visit, or takes its number out of the line. Also where both are over. */
  async endVisitor(room: string, visitor: string): Promise<void> {
    await this.#call("DELETE", visitorPath(room, visitor));
  }

  /** Ends every visit, and answers how many there were. */
  async revokeAll(room: string): Promise<number> {
    const answer = await this.#call("POST", `${API_ROOMS}/${encodeURIComponent(room)}/revoke`);
    return (answer as { readonly revoked: number }).revoked;
  }

  async statusOf(room: string): Promise<RoomStatusResource> {
    return (await this.#call("GET", `${pathOf(room)}/status`)) as RoomStatusResource;
  }

  async listEvents(room: string): Promise<PlannedEventResource[]> {
    const path = `${pathOf(room)}/events?per_page=${PER_PAGE}`;
    return (await this.#call("GET", path)) as PlannedEventResource[];
  }

  async eventDetails(room: string, event: string): Promise<PlannedEventResource> {
    return (await this.#call(
      "GET",
      `${pathOf(room)}/events/${event}/details`,
    )) as PlannedEventResource;
  }

  async createEvent(room: string, event: unknown): Promise<PlannedEventResource> {
    return (await this.#call("POST", `${pathOf(room)}/events`, event)) as PlannedEventResource;
  }

  /** Refused as `changed-since` when the event is not as it was read. */
  async putEvent(
    room: string,
    { id, modified_on }: PlannedEventResource,
    event: unknown,
  ): Promise<PlannedEventResource> {
    const ifMatch = { "if-match": `"${modified_on}"` };
    const path = `${pathOf(room)}/events/${id}`;
    return (await this.#call("PUT", path, event, ifMatch)) as PlannedEventResource;
  }

  async patchEvent(room: string, event: string, change: unknown): Promise<PlannedEventResource> {
    return (await this.#call(
      "PATCH",
      `${pathOf(room)}/events/${event}`,
      change,
    )) as PlannedEventResource;
  }

  async deleteEvent(room: string, event: string): Promise<void> {
    await this.#call("DELETE", `${pathOf(room)}/events/${event}`);
  }

  async listRules(room: string): Promise<RuleResource[]> {
    return (await this.#call("GET", `${pathOf(room)}/rules`)) as RuleResource[];
  }

  async addRule(room: string, rule: unknown): Promise<RuleResource[]> {
    return (await this.#call("POST", `${pathOf(room)}/rules`, rule)) as RuleResource[];
  }

  async putRules(room: string, rules: unknown): Promise<RuleResource[]> {
    return (await this.#call("PUT", `${pathOf(room)}/rules`, rules)) as RuleResource[];
  }

  async patchRule(room: string, rule: string, change: unknown): Promise<RuleResource[]> {
    return (await this.#call("PATCH", `${pathOf(room)}/rules/${rule}`, change)) as RuleResource[];
  }

  async deleteRule(room: string, rule: string): Promise<RuleResource[]> {
    return (await this.#call("DELETE", `${pathOf(room)}/rules/${rule}`)) as RuleResource[];
  }

  async listKeys(): Promise<Keys> {
    return (await this.#call("GET", KEYS)) as Keys;
  }

  async rotateKeys(): Promise<Keys> {
    return (await this.#call("POST", `${KEYS}/rotate`)) as Keys;
  }

  async revokeKey(name: string): Promise<Keys> {
    return (await this.#call("DELETE", `${KEYS}/${encodeURIComponent(name)}`)) as Keys;
  }

  async listTokens(): Promise<readonly TokenResource[]> {
    const answer = await this.#call("GET", TOKENS);
    return (answer as { readonly tokens: readonly TokenResource[] }).tokens;
  }

  /** The only answer with the token itself. */
  async createToken(token: TokenInput): Promise<MadeTokenResource> {
    return (await this.#call("POST", TOKENS, token)) as MadeTokenResource;
  }

  async revokeToken(id: string): Promise<void> {
    await this.#call("DELETE", `${TOKENS}/${encodeURIComponent(id)}`);
  }

  async auditPage(query: Readonly<Record<string, string>>): Promise<AuditPageResource> {
    const path = `${AUDIT}?${new URLSearchParams(query).toString()}`;
    return (await this.#call("GET", path)) as AuditPageResource;
  }

  async #call(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<unknown> {
    const call = { method, path, body, headers };
    const { status, isOk, json } = await callDeployment(this.#deployment, call, this.#fetch);
    if (status === 204) return null;
    const answer = json as Answer | null;
    if (isOk && answer !== null) {
      if (answer.success !== true) return answer;
      const { name } = (answer.result ?? {}) as { readonly name?: unknown };
      for (const { message } of answer.messages ?? [])
        if (message !== undefined) this.#onNote(`${String(name)}: ${message}`);
      return answer.result;
    }
    throw failureOf(status, answer, this.#deployment, path);
  }
}

const pathOf = (room: string): string => `${ROOMS}/${encodeURIComponent(room)}`;

const visitorPath = (room: string, visitor: string): string =>
  `${API_ROOMS}/${encodeURIComponent(room)}/visitors/${encodeURIComponent(visitor)}`;

function failureOf(
  status: number,
  answer: Answer | null,
  deployment: DeploymentAccess,
  path: string,
): Failure {
  const reasons = (answer?.errors ?? []).flatMap(({ message, pointer = "", detail }) => {
    const field = pointer.slice(1).replaceAll("/", ".");
    return message ?? (detail === undefined ? [] : [field === "" ? detail : `${field} ${detail}`]);
  });
  if (reasons.length === 0 && answer?.detail !== undefined) reasons.push(answer.detail);
  if (answer === null || reasons.length === 0) return noSeiriken(deployment, status);
  if (status === 401) {
    return new Failure("not-signed-in", "the token is missing or wrong", [
      "give the deployment's ADMIN_TOKEN, or a token made from it, in the variable of that name, or with --token-file",
    ]);
  }
  const [first = "", ...more] = reasons;
  if (status === 403)
    return new Failure("not-allowed", first, ["sign in with a token of a wider scope", ...more]);
  if (path === TOKENS && status === 400)
    return new Failure("refused", "no token was made", reasons);
  if (status === 429) return new Failure("slowed", first, more);
  if (status === 412) return new Failure("changed-since", first, more);
  if (status === 409) return new Failure("conflict", first, more);
  if (answer.code === "deleted-room-not-found")
    return new Failure("not-found", first, [
      "npm run rooms -- list --deleted shows those that can be restored",
    ]);
  if (answer.code === "visitor-not-found") return new Failure("not-found", first, more);
  const isUnknown = answer.code === "room-not-found";
  if (isUnknown || answer.errors?.[0]?.code === ERROR_CODES["not-found"]) {
    const cause = isUnknown ? "there is no such room" : first;
    return new Failure("not-found", cause, ["npm run rooms -- list shows the rooms there are"]);
  }
  if (status === 404) return new Failure("off", first, more);
  if (status >= 500) return new Failure("unavailable", first, more);
  const [, of] = /\/(event|rule)s\b/.exec(path) ?? [];
  const what =
    of === undefined ? "the room was" : of === "event" ? "the event was" : "the rules were";
  return new Failure("refused", `${what} refused`, reasons);
}
