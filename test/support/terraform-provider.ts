/**
 * Cloudflare's Terraform provider (version 5) as far as a plan of a room, its events and its rules goes: what it sends, what it keeps of
 * the replies, and what it would change then. Its attributes are of three kinds: those that have a default
 * of the provider's own, those that are whatever the server says unless they are given, and those that are
 * nothing unless they are given.
 */
type Attributes = Readonly<Record<string, unknown>>;

export interface ResourceCalls {
  create(body: Attributes): Promise<unknown>;
  update(id: string, body: Attributes): Promise<unknown>;
  read(id: string): Promise<unknown>;
}

/** The attributes of one kind of resource. */
export interface Model {
  readonly required: readonly string[];
  readonly defaults: Attributes;
  readonly givenOrTheServers: readonly string[];
  readonly givenOrNone: readonly string[];
}

const ROOM: Model = {
  required: ["host", "name", "new_users_per_minute", "total_active_users"],
  defaults: {
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
  },
  givenOrTheServers: [
    "additional_routes",
    "cookie_attributes",
    "enabled_origin_commands",
    "turnstile_action",
    "turnstile_mode",
  ],
  givenOrNone: ["cookie_suffix"],
};

/** `cloudflare_waiting_room_event` */
export const EVENT: Model = {
  required: ["event_end_time", "event_start_time", "name"],
  defaults: { description: "", shuffle_at_event_start: false, suspended: false },
  givenOrTheServers: [],
  givenOrNone: [
    "custom_page_html",
    "disable_session_renewal",
    "new_users_per_minute",
    "prequeue_start_time",
    "queueing_method",
    "session_duration",
    "total_active_users",
    "turnstile_action",
    "turnstile_mode",
  ],
};

/** `cloudflare_waiting_room_rules` */
export const RULES: Model = {
  required: ["rules"],
  defaults: {},
  givenOrTheServers: [],
  givenOrNone: [],
};

const namesOf = ({ required, defaults, givenOrTheServers, givenOrNone }: Model) => [
  ...required,
  ...Object.keys(defaults),
  ...givenOrTheServers,
  ...givenOrNone,
];

/** Within objects every attribute is there, and without a value null. */
const ROUTE: Attributes = { host: null, path: "/" };
const COOKIES: Attributes = { samesite: "auto", secure: "auto" };
const RULE: Attributes = { description: "", enabled: true };
const RULE_NAMES = ["action", "expression", "description", "enabled"];

export class Provider {
  readonly #calls: ResourceCalls;
  readonly #model: Model;
  #state: Attributes | null = null;
  #id = "";

  constructor(calls: ResourceCalls, model: Model = ROOM) {
    this.#calls = calls;
    this.#model = model;
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
    this.#state = stateOf(reply, this.#model);
  }

  /** What a plan of the same file would change, after a look at the server. */
  async changesFor(config: Attributes): Promise<string[]> {
    this.#state = stateOf(await this.#calls.read(this.#id), this.#model);
    const planned = this.#planOf(config);
    return namesOf(this.#model)
      .filter((name) => !isEqual(planned[name], this.#state?.[name]))
      .map(
        (name) =>
          `${name}: ${JSON.stringify(this.#state?.[name])} -> ${JSON.stringify(planned[name])}`,
      );
  }

  #planOf(config: Attributes): Attributes {
    return Object.fromEntries(
      namesOf(this.#model).map((name) => [
        name,
        nested(name, config[name]) ?? this.#withoutConfig(name),
      ]),
    );
  }

  #withoutConfig(name: string): unknown {
    if (this.#model.givenOrTheServers.includes(name)) return this.#state?.[name] ?? null;
    return this.#model.defaults[name] ?? null;
  }
}

const nested = (name: string, value: unknown): unknown => {
  if (value === undefined || value === null) return null;
  if (name === "additional_routes")
    return (value as readonly Attributes[]).map((route) => ({ ...ROUTE, ...route }));
  if (name === "rules")
    return (value as readonly Attributes[]).map((rule) => ({ ...RULE, ...rule }));
  return name === "cookie_attributes" ? { ...COOKIES, ...(value as Attributes) } : value;
};

/** Whatever is absent in a reply is null in the state; within objects too. */
const stateOf = (reply: unknown, model: Model): Attributes => {
  const result = resultOf(reply);
  return Object.fromEntries(
    namesOf(model).map((name) => [name, known(name, result[name] ?? null)]),
  );
};

/** What an attribute's objects have beyond the provider's own attributes it does not keep. */
const known = (name: string, value: unknown): unknown => {
  if (value === null) return null;
  if (name === "additional_routes")
    return (value as readonly Attributes[]).map((route) => ({ host: null, path: null, ...route }));
  if (name !== "rules") return value;
  return (value as readonly Attributes[]).map((rule) =>
    Object.fromEntries(RULE_NAMES.map((attribute) => [attribute, rule[attribute] ?? null])),
  );
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
