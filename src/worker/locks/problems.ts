/** What a shard refuses, as its code. */
export const REFUSAL_CODES = {
  "line-full": "lock-line-full",
  "table-full": "locks-full",
  "too-many-calls": "too-many-lock-calls",
  "share-full": "too-many-answers",
} as const;
