/** Errors of ours, as RFC 9457 problem details: one table of stable codes. */
import { DESK_PROBLEMS } from "./desk-problems.ts";
import { LOCK_PROBLEMS } from "./lock-problems.ts";
import { OPERATOR_PROBLEMS } from "./operator-problems.ts";
import { WEBHOOK_PROBLEMS } from "./webhook-problems.ts";

export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** What the reader can do. */
  readonly detail: string;
}

export const problems = {
  ...LOCK_PROBLEMS,
  ...DESK_PROBLEMS,
  ...WEBHOOK_PROBLEMS,
  ...OPERATOR_PROBLEMS,
  "ambiguous-url": {
    status: 400,
    title: "This path has no single meaning.",
    detail:
      "Spell it without stray or doubled escapes, encoded dot segments or control characters.",
  },
  "body-invalid": {
    status: 400,
    title: "The body is not what its type says.",
    detail: "Send well-formed JSON, nested at most 100 deep, or a well-formed form.",
  },
  "query-invalid": {
    status: 400,
    title: "The query of this call makes no sense.",
    detail: "Correct the parameters that errors names.",
  },
  "not-json": {
    status: 400,
    title: "The body is not JSON.",
    detail: "Correct it at the place that errors names.",
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
  "proof-needed": {
    status: 403,
    title: "This room asks for a proof of work before it gives a ticket.",
    detail:
      "Solve puzzle and repeat the request with its solution in Seiriken-Proof; docs/API.md says how.",
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
  "token-too-short": {
    status: 404,
    title: "The deployment's token is too short, so this is off.",
    detail: "Set the secret (ADMIN_TOKEN, or LOCK_TOKEN for locks) to at least 16 characters.",
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
  "body-too-large": {
    status: 413,
    title: "The body is larger than this path takes.",
    detail: "Send less; nothing was done.",
  },
  "unknown-host": {
    status: 421,
    title: "This deployment does not serve this host.",
    detail:
      "Name the host in a room's route or in PASS_HOSTS. If a proxy stands in front, let it send " +
      "its visitors' Host on (nginx: proxy_set_header Host $http_host).",
  },
  "ambiguous-host": {
    status: 421,
    title: "Several rooms guard this path, each under another host than this.",
    detail:
      "Name this host in the route of the one that is meant. If a proxy stands in front, let it " +
      "send its visitors' Host on (nginx: proxy_set_header Host $http_host).",
  },
  "upgrade-required": {
    status: 426,
    title: "This path speaks WebSocket only.",
    detail: "Open it as a WebSocket.",
  },
  "too-many-tries": {
    status: 429,
    title: "Too many wrong tokens came from this network.",
    detail: "Come back after the time in Retry-After, with the right one.",
  },
  "too-many-preflights": {
    status: 429,
    title: "Too many preflights came in this second.",
    detail:
      "Repeat the request after the time in Retry-After, or let browsers keep the answers longer with Access-Control-Max-Age.",
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
  "origin-lost": {
    status: 502,
    title: "The site gave no answer to this.",
    detail: "It may or may not have done what was asked. Look before you repeat the request.",
  },
  "origin-loop": {
    status: 508,
    title: "The site leads back to its own waiting room.",
    detail:
      "Nothing was done. Whoever runs the site has to name its servers in ORIGIN or in the room's origin, not the waiting room's own address.",
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
  "still-waiting": {
    status: 503,
    title: "There is no ticket for you yet.",
    detail: "Come back after the time in Retry-After.",
  },
  busy: {
    status: 503,
    title: "The room is very busy.",
    detail: "Come back after the time in Retry-After; your place is kept.",
  },
  "too-many-sockets": {
    status: 503,
    title: "This socket is refused, and too many refused ones are still open.",
    detail: "See close for the reason. Come back after the time in Retry-After, or poll.",
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

/** A problem's body. `members` are the fields that this code has besides the usual ones. */
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
