/** What each setting of a room does, in a sentence or two; docs/settings.md is made of them. */

/** Cloudflare's fields. */
export const ROOM_WORDS = {
  name: "The room's name: in its URLs, logs and cookies. Not `settings`, `preview`, or 32 hex digits.",
  description: "For the operator.",
  host: "Requests to this host. Compared without port; `*` is every host.",
  path: "This path and what is below it; whole segments, without regard to case.",
  additional_routes:
    "More places of the same room; one without `host` has the room's, one without `path` has `/`.",
  total_active_users:
    "P: how many visits, or requests of a request room, are in at once. Never more.",
  new_users_per_minute: "How many may start in any 60 seconds.",
  session_duration: "Minutes that a visit lasts without activity. Fractions are allowed.",
  disable_session_renewal: "Activity prolongs nothing: a visit lasts `session_duration`.",
  queue_all: "Holds the room: nobody enters, everybody keeps their place.",
  suspended: "Everybody is let through.",
  queueing_method:
    "`fifo` calls the lowest number that is present, `random` one drawn evenly among the present (rooms of visits only), `passthrough` lets everybody through, `reject` shows the page without tickets.",
  queueing_status_code: "The status of the waiting page and of the room's JSON.",
  json_response_enabled: "Programs that wait get JSON; with `false` they get the page.",
  cookie_attributes: "What the room's cookies say.",
  cookie_suffix:
    "Ends the names of the room's cookies; empty: the name that the room was made with.",
  custom_page_html:
    "A page of one's own in place of the queue page: a Mustache template with Cloudflare's variables ([own-pages.md](own-pages.md)).",
  default_template_language:
    "The page speaks what the visitor chose on it, else what the browser asks for, else this.",
  enabled_origin_commands:
    "With `revoke` the origin's `Cf-Waiting-Room-Command: revoke` ends a visit. `Seiriken-Command` does so in any case.",
  turnstile_mode:
    "Shows those who want a ticket Turnstile's check. Needs the deployment's `TURNSTILE_SITE_KEY` and `TURNSTILE_SECRET_KEY`; without them the answer says that it changes nothing.",
  turnstile_action:
    "Of those who do not pass it: `log` logs them, `infinite_queue` lets them wait without a ticket, for ever.",
  seiriken: "What Cloudflare's API lacks.",
} as const;

/** What stands under `seiriken`. */
export const SEIRIKEN_WORDS = {
  permit:
    "`visit`: a permit is a visitor's, for as long as the visit lasts. `request`: a permit is one request's, until its answer has ended.",
  claim_within_seconds: "How long a called number may take to come in before it counts as missed.",
  return_window_seconds: "Who comes back within it keeps the number, and stands where it stands.",
  max_visit_seconds: "A visit ends at this age, however active it is.",
  starts_per_second:
    "At most so many visits (or requests of a request room) begin in a second. Without it a room of visits calls at most `new_users_per_minute` ÷ 30 of its line in a second, rounded up.",
  origin_requests_per_second:
    "At most so many requests of all who are in reach the origin in a second; the others get 503 with `Retry-After`.",
  ring: "What a second is: one of the clock (`calendar`), or any 1,000 ms (`sliding`).",
  ring_guard_ms:
    "How much earlier a second ends for new starts, so that the limit holds on the origin's clock too.",
  hold_seconds:
    "Request rooms: how long a request is held for its turn before it gets 503 and its ticket.",
  joins_per_address_per_minute:
    "Tickets, and entries by the open door, that one address may have in a minute.",
  trusted_proxies:
    "Proxies of your own before this, by number or by networks, in place of the deployment's; 0 trusts none.",
  strict:
    "Every request asks the Room whether its visit lives, so that an ended one is refused at once. Costs an object call each.",
  line_max: "With so many waiting, nobody else gets a ticket (503 `line-full`).",
  lobbies: "The least number of lobbies; more open by themselves.",
  regions:
    "Where its lobbies live, Cloudflare's location hints: a visitor's lobby is in the nearest of them. Fixed when the room is made ([regions.md](regions.md)).",
  room_region:
    "Where the Room itself lives; without it the first of `regions`. Fixed when the room is made.",
  jurisdiction:
    "Room and lobbies run and store nowhere else. Fixed when the room is made; `regions` and `room_region` lie in it.",
  cors_origins: "Other sites whose scripts may use the room, and see its tokens.",
  exempt: "Rules for requests that need no pass. Each rule needs a condition besides `rate`.",
  cookie_domain:
    "One set of cookies for several hosts below this domain; every host of the room lies in it.",
  on_failure:
    "When the room's objects can't be reached: `closed` keeps everybody on the page, `open` lets everybody through.",
  message: "A line on the page for those who wait.",
  closed:
    "Closes the room: no more tickets, nobody is called, and this text is on the page. null opens it.",
  origin:
    "Where the site is: a URL, or `service:NAME` for a binding. null: the deployment's `ORIGIN`, or the zone's own servers.",
  rewrite:
    "With a URL: redirects and cookie domains that name the origin's host become the visitor's.",
  keep_host: "The origin hears the visitor's `Host`, where the platform allows it.",
  close_sockets: "WebSockets are closed, and long answers broken off, when their visit ends.",
  origin_timeout_seconds:
    "Request rooms: how long the origin may take to begin its answer (then 504), and how long a permit outlives a Worker that died.",
  client_key:
    'Request rooms: what names a client that brings no ticket back, so that its place waits for it: `{"from": "address"}`, or `{"from": "header", "name": …}`.',
  origin_silence_seconds: "How long an answer that has begun may pause before it is broken off.",
  proof_of_work:
    "Rooms of visits: what a browser or an app has to work out before it gets a ticket; nothing by default.",
  adaptive:
    "Lowers P, never below `least_permits`, while the origin's answers take at least twice as long as in quiet times or more than a tenth of them fail, and gives it back when they do not ([decisions/adaptive.md](decisions/adaptive.md)).",
  least_permits: "The least that `adaptive` leaves of P; without it a tenth.",
  sold_out: "What the page says when a signal says that nothing is left.",
  appearance: "What the page looks like.",
  alerts:
    "From where on webhooks are told ([alerts.md](alerts.md)). What began at a bound ends well below it.",
} as const;

export const ROUTE_WORDS = {
  host: "The room's own where it is not given.",
  path: "`/` where it is not given.",
} as const;

export const COOKIE_WORDS = {
  samesite:
    "`auto`: the pass `None`, so that payers come back by a cross-site POST, the others `Lax`. Else all of them what it says.",
  secure:
    "`never` also takes the names' `__Host-` away: who waits when it changes begins anew. `auto`: always, but for plain HTTP under `npm start`.",
} as const;

export const EXEMPT_WORDS = {
  host: "Requests to this host only.",
  path: "This path and what is below it.",
  methods: "These methods only, in upper case.",
  header: "Only with this header: its `name`, and where `value` is given exactly that value.",
  rate: "At most so many a second in one isolate; what comes beyond is treated as if there were no rule.",
  if: "`ended-pass`: only with a pass that ended under 60 minutes ago, 20 requests each (payers who return).",
} as const;

export const EXEMPT_HEADER_WORDS = {
  name: "The header.",
  value: "Its exact value; without it, any.",
} as const;

export const CLIENT_KEY_WORDS = {
  from: "The client's address, or a header.",
  name: "The header, where `from` says so.",
} as const;

export const PROOF_OF_WORK_WORDS = {
  bits: "A ticket costs 2^bits hashes; 18 take an old phone a second or two.",
  bits_max:
    "It costs twice as much with each doubling of the tickets that its network asks for in a minute, from 32 on, but never more than 2^bits_max hashes.",
} as const;

export const ALERTS_WORDS = {
  wait_minutes: "A newcomer would wait for so long. 0: never.",
  origin_error_percent:
    "So many of the origin's answers of a minute failed (5xx, or none at all), of at least 20. 0: never.",
  no_show_percent:
    "So many of those called in five minutes did not come, of at least 20. 0: never.",
} as const;

/** `PUT …/pace`. */
export const PACE_WORDS = {
  permits: "P is at most this.",
  starts_per_second: "At most so many begin in a second.",
  new_users_per_minute: "At most so many begin in any 60 seconds.",
  stock_left:
    "P is at most this; at 0 the room closes itself, until more is left or an operator opens it.",
  ttl_seconds: "For so long it holds.",
  reason: "Why; it stands in the record.",
} as const;

export const APPEARANCE_WORDS = {
  name: "What the page calls the site.",
  accent: "The page's one colour.",
  logo: "An image on the page, inlined.",
} as const;
