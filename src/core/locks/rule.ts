import type { InstantMs } from "../time.ts";

/** Where the text that names the lock stands in a request. */
export interface RuleKey {
  readonly from: "header" | "query" | "path" | "json" | "form";
  /** A header, a parameter, a `:segment` of the path, a JSON pointer (RFC 6901), a form field. */
  readonly name: string;
  /** True: a request without the key is refused. False: it passes unlocked. */
  readonly required: boolean;
}

/** What tells one client of a rule from another, beside `Authorization`. */
export interface RuleSession {
  readonly from: "cookie" | "header";
  readonly name: string;
}

/** A lock around matching requests. Hosts and paths are in their canonical spelling. */
export interface LockRule {
  /** Its identity: it names the namespace of its locks. */
  readonly name: string;
  /** `*` for every host. */
  readonly host: string;
  /** Whole segments, the path's first ones; `:name` stands for any one segment. */
  readonly path: string;
  readonly methods: readonly string[];
  readonly key: RuleKey;
  readonly leaseMs: number;
  /** 0: a second one is refused at once. */
  readonly waitMs: number;
  readonly conflictStatus: 409 | 422 | 423;
  readonly idempotency: boolean;
  readonly retentionMs: number;
  /** How long the body of a request may take to arrive. */
  readonly bodyMs: number;
  /** What tells clients apart; null: every cookie counts, and the headers that carry keys. */
  readonly session: RuleSession | null;
  readonly createdAt: InstantMs;
  readonly modifiedAt: InstantMs;
}
