/**
 * Tickets per second through the Worker, against one object call and one row for each; how seldom
 * lobbies call the Room; and what a visitor's whole life costs. `npx node bench/tickets.ts [--quick] [--lives]`
 */
import { PRICE } from "../src/core/simulation/price.ts";
import { alternate } from "./support/alternate.ts";
import { countsOf, sumOf } from "./support/counts.ts";
import { liveThrough } from "./support/lives.ts";
import type { Life } from "./support/lives.ts";
import { onlyStatuses, requestText, startLoadGenerator } from "./support/load.ts";
import type { LoadResult } from "./support/load.ts";
import { full, isLivesOnly } from "./support/options.ts";
import { publish } from "./support/report.ts";
import type { Figure } from "./support/report.ts";
import { roomOf, serve } from "./support/serve.ts";
import type { Served } from "./support/serve.ts";
import { speedOf } from "./support/speed.ts";
import type { Speed } from "./support/speed.ts";
import { median, rounded } from "./support/stats.ts";

const ROUNDS = full(5, 2);
const SECONDS = full(2, 1);
const CONNECTIONS = 256;
const LOBBIES = [1, 16, 64, 128];
/** A crowd: more lobbies gather longer, and few visitors would mostly wait for them. */
const CROWD_CONNECTIONS = 1_024;
const VISITORS = full(2_000, 200);
const PERMITS = 100;
const STAY_MS = 200;

/** Incoming socket messages are billed as a twentieth of a request. */
const MESSAGES_PER_REQUEST = 20;

const load = startLoadGenerator();

const post = (served: Served, path: string, connections: number): Promise<LoadResult> =>
  load.run({
    url: served.url,
    requests: [requestText("POST", path, new URL(served.url).host, { Accept: "application/json" })],
    connections,
    seconds: SECONDS,
  });

let rooms = 0;

/** Takes tickets in a room of its own, where nobody is called. */
const joins = async (served: Served, lobbies: number, connections: number): Promise<LoadResult> => {
  const name = `sale${(rooms += 1)}`;
  await served.rooms.createRoom(roomOf(name, { queue_all: true, seiriken: { lobbies } }));
  const result = await post(served, `/.seiriken/rooms/${name}/tickets`, connections);
  await served.rooms.deleteRoom(name);
  return result;
};

const throughput = async (): Promise<Figure[]> => {
  const product = await serve();
  const baseline = {
    main: new URL("./baselines/one-write.ts", import.meta.url),
    objects: [{ binding: "COUNTER", className: "Counter" }],
  };
  const plain = await serve(baseline);
  const apart = await serve({ ...baseline, areApart: true });
  const rounds = await alternate(
    {
      gathered: () => speedOf(product, () => joins(product, 1, CONNECTIONS), 201),
      plain: () => speedOf(plain, () => post(plain, "/", CONNECTIONS), 201),
      apart: () => speedOf(apart, () => post(apart, "/", CONNECTIONS), 201),
    },
    ROUNDS,
  );
  await product.stop();
  await plain.stop();
  await apart.stop();
  const both = (figure: keyof Speed, baselines: readonly Speed[] = rounds.plain) => ({
    ours: median(rounds.gathered.map((speed) => speed[figure])),
    baseline: median(baselines.map((speed) => speed[figure])),
  });
  return [
    {
      what: "tickets",
      unit: "a second",
      ...both("perSecond"),
      target: { of: "ratio", least: 2.5 },
    },
    {
      what: "tickets, the baseline's object in an isolate of its own as ours are",
      unit: "a second",
      ...both("perSecond", rounds.apart),
    },
    { what: "workerd's processor time", unit: "µs/ticket", ...both("cpuUs") },
    { what: "99th percentile", unit: "ms", ...both("p99Ms") },
  ];
};

const roomCalls = async (served: Served): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const lobbies of LOBBIES) {
    const { value, counts } = await countsOf(served.url, () =>
      joins(served, lobbies, CROWD_CONNECTIONS),
    );
    onlyStatuses(value, 201);
    const calls = sumOf(counts, "call Room.batch");
    const rate = Math.round(value.answers / value.seconds);
    figures.push({
      what: `calls to the Room per join, lobbies: ${lobbies} (${rate.toLocaleString("en")} joins/s)`,
      ours: calls / value.answers,
      baseline: 1,
    });
  }
  return figures;
};

const wholeLives = async (): Promise<{ figures: Figure[]; notes: string[] }> => {
  const served = await serve({ main: new URL("./instrument/counted.ts", import.meta.url) });
  const cpuBefore = served.cpuMs();
  const { value: lives, counts } = await countsOf(served.url, () =>
    liveThrough(served, { visitors: VISITORS, permits: PERMITS, stayMs: STAY_MS }),
  );
  const cpuMs = (served.cpuMs() - cpuBefore) / VISITORS;
  await served.stop();
  const each = (...names: string[]) => sumOf(counts, ...names) / VISITORS;
  const requests = each("request Worker");
  const messages = each("event Lobby.webSocketMessage");
  const calls = each("call ") + each("event Lobby.alarm", "event Room.alarm");
  const rows = each("rows ");
  const dollars =
    1e6 *
    (requests * PRICE.workerRequest +
      (calls + messages / MESSAGES_PER_REQUEST) * PRICE.objectRequest +
      rows * PRICE.row +
      cpuMs * PRICE.cpuMs);
  return {
    figures: [
      { what: "Worker requests per visitor", ours: requests },
      { what: "object calls and alarms per visitor", ours: calls, target: { of: "ours", most: 3 } },
      { what: "rows written per visitor", ours: rows, target: { of: "ours", most: 1.5 } },
      { what: "processor time per visitor", unit: "ms", ours: cpuMs },
      {
        what: "price of a million visitors",
        unit: "$",
        ours: dollars,
        target: { of: "ours", most: 4 },
      },
    ],
    notes: [
      lifeNote(lives),
      `Object calls: ${listed(counts, "call ", VISITORS)}, ${listed(counts, "event ", VISITORS)}.`,
      `Rows: ${listed(counts, "rows ", VISITORS)}.`,
      "The Room's journal goes to its tables once in 1,024 steps, and once more at the end of this run: " +
        "both are among the rows. A socket's close is no request: the published list has HTTP requests, " +
        "RPC sessions, messages of sockets (a twentieth each) and alarms.",
      "The price has requests, rows and processor time (all of workerd's, objects too). An object " +
        "that is awake costs $0.0056 an hour besides; a sale has its Room and its lobbies awake.",
    ],
  };
};

const lifeNote = (lives: readonly Life[]): string => {
  const waited = median(lives.map(({ waitedMs }) => waitedMs));
  const asked = lives[0]?.requests ?? 0;
  return (
    `A whole life: the page, a ticket, a socket, the call, the claim, the visit's pages, the end: ` +
    `${asked} requests. ${VISITORS} visitors, ${PERMITS} permits; median wait ${rounded(waited / 1_000)} s.`
  );
};

const listed = (counts: ReadonlyMap<string, number>, beginning: string, by: number): string =>
  [...counts]
    .filter(([name, count]) => name.startsWith(beginning) && count / by >= 0.001)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name.slice(beginning.length)} ${rounded(count / by)}`)
    .join(", ");

if (isLivesOnly) {
  const { figures, notes } = await wholeLives();
  for (const { what, ours } of figures) console.log(`${what}: ${rounded(ours)}`);
  for (const note of notes) console.log(note);
  process.exit();
}

const speed = await throughput();
const counted = await serve({
  main: new URL("./instrument/counted.ts", import.meta.url),
  origin: "http://127.0.0.1:9",
});
const calls = await roomCalls(counted);
await counted.stop();
const lives = await wholeLives();
load.stop();

publish({
  name: "tickets",
  title: "Taking tickets",
  about:
    "`POST …/tickets` through the Worker, durable and signed, against a minimal Worker whose one " +
    `object is called and writes a row for each ticket. ${CONNECTIONS} kept connections, medians ` +
    `of ${ROUNDS} rounds of ${SECONDS} s, alternating. Below, ${CROWD_CONNECTIONS} connections ` +
    "against a plain call for each join; and visitors' whole lives, counted.",
  figures: [...speed, ...calls, ...lives.figures],
  notes: lives.notes,
});
