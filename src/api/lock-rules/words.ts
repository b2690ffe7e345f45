/** What each setting of a lock rule does, in a sentence or two; docs/settings.md is made of them. */

export const RULE_WORDS = {
  name: "The rule's identity; its locks are in the namespace `rule:` and the name.",
  host: "Requests to this host; `*` is every host. Hosts that nothing names and that lead to the same origin follow the rule too.",
  path: "This path and what is below it; `:id` stands for any one segment. The most specific rule owns a request.",
  methods: "What is locked. Safe methods never are.",
  key: "What names the thing to do: two requests with the same text don't run at once.",
  lease_seconds:
    "Renewed while the request runs: how long the key stays locked if the Worker dies.",
  wait_seconds: "0: the second request is refused at once. More: it stands in line for so long.",
  conflict_status: "The status of that refusal.",
  idempotency:
    "Keeps finished answers and replays them under the same key. Needs a key in a header.",
  retention_seconds: "How long they are kept.",
  session:
    "What tells your site whose request it is, and so whose answer. null: every cookie and every header that looks like it.",
  body_seconds: "How long the body of a request may take to arrive.",
} as const;

export const RULE_KEY_WORDS = {
  from: "Where the text stands that names the thing to do.",
  name: "The header, query parameter, form field, JSON pointer (`/order/id`), or for `path` the name of a `:segment`.",
  required: "false: a request without it passes unlocked.",
} as const;

export const RULE_SESSION_WORDS = {
  from: "A cookie or a header.",
  name: "Its name.",
} as const;
