import type { ExemptRule } from "../../core/definition.ts";
import { isOver, after, MINUTE_MS } from "../../core/time.ts";
import { canonicalHost, canonicalPath, holdsPath } from "../url/canonical.ts";
import type { HeldPass } from "../tokens/claims.ts";
import type { Guarded } from "./guarded.ts";

/** What no room of any site should stand before. */
const DEFAULT_RULES: readonly ExemptRule[] = [{ path: "/.well-known/*" }, { path: "/robots.txt" }];
const ENDED_PASS_LIFE_MS = 60 * MINUTE_MS;

/** Does a rule of the operator's, or a default one, let this request through without a pass? */
export const isExempt = (guarded: Guarded, endedPass: HeldPass | null): boolean => {
  const rules = [...DEFAULT_RULES, ...guarded.room.exempt];
  return rules.some(
    (rule, index) => applies(guarded, rule, endedPass) && spend(guarded, rule, index, endedPass),
  );
};

const applies = (guarded: Guarded, rule: ExemptRule, endedPass: HeldPass | null): boolean => {
  const { request, host, readings } = guarded.arrival;
  if (rule.host !== undefined && rule.host !== "*" && canonicalHost(rule.host) !== host)
    return false;
  if (
    rule.methods !== undefined &&
    !rule.methods.some((name) => name.toUpperCase() === request.method)
  )
    return false;
  if (rule.path !== undefined && !holdsEveryReading(rule.path, readings ?? [])) return false;
  if (rule.header !== undefined && !hasHeader(request.headers, rule.header)) return false;
  return rule.if !== "ended-pass" || (endedPass !== null && endedLately(guarded, endedPass));
};

/** All readings, so that no spelling of a protected path passes for an exempt one. */
const holdsEveryReading = (rulePath: string, readings: readonly string[]): boolean => {
  const path = canonicalPath(rulePath.replace(/\/\*$/, ""));
  return (
    path !== null && readings.length > 0 && readings.every((reading) => holdsPath(path, reading))
  );
};

const hasHeader = (headers: Headers, wanted: { name: string; value?: string }): boolean => {
  const value = headers.get(wanted.name);
  return value !== null && (wanted.value === undefined || value === wanted.value);
};

/** A pass is at most five minutes older than the end of its visit, or its visit ended before it. */
const endedLately = ({ view }: Guarded, pass: HeldPass): boolean =>
  !isOver(after(pass.until, ENDED_PASS_LIFE_MS), view.now);

/** Takes the request out of the rule's allowance, once all else has been found to hold. */
const spend = (
  { isolate, room }: Guarded,
  rule: ExemptRule,
  index: number,
  endedPass: HeldPass | null,
): boolean => {
  const perSecondMax = rule.requestsPerSecondMax;
  if (perSecondMax !== undefined && !isolate.quotas.spendRule(room, index, perSecondMax))
    return false;
  if (rule.if !== "ended-pass" || endedPass === null) return true;
  return isolate.quotas.spendEndedPass(room, endedPass.visit);
};
