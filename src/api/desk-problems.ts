/** Problems that only the help desk has. */
import type { ProblemKind } from "./problem.ts";

export const DESK_PROBLEMS = {
  "visitor-not-found": {
    status: 404,
    title: "Nobody is known by that.",
    detail:
      "Give a ticket's or visit's number, or the eight letters that the page shows. A reference is known while its visitor waits or visits, and for a time after a visit.",
  },
  "visitor-change-invalid": {
    status: 400,
    title: "This does not say what to do for the visitor.",
    detail: 'Send {"more_minutes": 1 to 60} or {"call_again": true}; errors names what is wrong.',
  },
  "visitor-ended": {
    status: 409,
    title: "This number is over.",
    detail: "A number that is spent never comes back: its visitor takes a new ticket.",
  },
  "visitor-without-time": {
    status: 409,
    title: "Nothing runs out for this visitor now.",
    detail: "More time is for a visit, or for a number whose turn it is.",
  },
  "more-time-given": {
    status: 409,
    title: "This visitor has got as much more time as one may.",
    detail: "All together are 600 minutes for a call or a visit.",
  },
  "visitor-leaving": {
    status: 409,
    title: "The site has ended this visit, and it only runs out.",
    detail: "Its visitor can take a new ticket.",
  },
  "visitor-inside": {
    status: 409,
    title: "This visitor is inside, and needs no call.",
    detail: "More time is given with more_minutes.",
  },
} as const satisfies Record<string, ProblemKind>;
