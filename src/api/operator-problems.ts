/** Problems that only operators have: with rooms, draws, the pace, tokens and keys. */
import type { ProblemKind } from "./problem.ts";

export const OPERATOR_PROBLEMS = {
  "token-invalid": {
    status: 400,
    title: "This is no token that can be made.",
    detail: "Correct what errors lists; nothing was made.",
  },
  "foreign-page": {
    status: 403,
    title: "This may have been sent by a page of another site.",
    detail:
      "Signed in through Cloudflare Access, change things from our own page, or sign in with a token.",
  },
  "scope-missing": {
    status: 403,
    title: "This token may not do that.",
    detail: "Sign in with a token of a wider scope.",
  },
  "deleted-room-not-found": {
    status: 404,
    title: "There is no such deleted room.",
    detail: "No room was deleted under this name or id within a day, so none can be restored.",
  },
  "draw-not-found": {
    status: 404,
    title: "There is no such draw.",
    detail: "Check the event's id or name; only events that shuffle have a draw.",
  },
  "draw-not-running": {
    status: 409,
    title: "This event is not drawing now.",
    detail: "A value counts from the start of the event for ten minutes, until the order is drawn.",
  },
  "drawn-already": {
    status: 409,
    title: "The order is drawn already.",
    detail: "Nothing can change it; see the record of the draw.",
  },
  "draw-of-another-value": {
    status: 409,
    title: "Another kind of value was announced for this draw.",
    detail: "It is drawn by a round of drand, and an entered value would not hold.",
  },
  "pace-invalid": {
    status: 400,
    title: "This is no pace for a room.",
    detail: "Correct what errors names.",
  },
  "draw-value-invalid": {
    status: 400,
    title: "This is no value for a draw.",
    detail: "Correct what errors names.",
  },
  "name-taken": {
    status: 409,
    title: "Another room has this name.",
    detail: "Rename or delete that one first.",
  },
  "route-taken": {
    status: 409,
    title: "Another room has this route.",
    detail: "Take the route from that one first.",
  },
  "too-many-rooms": {
    status: 409,
    title: "There are as many rooms as there may be.",
    detail: "Delete one that is not needed any more.",
  },
  "management-off": {
    status: 404,
    title: "Management is off.",
    detail: "Set the secret ADMIN_TOKEN to turn it on.",
  },
  "token-not-found": {
    status: 404,
    title: "There is no such token.",
    detail: "Choose one of those that npm run tokens -- list shows.",
  },
  "key-not-found": {
    status: 404,
    title: "There is no such key.",
    detail: "Choose one of those that npm run keys -- list shows.",
  },
  "token-name-taken": {
    status: 409,
    title: "Another token has this name.",
    detail: "Choose another name, or revoke that one first.",
  },
  "too-many-tokens": {
    status: 409,
    title: "There are as many tokens as there may be.",
    detail: "Revoke one that is not needed any more.",
  },
  "keys-from-secret": {
    status: 409,
    title: "The keys come from a secret.",
    detail:
      "This deployment signs with the secret SIGNING_KEYS. To rotate, put a new kid:secret pair in " +
      "front of it and keep the old ones behind it; to revoke, take the pair out.",
  },
  "too-many-keys": {
    status: 409,
    title: "There are as many keys as there may be.",
    detail: "Revoke one that is not needed any more.",
  },
  "too-many-watchers": {
    status: 429,
    title: "As many watch this room as may.",
    detail: "Close another dashboard of this room, or come back later.",
  },
  "audit-unavailable": {
    status: 503,
    title: "This can't be entered in the audit log.",
    detail: "So it was not done. Try again.",
  },
  "registry-unavailable": {
    status: 503,
    title: "The Registry could not be reached.",
    detail: "Nothing is known to have changed. Try again.",
  },
} as const satisfies Record<string, ProblemKind>;
