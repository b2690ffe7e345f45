/**
 * A room where many wait already, at a dozen lobbies: tickets, against a new room of the same deployment;
 * and where one stands, against one object call for each who asks. `npx node bench/long-line.ts [--quick]`
 */
import { alternate } from "./support/alternate.ts";
import { onlyStatuses, requestText, startLoadGenerator } from "./support/load.ts";
import type { LoadResult } from "./support/load.ts";
import { full } from "./support/options.ts";
import { publish } from "./support/report.ts";
import { roomOf, serve } from "./support/serve.ts";
import type { Served } from "./support/serve.ts";
import { speedOf } from "./support/speed.ts";
import type { Speed } from "./support/speed.ts";
import { median } from "./support/stats.ts";

const ROUNDS = full(5, 2);
const SECONDS = full(2, 1);
const CONNECTIONS = 256;
/** A room opens one lobby more with every 4,096. */
const IN_LINE = full(50_000, 5_000);
/** So many of them ask where they stand, each by its own ticket. */
const ASKING = full(3_000, 300);

const load = startLoadGenerator();

const run = (served: Served, requests: readonly string[]): Promise<LoadResult> =>
  load.run({ url: served.url, requests, connections: CONNECTIONS, seconds: SECONDS });

const hostOf = ({ url }: Served): string => new URL(url).host;

let rooms = 0;

/** A room where nobody is called, as the path of its tickets. */
const newRoom = async (): Promise<string> => {
  const name = `sale${(rooms += 1)}`;
  await product.rooms.createRoom(roomOf(name, { queue_all: true }));
  return `/.seiriken/rooms/${name}/tickets`;
};

const join = (tickets: string): Promise<LoadResult> =>
  run(product, [requestText("POST", tickets, hostOf(product), { Accept: "application/json" })]);

const longLine = async (): Promise<string> => {
  const tickets = await newRoom();
  for (let waiting = 0; waiting < IN_LINE;) {
    waiting += onlyStatuses(await join(tickets), 201).answers;
    console.log(`${waiting} wait, of ${IN_LINE}`);
  }
  return tickets;
};

const questionsOf = (tickets: string): Promise<readonly string[]> =>
  Promise.all(
    Array.from({ length: ASKING }, async () => {
      const answer = await fetch(`${product.url}${tickets}`, { method: "POST" });
      const ticket = answer.headers.get("Seiriken-Ticket") ?? "";
      const headers = { Accept: "application/json", "Seiriken-Ticket": ticket };
      return requestText("GET", `${tickets}/mine`, hostOf(product), headers);
    }),
  );

const product = await serve();
const plain = await serve({
  main: new URL("./baselines/one-write.ts", import.meta.url),
  objects: [{ binding: "COUNTER", className: "Counter" }],
});
const long = await longLine();
const asked = await questionsOf(long);
const askedPlainly = [requestText("GET", "/", hostOf(plain), {})];
const rounds = await alternate(
  {
    long: () => speedOf(product, () => join(long), 201),
    fresh: async () => {
      const fresh = await newRoom();
      return speedOf(product, () => join(fresh), 201);
    },
    where: () => speedOf(product, () => run(product, asked), 200),
    plain: () => speedOf(plain, () => run(plain, askedPlainly), 200),
  },
  ROUNDS,
);
await product.stop();
await plain.stop();
load.stop();

const of = (ours: keyof typeof rounds, baseline: keyof typeof rounds, figure: keyof Speed) => ({
  ours: median(rounds[ours].map((speed) => speed[figure])),
  baseline: median(rounds[baseline].map((speed) => speed[figure])),
});
const [us, ms] = ["µs of workerd's processor time", "ms"];
publish({
  name: "long-line",
  title: "A long line",
  about:
    `A room where ${IN_LINE.toLocaleString("en")} or more wait: taking tickets, against a new room of the same ` +
    `deployment; and \`GET …/tickets/mine\` of ${ASKING.toLocaleString("en")} visitors, against a minimal Worker that ` +
    `asks one object for each. ${CONNECTIONS} kept connections, medians of ${ROUNDS} rounds of ${SECONDS} s, alternating.`,
  figures: [
    {
      what: "tickets",
      unit: "a second",
      ...of("long", "fresh", "perSecond"),
      target: { of: "ratio", least: 0.8 },
    },
    { what: "a ticket", unit: us, ...of("long", "fresh", "cpuUs") },
    { what: "a ticket, 99th percentile", unit: ms, ...of("long", "fresh", "p99Ms") },
    { what: "where one stands", unit: "a second", ...of("where", "plain", "perSecond") },
    { what: "where one stands", unit: us, ...of("where", "plain", "cpuUs") },
    { what: "where one stands, 99th percentile", unit: ms, ...of("where", "plain", "p99Ms") },
  ],
});
