/**
 * Cloudflare's Terraform provider (version 5) as far as a plan of a room goes: what it sends, what it keeps of
 * the replies, and what it would change then. Its attributes are of three kinds: those that have a default
 * of the provider's own, those that are whatever the server says unless they are given, and those that are
 * nothing unless they are given.
 */
type Attributes = Readonly<Record<string, unknown>>;

export interface RoomCalls {
  create(body: Attributes): Promise<unknown>;
  update(id: string, body: Attributes): Promise<unknown>;
  read(id: string): Promise<unknown>;
}

const DEFAULTS: Attributes = {
  custom_page_html: "",
  default_template_language: "en-US",
  description: "",
  disable_session_renewal: false,
  json_response_enabled: false,
  path: "/",
  queue_all: false,
  queueing_method: "fifo",
  queueing_status_code: 200,
  session_duration: 5,
  suspended: false,
};
const REQUIRED = ["host", "name", "new_users_per_minute", "total_active_users"];
const GIVEN_OR_THE_SERVERS = [
  "additional_routes",
  "cookie_attributes",
  "enabled_origin_commands",
  "turnstile_action",
  "turnstile_mode",
];
const GIVEN_OR_NONE = ["cookie_suffix"];
const NAMES = [...REQUIRED, ...Object.keys(DEFAULTS), ...GIVEN_OR_THE_SERVERS, ...GIVEN_OR_NONE];

/** Within objects every attribute is there, and without a value null. */
const ROUTE: Attributes = { host: null, path: "/" };
const COOKIES: Attributes = { samesite: "auto", secure: "auto" };

export class Provider {
  readonly #calls: RoomCalls;
  #state: Attributes | null = null;
  #id = "";

  constructor(calls: RoomCalls) {
    this.#calls = calls;
  }

  get id(): string {
    return this.#id;
  }

  /** Null means that nothing is sent, or in place of something that was there, null. */
  async apply(config: Attributes): Promise<void> {
    const planned = this.#planOf(config);
    const before = this.#state;
    const body = Object.fromEntries(
      Object.entries(planned).filter(
        ([name, value]) => value !== null || (before?.[name] ?? null) !== null,
      ),
    );
    const reply =
      before === null ? await this.#calls.create(body) : await this.#calls.update(this.#id, body);
    this.#id = resultOf(reply)["id"] as string;
    this.#state = stateOf(reply);
  }

  /** What a plan of the same file would change, after a look at the server. */
  async changesFor(config: Attributes): Promise<string[]> {
    this.#state = stateOf(await this.#calls.read(this.#id));
    const planned = this.#planOf(config);
    return NAMES.filter((name) => !isEqual(planned[name], this.#state?.[name])).map(
      (name) =>
        `${name}: ${JSON.stringify(this.#state?.[name])} -> ${JSON.stringify(planned[name])}`,
    );
  }

  #planOf(config: Attributes): Attributes {
    return Object.fromEntries(
      NAMES.map((name) => [name, nested(name, config[name]) ?? this.#withoutConfig(name)]),
    );
  }

  #withoutConfig(name: string): unknown {
    if (GIVEN_OR_THE_SERVERS.includes(name)) return this.#state?.[name] ?? null;
    return DEFAULTS[name] ?? null;
  }
}

const nested = (name: string, value: unknown): unknown => {
  if (value === undefined || value === null) return null;
  if (name === "additional_routes")
    return (value as readonly Attributes[]).map((route) => ({ ...ROUTE, ...route }));
  return name === "cookie_attributes" ? { ...COOKIES, ...(value as Attributes) } : value;
};

/** Whatever is absent in a reply is null in the state; within objects too. */
const stateOf = (reply: unknown): Attributes => {
  const result = resultOf(reply);
  const absent = { host: null, path: null };
  const routes = (result["additional_routes"] ?? null) as readonly Attributes[] | null;
  return {
    ...Object.fromEntries(NAMES.map((name) => [name, result[name] ?? null])),
    additional_routes: routes?.map((route) => ({ ...absent, ...route })) ?? null,
  };
};

const resultOf = (reply: unknown): Attributes => (reply as { result: Attributes }).result;

const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
};
