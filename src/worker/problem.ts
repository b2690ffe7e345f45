/** Errors of ours, as RFC 9457 problem details: one table of stable codes. */
interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** What the reader can do. */
  readonly detail: string;
}

export const problems = {
  "ambiguous-url": {
    status: 400,
    title: "This path has no single meaning.",
    detail:
      "Spell it without stray or doubled escapes, encoded dot segments or control characters.",
  },
  "lock-body-invalid": {
    status: 400,
    title: "This body does not say how to lock.",
    detail: "Correct what errors lists, and send it again.",
  },
  "lock-key-invalid": {
    status: 400,
    title: "What names the thing to do is not in one clear form in this request.",
    detail: "Send it exactly once, as a text, number or truth value.",
  },
  "lock-key-missing": {
    status: 400,
    title: "What names the thing to do is missing in this request.",
    detail: "Send it where the site's documentation says; nothing was done.",
  },
  "lock-name-invalid": {
    status: 400,
    title: "This is not the name of a lock.",
    detail: "Namespace and key have 1 to 256 bytes each and no control characters.",
  },
  "body-invalid": {
    status: 400,
    title: "The body is not what its type says.",
    detail: "Send well-formed JSON, nested at most 100 deep, or a well-formed form.",
  },
  "not-json": {
    status: 400,
    title: "The body is not JSON.",
    detail: "Correct it at the place that errors names.",
  },
  "owner-invalid": {
    status: 400,
    title: "The holder is not named.",
    detail: "Send the owner that the lock was granted with in Seiriken-Owner.",
  },
  "rule-invalid": {
    status: 400,
    title: "The lock rule has problems.",
    detail: "Correct what errors lists; nothing was changed.",
  },
  unauthorized: {
    status: 401,
    title: "The bearer token is missing or wrong.",
    detail: "Send the header Authorization: Bearer with the token of this deployment.",
  },
  "cookies-needed": {
    status: 400,
    title: "This browser has not sent our cookie back.",
    detail:
      "Allow cookies for this site and repeat the request; the cookie comes with this answer.",
  },
  "lock-reserved": {
    status: 403,
    title: "Locks of this namespace belong to lock rules.",
    detail: "Choose a namespace that does not begin with rule: for locks of your own.",
  },
  "foreign-origin": {
    status: 403,
    title: "Another site sent this request.",
    detail: "Send it from one of the room's hosts, or add the origin to cors_origins.",
  },
  "not-found": {
    status: 404,
    title: "There is nothing here.",
    detail: "Check the path.",
  },
  "room-not-found": {
    status: 404,
    title: "There is no such room.",
    detail: "Check the room's name or id.",
  },
  "rule-not-found": {
    status: 404,
    title: "There is no such lock rule.",
    detail: "Check the rule's name.",
  },
  "no-ticket": {
    status: 404,
    title: "You have no ticket for this room.",
    detail: "Take one with POST on this room's tickets.",
  },
  "no-visit": {
    status: 404,
    title: "You have no pass for this room.",
    detail: "Claim one with POST on this room's visits once your number is called.",
  },
  "method-not-allowed": {
    status: 405,
    title: "This path does not take this method.",
    detail: "See the header Allow.",
  },
  "room-suspended": {
    status: 409,
    title: "This room lets everybody through.",
    detail: "Go straight to the site; no ticket is needed.",
  },
  "answer-not-kept": {
    status: 409,
    title: "This was done before, and its answer was too large to keep.",
    detail: "Look at what it did; it is not done again under this key.",
  },
  "lock-conflict": {
    status: 409,
    title: "The same thing is being done at this moment.",
    detail: "Nothing was done by this request. Look at the outcome of the first one.",
  },
  "lock-held": {
    status: 409,
    title: "Somebody else holds this lock.",
    detail: "Come back after the time in Retry-After, or wait in line with wait_seconds.",
  },
  "lock-taken-over": {
    status: 409,
    title: "The same owner has asked again.",
    detail: "The later request goes on in this one's place.",
  },
  "rule-changed": {
    status: 409,
    title: "Somebody else changed the lock rule.",
    detail: "Read it again, and then change it.",
  },
  "rule-exists": {
    status: 409,
    title: "There is a lock rule of this name.",
    detail: "Choose another name, or change that rule with PUT or PATCH.",
  },
  "too-many-rules": {
    status: 409,
    title: "There are as many lock rules as there may be.",
    detail: "Delete one that is not needed any more.",
  },
  ended: {
    status: 410,
    title: "This place has ended.",
    detail: "Take a new ticket with POST on this room's tickets.",
  },
  "lock-lost": {
    status: 410,
    title: "You do not hold this lock, or not any more.",
    detail: "Stop what you do under it. To go on, acquire it again.",
  },
  "room-closed": {
    status: 409,
    title: "This room is closed and takes no tickets.",
    detail: "Read the room's message; there is nothing to wait for.",
  },
  "too-large": {
    status: 413,
    title: "The body is too large.",
    detail: "Send this request without a body.",
  },
  "body-encoded": {
    status: 415,
    title: "The body is compressed, and what names the thing to do is inside.",
    detail: "Send it without Content-Encoding.",
  },
  "body-too-large": {
    status: 413,
    title: "The body is larger than this path takes.",
    detail: "Send less; nothing was done.",
  },
  "unknown-host": {
    status: 421,
    title: "This deployment does not serve this host.",
    detail: "Name the host in a room's route or in PASS_HOSTS.",
  },
  "idempotency-mismatch": {
    status: 422,
    title: "This key was used for another request.",
    detail: "Make a new key for each thing to do; repeat only the same request under the same key.",
  },
  "upgrade-required": {
    status: 426,
    title: "This path speaks WebSocket only.",
    detail: "Open it as a WebSocket.",
  },
  "too-many-lock-calls": {
    status: 429,
    title: "Too many locks were asked for in this second.",
    detail: "Come back after the time in Retry-After.",
  },
  "too-many-joins": {
    status: 429,
    title: "Too many tickets were taken from this address.",
    detail: "Come back after the time in Retry-After.",
  },
  internal: {
    status: 500,
    title: "Something broke here.",
    detail: "Try again; if it stays, tell the site the reference.",
  },
  "outcome-unknown": {
    status: 502,
    title: "This was begun before, and nobody knows how it ended.",
    detail:
      "It is not done again under this key. Look at what it did; then use a new key if need be.",
  },
  "origin-unreachable": {
    status: 502,
    title: "The site did not answer.",
    detail: "Your place is kept. Try again in a moment.",
  },
  "lock-line-full": {
    status: 503,
    title: "Too many wait for this lock.",
    detail: "Come back after the time in Retry-After.",
  },
  "locks-full": {
    status: 503,
    title: "No more locks can be held or answers kept here.",
    detail: "Nothing was done. Come back after the time in Retry-After.",
  },
  "locks-unavailable": {
    status: 503,
    title: "The locks cannot be reached.",
    detail: "Come back after the time in Retry-After.",
  },
  "origin-timeout": {
    status: 504,
    title: "The site took too long to answer.",
    detail: "It may still have done what was asked. Look before you repeat the request.",
  },
  paced: {
    status: 503,
    title: "The site takes no more requests this second.",
    detail: "Repeat the request after the time in Retry-After; your pass stays good.",
  },
  "line-full": {
    status: 503,
    title: "The line is full.",
    detail: "Come back after the time in Retry-After.",
  },
  "lobby-full": {
    status: 503,
    title: "The line is full at this door.",
    detail: "Come back after the time in Retry-After.",
  },
  busy: {
    status: 503,
    title: "The room is very busy.",
    detail: "Come back after the time in Retry-After; your place is kept.",
  },
  "room-unavailable": {
    status: 503,
    title: "The waiting room cannot be reached.",
    detail: "Come back after the time in Retry-After; your place is kept.",
  },
  "not-ready": {
    status: 503,
    title: "This deployment does not know its rooms yet.",
    detail: "Come back after the time in Retry-After.",
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problems;

/** A problem's answer. `members` are what this code tells beside the usual. */
export const problem = (
  code: ProblemCode,
  reference: string,
  members: Readonly<Record<string, unknown>> = {},
): Response => {
  const { status, title, detail } = problems[code];
  const type = `urn:seiriken:${code}`;
  return new Response(
    JSON.stringify({ type, title, status, detail, code, reference, ...members }),
    { status, headers: { "Content-Type": "application/problem+json" } },
  );
};
