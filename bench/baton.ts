/**
 * From one visitor's release to the word on the next one's socket, while thousands wait, against
 * the least that it can cost. `npx node bench/baton.ts [--quick]`
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../test/support/http.ts";
import { Visitor } from "../test/support/visitor.ts";
import { alternate } from "./support/alternate.ts";
import { each, Turns, WaitingSocket } from "./support/crowd.ts";
import { full } from "./support/options.ts";
import { publish } from "./support/report.ts";
import type { Figure } from "./support/report.ts";
import { roomOf, serve } from "./support/serve.ts";
import type { Served } from "./support/serve.ts";
import { quantile } from "./support/stats.ts";

/** Both crowds hang on this process: below a limit of 20,000 descriptors. */
const WAITING = full(5_000, 1_000);
const ROUNDS = full(10, 2);
const BATONS_EACH_ROUND = full(80, 25);
const AT_ONCE = 100;
/** Between two batons, so that they fall anywhere between the ticks. */
const PAUSE_MS_MAX = 20;
/** Who is called and does not come is passed over after the claim time; nothing takes longer. */
const TURN_MS_MAX = 70_000;

interface Line {
  /** Releases once, and waits until the next one knows. */
  baton(): Promise<number>;
  close(): void;
}

const socketUrl = (served: Served, path: string): string =>
  `${served.url.replace(/^http/, "ws")}${path}`;

/** Takes a ticket as a program does, and waits with it on a socket. */
const wait = async (served: Served, turns: Turns<Visitor>): Promise<WaitingSocket> => {
  const visitor = new Visitor(served.url);
  const { status } = await visitor.ask("/.seiriken/rooms/shop/tickets", {
    method: "POST",
    headers: { accept: "application/json" },
  });
  if (status !== 201) throw new Error(`no ticket but ${status}`);
  const headers = { cookie: visitor.cookieHeader(), origin: served.url };
  const url = socketUrl(served, "/.seiriken/rooms/shop/socket");
  const socket = new WaitingSocket(url, headers, () => turns.call(visitor));
  await socket.opened;
  return socket;
};

/** One permit that goes from each to the next. */
const productLine = async (served: Served): Promise<Line> => {
  const turns = new Turns<Visitor>();
  await served.rooms.createRoom(roomOf("shop", { total_active_users: 1, queue_all: true }));
  const crowd = await each(WAITING, AT_ONCE, () => wait(served, turns));
  await served.rooms.patchRoom("shop", { queue_all: false });
  const enter = async (visitor: Visitor): Promise<Visitor> => {
    const { status, text } = await visitor.claim();
    if (status !== 201) throw new Error(`no visit but ${status} ${text}`);
    return visitor;
  };
  let inside = await enter((await turns.next(TURN_MS_MAX)).who);
  return {
    async baton() {
      const releasedAt = performance.now();
      const [{ status }, turn] = await Promise.all([inside.release(), turns.next(TURN_MS_MAX)]);
      if (status !== 204) throw new Error(`no release but ${status}`);
      inside = await enter(turn.who);
      return turn.at - releasedAt;
    },
    close: () => crowd.forEach((socket) => socket.drop()),
  };
};

const leastLine = async (served: Served): Promise<Line> => {
  const turns = new Turns<number>();
  const crowd = await each(WAITING, AT_ONCE, async (at) => {
    const socket = new WaitingSocket(socketUrl(served, "/"), {}, () => turns.call(at));
    await socket.opened;
    return socket;
  });
  return {
    async baton() {
      const releasedAt = performance.now();
      const [, turn] = await Promise.all([
        ask(served.url, { method: "POST" }),
        turns.next(TURN_MS_MAX),
      ]);
      return turn.at - releasedAt;
    },
    close: () => crowd.forEach((socket) => socket.drop()),
  };
};

const series = async (line: Line): Promise<number[]> => {
  const times: number[] = [];
  for (let baton = 0; baton < BATONS_EACH_ROUND; baton += 1) {
    times.push(await line.baton());
    await sleep(Math.random() * PAUSE_MS_MAX);
  }
  return times;
};

const product = await serve();
const least = await serve({
  main: new URL("./baselines/one-message.ts", import.meta.url),
  objects: [{ binding: "LINE", className: "Line" }],
});
const ours = await productLine(product);
const bare = await leastLine(least);
const rounds = await alternate({ ours: () => series(ours), bare: () => series(bare) }, ROUNDS);
ours.close();
bare.close();
await product.stop();
await least.stop();

const times = { ours: rounds.ours.flat(), bare: rounds.bare.flat() };
const figure = (what: string, share: number, most?: number): Figure => ({
  what,
  unit: "ms",
  ours: quantile(times.ours, share),
  baseline: quantile(times.bare, share),
  ...(most === undefined ? {} : { target: { of: "ours", most } }),
});
publish({
  name: "baton",
  title: "The baton",
  about:
    "From the moment a visitor sends its release to the moment the next one hears `called` on its " +
    `socket, ${WAITING.toLocaleString("en")} sockets waiting in one lobby and being told their ` +
    "positions; against a minimal Worker with as many silent sockets: one call, one row, one " +
    `message. ${times.ours.length} batons each, in ${ROUNDS} alternating rounds.`,
  figures: [
    figure("median", 0.5, 5),
    figure("90th percentile", 0.9),
    figure("99th percentile", 0.99, 50),
  ],
});
