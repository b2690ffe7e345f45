/** Problems that only locks and their rules have. */
import type { ProblemKind } from "./problem.ts";

export const LOCK_PROBLEMS = {
  "ambiguous-method": {
    status: 400,
    title: "This request names two methods, and each is to be done in a way of its own.",
    detail: "Send the method that is meant, without an override.",
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
  "lock-reserved": {
    status: 403,
    title: "Locks of this namespace belong to lock rules.",
    detail: "Choose a namespace that does not begin with rule: for locks of your own.",
  },
  "rule-not-found": {
    status: 404,
    title: "There is no such lock rule.",
    detail: "Check the rule's name.",
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
  "body-too-slow": {
    status: 408,
    title: "The body did not arrive in time.",
    detail: "Send it whole, without long pauses. If a part of it got there, look at what was done.",
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
  "lock-lost": {
    status: 410,
    title: "You do not hold this lock, or not any more.",
    detail: "Stop what you do under it. To go on, acquire it again.",
  },
  "body-encoded": {
    status: 415,
    title: "The body is compressed or not in UTF-8, and what names the thing to do is inside.",
    detail: "Send it in UTF-8 and without Content-Encoding.",
  },
  "idempotency-mismatch": {
    status: 422,
    title: "This key was used for another request, or by another client.",
    detail:
      "Nothing was done by this request. Repeat only the same request under the same key, in the same session; make a new key for each thing to do.",
  },
  "too-many-answers": {
    status: 429,
    title: "Too many answers are kept for this client.",
    detail:
      "Nothing was done. Come back after the time in Retry-After, when some of them have gone.",
  },
  "too-many-lock-calls": {
    status: 429,
    title: "Too many locks were asked for in this second.",
    detail: "Come back after the time in Retry-After.",
  },
  "outcome-unknown": {
    status: 502,
    title: "This was begun before, and nobody knows how it ended.",
    detail:
      "It is not done again under this key. Look at what it did; then use a new key if need be.",
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
  "too-many-bodies": {
    status: 503,
    title: "Too much is being sent at the moment.",
    detail: "Nothing was done. Come back after the time in Retry-After.",
  },
  "locks-unavailable": {
    status: 503,
    title: "The locks cannot be reached.",
    detail: "Come back after the time in Retry-After.",
  },
} as const satisfies Record<string, ProblemKind>;
