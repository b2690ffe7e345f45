/** What each field of a rule says, in a sentence or two. */
export const RULE_WORDS = {
  action: "What a request that matches does.",
  expression: "Which requests match, in Cloudflare's rules language.",
  description: "For the operator.",
  enabled: "With `false` it matches nothing.",
} as const;

export const PLACE_WORDS = {
  position: "Where among the others; at the end where it is new.",
} as const;

export const POSITION_WORDS = {
  index: "From 1.",
  before: "A rule's id; empty: before all others.",
  after: "A rule's id; empty: behind all others.",
} as const;
