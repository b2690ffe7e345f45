/**
 * What the rules of a room cost a request at the Worker: the cheapest of its answers, a picture's 503
 * without a pass, in rooms with no rule, with 1, 10 and 100 that do not match; and a request that the
 * last of 100 lets past, against one that an exemption lets past. `npx node bench/rules-requests.ts [--quick]`
 */
import { alternate } from "./support/alternate.ts";
import { onlyStatuses, requestText, startLoadGenerator, startOrigin } from "./support/load.ts";
import { full } from "./support/options.ts";
import { publish } from "./support/report.ts";
import type { Figure } from "./support/report.ts";
import { RULE_KINDS } from "./support/rule-kinds.ts";
import { roomOf, serve } from "./support/serve.ts";
import { median } from "./support/stats.ts";

const CONNECTIONS = 64;
const ROUNDS = full(10, 2);
const SECONDS = full(2, 1);

const HEADERS = {
  "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0",
  Accept: "image/avif,image/webp,*/*;q=0.8",
  "Accept-Language": "en-US,en;q=0.5",
  "Accept-Encoding": "gzip, deflate, br",
  Cookie: "session=0123456789abcdef; theme=dark; consent=1",
  "Sec-Fetch-Dest": "image",
  "Sec-Fetch-Mode": "no-cors",
  "Sec-Fetch-Site": "same-origin",
};

const origin = await startOrigin();
const load = startLoadGenerator();
const served = await serve({ origin: origin.url });

const ruleOf = (expression: string) => ({ action: "bypass_waiting_room", expression });
const unmatched = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    ruleOf(RULE_KINDS[n % RULE_KINDS.length]?.(n) ?? "false"),
  );

/** Nobody enters, so that no request asks an object. */
const makeRoom = async (name: string, rules: readonly object[], exempt: readonly object[] = []) => {
  await served.rooms.createRoom(roomOf(name, { queue_all: true, seiriken: { exempt } }));
  await served.rooms.putRules(name, rules);
};

interface Contender {
  readonly room: string;
  readonly status: number;
  readonly what: string;
}
const CONTENDERS = {
  none: { room: "none", status: 503, what: "refused, no rules" },
  one: { room: "one", status: 503, what: "refused, 1 rule asked" },
  ten: { room: "ten", status: 503, what: "refused, 10 rules asked" },
  hundred: { room: "hundred", status: 503, what: "refused, 100 rules asked" },
  exempt: { room: "exempt", status: 200, what: "let past by an exemption" },
  last: { room: "last", status: 200, what: "let past by the last of 100 rules" },
} as const satisfies Readonly<Record<string, Contender>>;
type Name = keyof typeof CONTENDERS;

await makeRoom("none", []);
await makeRoom("one", unmatched(1));
await makeRoom("ten", unmatched(10));
await makeRoom("hundred", unmatched(100));
await makeRoom("exempt", [], [{ path: "/exempt" }]);
await makeRoom("last", [...unmatched(99), ruleOf('starts_with(http.request.uri.path, "/last/")')]);
// An isolate keeps definitions for 5 s.
await new Promise((done) => setTimeout(done, 6_000));

const measure = async ({ room, status }: Contender) => {
  const { host } = new URL(served.url);
  const requests = [requestText("GET", `/${room}/picture.png?from=list`, host, HEADERS)];
  const cpuBefore = served.cpuMs();
  const result = onlyStatuses(
    await load.run({ url: served.url, requests, connections: CONNECTIONS, seconds: SECONDS }),
    status,
  );
  return ((served.cpuMs() - cpuBefore) * 1_000) / result.answers;
};

const names = Object.keys(CONTENDERS) as Name[];
const runs = Object.fromEntries(
  names.map((name) => [name, () => measure(CONTENDERS[name])]),
) as Record<Name, () => Promise<number>>;
const rounds = await alternate(runs, ROUNDS);
load.stop();
origin.stop();
await served.stop();

const against: Readonly<Partial<Record<Name, Name>>> = {
  one: "none",
  ten: "none",
  hundred: "none",
  last: "exempt",
};
const figures = names.map((name): Figure => {
  const other = against[name];
  return {
    what: CONTENDERS[name].what,
    unit: "µs/request",
    ours: median(rounds[name]),
    ...(other === undefined ? {} : { baseline: median(rounds[other]) }),
  };
});
publish({
  name: "rules-requests",
  title: "A request in a room with rules",
  about:
    "workerd's processor time for a request without a pass: refused in a paused room with so many rules, none of which " +
    "matches, against a room without any; and let past by the last of 100, against an exemption. " +
    `${CONNECTIONS} kept connections, medians of ${ROUNDS} rounds of ${SECONDS} s each, alternating.`,
  figures,
  notes: ["A request with a live pass asks no rule."],
});
