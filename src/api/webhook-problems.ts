/** Problems that only webhooks have. */
import type { ProblemKind } from "./problem.ts";

export const WEBHOOK_PROBLEMS = {
  "webhook-invalid": {
    status: 400,
    title: "The webhook has problems.",
    detail: "Correct what errors lists; nothing was changed.",
  },
  "webhook-not-found": {
    status: 404,
    title: "There is no such webhook.",
    detail: "Check its id.",
  },
  "too-many-webhooks": {
    status: 409,
    title: "There are as many webhooks as there may be.",
    detail: "Delete one that is not needed any more.",
  },
  "webhook-changed": {
    status: 412,
    title: "Somebody else changed the webhook.",
    detail: "Read it again, and then change it.",
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;
