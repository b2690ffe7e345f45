/**
 * What operators who watch a room cost it: 5,000 pages wait on sockets, some visitors take tickets, and
 * nobody, one or ten watch. `npx node bench/watchers.ts [--quick]`
 */
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { WebSocket } from "ws";
import { limited } from "../test/support/crowd.ts";
import { takeNumber } from "../test/support/journey.ts";
import { roomOver, visitorInside } from "../test/support/rooms.ts";
import { startSeiriken } from "../test/support/seiriken.ts";
import { alternate } from "./support/alternate.ts";
import { onlyStatuses, requestText, startLoadGenerator } from "./support/load.ts";
import { full } from "./support/options.ts";
import { publish } from "./support/report.ts";
import { median } from "./support/stats.ts";

const PAGES = full(5_000, 200);
const ROUNDS = full(8, 1);
const SECONDS = full(4, 2);
const ROOM = "sale";
const AT_ONCE = 50;
/** A trickle of joins, so that what is measured is not the room at its limit. */
const CONNECTIONS = 2;
/** Of the kernel's clock by which processes are charged (USER_HZ), the same on all Linuxes. */
const TICK_MS = 10;

const seiriken = await startSeiriken({
  runtime: "workerd",
  rooms: [roomOver(ROOM, { total_active_users: 1 })],
});
const load = startLoadGenerator();

const cpuMs = (): number =>
  seiriken
    .pids()
    .map((pid) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [])
    .reduce((sum, fields) => sum + (Number(fields[11]) + Number(fields[12])) * TICK_MS, 0);

const openPage = async (): Promise<void> => {
  const visitor = seiriken.visitor({ room: ROOM });
  await takeNumber(visitor);
  const socket = await visitor.socket();
  await socket.first("position");
};

interface Watched {
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly perSecond: number;
  readonly cpuUs: number;
  /** Without joins: workerd's processor time in a second. */
  readonly quietMs: number;
  readonly messages: number;
  readonly bytes: number;
}

const watcher = async (told: { messages: number; bytes: number }): Promise<WebSocket> => {
  const url = `${seiriken.url.replace("http", "ws")}/.seiriken/api/rooms/${ROOM}/live`;
  const socket = new WebSocket(url, {
    headers: { Authorization: `Bearer ${seiriken.adminToken}` },
  });
  await new Promise((resolve, reject) => {
    socket.once("message", resolve);
    socket.once("error", reject);
  });
  socket.on("message", (data: Buffer) => {
    told.messages += 1;
    told.bytes += data.length;
  });
  return socket;
};

const watchedBy = async (watchers: number): Promise<Watched> => {
  const told = { messages: 0, bytes: 0 };
  const sockets = await Promise.all(Array.from({ length: watchers }, () => watcher(told)));
  const path = `/.seiriken/rooms/${ROOM}/tickets`;
  const request = requestText("POST", path, new URL(seiriken.url).host, {
    Accept: "application/json",
  });
  const began = performance.now();
  const quietBefore = cpuMs();
  await wait(SECONDS * 1_000);
  const quietMs = (cpuMs() - quietBefore) / SECONDS;
  const before = cpuMs();
  const result = onlyStatuses(
    await load.run({
      url: seiriken.url,
      requests: [request],
      connections: CONNECTIONS,
      seconds: SECONDS,
    }),
    201,
  );
  const cpuUs = ((cpuMs() - before) * 1_000) / result.answers;
  const seconds = (performance.now() - began) / 1_000;
  for (const socket of sockets) socket.terminate();
  const { medianMs, p99Ms, answers } = result;
  const perSecond = answers / result.seconds;
  const [messages, bytes] = [told.messages / seconds, told.bytes / seconds];
  return { medianMs, p99Ms, perSecond, cpuUs, quietMs, messages, bytes };
};

try {
  await visitorInside(seiriken, ROOM);
  const slot = limited(AT_ONCE);
  await Promise.all(Array.from({ length: PAGES }, () => slot(openPage)));
  console.log(`${PAGES} pages wait`);
  const rounds = await alternate(
    { none: () => watchedBy(0), one: () => watchedBy(1), ten: () => watchedBy(10) },
    ROUNDS,
  );
  const of = (who: keyof typeof rounds, figure: keyof Watched): number =>
    median(rounds[who].map((round) => round[figure]));
  const against = (what: string, unit: string, figure: keyof Watched) => [
    { what: `${what}, nobody watches`, unit, ours: of("none", figure) },
    ...(["one", "ten"] as const).map((who) => ({
      what: `${what}, ${who} ${who === "one" ? "watches" : "watch"}`,
      unit,
      ours: of(who, figure),
      baseline: of("none", figure),
    })),
  ];
  publish({
    name: "watchers",
    title: "What those who watch a room cost it",
    about: `${PAGES.toLocaleString("en")} pages wait on sockets of one room, while nobody, one or ten watch it over its live socket: ${SECONDS} s in which nobody comes, then ${SECONDS} s in which ${CONNECTIONS} connections take tickets one after the other. Medians of ${ROUNDS} rounds, alternating.`,
    figures: [
      ...against("a ticket, median", "ms", "medianMs"),
      ...against("a ticket, 99th percentile", "ms", "p99Ms"),
      ...against("tickets", "a second", "perSecond"),
      ...against("workerd's processor time", "µs/ticket", "cpuUs"),
      ...against("workerd's processor time while nobody comes", "ms/s", "quietMs"),
      { what: "messages sent, ten watch", unit: "a second", ours: of("ten", "messages") },
      { what: "sent to one watcher", unit: "bytes/s", ours: of("one", "bytes") },
      { what: "sent to ten watchers", unit: "bytes/s", ours: of("ten", "bytes") },
    ],
    notes: [
      "The line grows by the tickets that are taken: a round is compared with its neighbours, not with the first.",
    ],
  });
} finally {
  load.stop();
  await seiriken.stop();
}
process.exit();
