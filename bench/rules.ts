/**
 * What the rules of a room cost a request that none of them matches, so that all are asked: the dearest
 * case. A request with a live pass asks none. `npx node bench/rules.ts [--quick]`
 */
import { Bypass } from "../src/core/rules/bypass.ts";
import type { BypassRule } from "../src/core/rules/bypass-rule.ts";
import { instant } from "../src/core/time.ts";
import { readingsOf } from "../src/core/url/canonical.ts";
import { requestOf } from "../test/core/rules/requests.ts";
import { alternate } from "./support/alternate.ts";
import { full } from "./support/options.ts";
import { publish, type Figure } from "./support/report.ts";
import { RULE_KINDS } from "./support/rule-kinds.ts";
import { median } from "./support/stats.ts";

const REQUESTS = full(20_000, 2_000);
const ROUNDS = full(15, 3);

const request = requestOf({
  url: "https://shop.example/tickets/4711?from=list&utm_source=mail",
  headers: {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0",
    Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Accept-Language": "en-US,en;q=0.5",
    Cookie: "session=0123456789abcdef; theme=dark; consent=1",
  },
});
const readings = readingsOf(request.path) ?? [];

const PATTERN = (n: number): string =>
  `http.request.uri.path matches r"^/assets/${n}/[^?]*\\.(css|js|png|jpe?g|webp|svg|woff2?)$"`;
const SEARCHES = (n: number): string =>
  `http.user_agent matches r"(?i)(probe|monitor|check)[-/]${n}\\.[0-9]+"`;

const rulesOf = (count: number, kinds: readonly ((n: number) => string)[]): Bypass => {
  const list = Array.from({ length: count }, (_, n): BypassRule => {
    const expression = kinds[n % kinds.length]?.(n) ?? "false";
    const at = instant(0);
    return { id: `${n}`, version: 1, expression, description: "", enabled: true, updatedAt: at };
  });
  const bypass = new Bypass(list);
  if (bypass.unreadable.length > 0) throw new Error(bypass.unreadable[0]?.expression);
  return bypass;
};

/** Microseconds a request. */
const costOf = (bypass: Bypass): number => {
  const startedAt = performance.now();
  for (let sent = 0; sent < REQUESTS; sent++) {
    const rule = bypass.ruleFor(request, readings);
    if (rule !== null) throw new Error("a rule matches, and none should");
  }
  return ((performance.now() - startedAt) * 1_000) / REQUESTS;
};

const contenders = {
  "no rules": rulesOf(0, RULE_KINDS),
  "1 rule": rulesOf(1, RULE_KINDS),
  "10 rules": rulesOf(10, RULE_KINDS),
  "100 rules": rulesOf(100, RULE_KINDS),
  "100 rules, each an anchored pattern": rulesOf(100, [PATTERN]),
  "10 rules, each a pattern found anywhere": rulesOf(10, [SEARCHES]),
};
const names = Object.keys(contenders) as (keyof typeof contenders)[];
const runs = Object.fromEntries(names.map((name) => [name, () => costOf(contenders[name])]));
const measured = await alternate(runs, ROUNDS);

const figures = names.map((name): Figure => {
  const ours = median(measured[name] ?? []);
  console.log(`${name}: ${ours.toFixed(3)} µs`);
  return { what: name, unit: "µs a request", ours };
});
publish({
  name: "rules",
  title: "Rules that let requests past a room",
  about: `What a room's rules add to a request without a live pass that none of them matches: ${REQUESTS.toLocaleString("en")} requests in each of ${ROUNDS} rounds, one contender after the other, in plain Node. Reading address, headers and cookies, once a request where a rule asks for them, comes on top of it.`,
  figures,
  notes: ["Other work ran on the machine at the same time: the load below says how much."],
});
