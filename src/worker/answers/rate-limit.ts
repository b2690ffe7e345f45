/**
 * `RateLimit-Policy` and `RateLimit`, as draft-ietf-httpapi-ratelimit-headers-11 (May 2026) writes
 * them: lists of strings with parameters (RFC 9651). Another draft changes this file and no other.
 */

export const POLICY_HEADER = "RateLimit-Policy";
export const LIMIT_HEADER = "RateLimit";

/** So much may happen in so many seconds, for all clients together. */
export interface QuotaPolicy {
  readonly name: string;
  readonly quota: number;
  readonly windowSeconds: number;
}

/** How much of a quota is left, and in how many seconds there is more. */
export interface ServiceLimit {
  readonly name: string;
  readonly left: number;
  readonly resetSeconds: number;
}

export const policyText = (policies: readonly QuotaPolicy[]): string =>
  policies
    .map(({ name, quota, windowSeconds }) => `${text(name)};q=${quota};w=${windowSeconds}`)
    .join(", ");

export const limitText = (limits: readonly ServiceLimit[]): string =>
  limits
    .map(({ name, left, resetSeconds }) => `${text(name)};r=${left};t=${resetSeconds}`)
    .join(", ");

/** RFC 9651, 4.1.6. Names are ours: printable ASCII without a quote or a backslash. */
const text = (name: string): string => `"${name}"`;
