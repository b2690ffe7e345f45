/**
 * Requests that need no pass: by a default rule, by an operator's, as a crawler. Rules of the rules API
 * are in bypass.ts.
 */
import { BoundedMap } from "../../core/collections/bounded-map.ts";
import type { ExemptRule } from "../../core/definition.ts";
import { isOver, after, MINUTE_MS } from "../../core/time.ts";
import { canPassLastUntil } from "../../core/token-lives.ts";
import { isUpgrade } from "../arrival/caller.ts";
import { isSearchCrawler } from "../arrival/crawler.ts";
import { canonicalHost, holdsPath, spellingsOf } from "../../core/url/canonical.ts";
import type { PassClaims } from "../tokens/claims.ts";
import type { GateContext } from "../admission/context.ts";

/** Paths of rules whose spellings are remembered. */
const SPELLINGS_MAX = 1_000;
/** Bounds of the rules for paths that no room should guard: only reading, and not without end. */
const BY_DEFAULT = { methods: ["GET", "HEAD"], requestsPerSecondMax: 100 } as const;
const DEFAULT_RULES: readonly ExemptRule[] = [
  { path: "/.well-known/*", ...BY_DEFAULT },
  { path: "/robots.txt", ...BY_DEFAULT },
];
const ENDED_PASS_LIFE_MS = 60 * MINUTE_MS;

/** The spellings of a rule's path: each request is compared with all of them. */
const spellings = new BoundedMap<string, readonly string[]>(SPELLINGS_MAX);

/** Does a rule of the operator's, or a default one, let this request through without a pass? */
export const isExempt = (context: GateContext, endedPass: PassClaims | null): boolean => {
  const rules = [...DEFAULT_RULES, ...context.room.exempt];
  // A socket stays on the origin for as long as it likes: only an operator's rule lets it through.
  const first = isUpgrade(context.arrival.request) ? DEFAULT_RULES.length : 0;
  return (
    rules.some(
      (rule, index) =>
        index >= first &&
        applies(context, rule, endedPass) &&
        spend(context, rule, index, endedPass),
    ) || isCrawlerLetBy(context)
  );
};

/** A socket is no crawling: it would stay. */
const isCrawlerLetBy = ({ arrival, deployment }: GateContext): boolean =>
  deployment.settings.crawlersPass && isSearchCrawler(arrival) && !isUpgrade(arrival.request);

const applies = (context: GateContext, rule: ExemptRule, endedPass: PassClaims | null): boolean => {
  const { request, host, readings } = context.arrival;
  if (rule.host !== undefined && rule.host !== "*" && canonicalHost(rule.host) !== host)
    return false;
  if (
    rule.methods !== undefined &&
    !rule.methods.some((name) => name.toUpperCase() === request.method)
  )
    return false;
  if (rule.path !== undefined && !holdsEveryReading(rule.path, readings ?? [])) return false;
  if (rule.header !== undefined && !hasHeader(request.headers, rule.header)) return false;
  return rule.if !== "ended-pass" || (endedPass !== null && endedLately(context, endedPass));
};

/** All readings, so that no spelling of a protected path passes for an exempt one. */
const holdsEveryReading = (rulePath: string, readings: readonly string[]): boolean => {
  const paths = spellings.getOrMake(rulePath, () => everySpelling(rulePath));
  return (
    readings.length > 0 &&
    readings.every((reading) => paths.some((path) => holdsPath(path, reading)))
  );
};

const everySpelling = (rulePath: string): readonly string[] => {
  const plain = spellingsOf(rulePath.replace(/\/\*$/, ""));
  return [...plain, ...plain.map((path) => encodeURI(path).toLowerCase())];
};

const hasHeader = (headers: Headers, wanted: { name: string; value?: string }): boolean => {
  const value = headers.get(wanted.name);
  return value !== null && (wanted.value === undefined || value === wanted.value);
};

/** Judged by the end of the pass, which is at most five minutes after the visit's. */
const endedLately = ({ view }: GateContext, pass: PassClaims): boolean =>
  canPassLastUntil(pass.until, view.now) &&
  !isOver(after(pass.until, ENDED_PASS_LIFE_MS), view.now);

/** Counts the request against the rule's allowance, once all its other conditions hold. */
const spend = (
  { isolate, room }: GateContext,
  rule: ExemptRule,
  index: number,
  endedPass: PassClaims | null,
): boolean => {
  const perSecondMax = rule.requestsPerSecondMax;
  if (perSecondMax !== undefined && !isolate.quotas.spendRule(room, index, perSecondMax))
    return false;
  if (rule.if !== "ended-pass" || endedPass === null) return true;
  return isolate.quotas.spendEndedPass(room, endedPass.visit);
};
