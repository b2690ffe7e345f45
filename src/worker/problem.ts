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
  ended: {
    status: 410,
    title: "This place has ended.",
    detail: "Take a new ticket with POST on this room's tickets.",
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
  "unknown-host": {
    status: 421,
    title: "This deployment does not serve this host.",
    detail: "Name the host in a room's route or in PASS_HOSTS.",
  },
  "upgrade-required": {
    status: 426,
    title: "This path speaks WebSocket only.",
    detail: "Open it as a WebSocket.",
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
  "origin-unreachable": {
    status: 502,
    title: "The site did not answer.",
    detail: "Your place is kept. Try again in a moment.",
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
