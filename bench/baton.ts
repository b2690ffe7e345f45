/**
 * From one visitor's release to the word on the next one's socket, while thousands wait, against
 * the least that it can cost. `npx node bench/baton.ts [--quick]`
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../test/support/http.ts";
import { Visitor } from "../test/support/visitor.ts";
import { alternate } from "./support/alternate.ts";
import { each, WaitingSocket } from "./support/crowd.ts";
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

interface Line {
  /** Releases once, and waits until the next one knows. */
  baton(): Promise<number>;
  close(): void;
}

const socketUrl = (served: Served, path: string): string =>
  `${served.url.replace(/^http/, "ws")}${path}`;

interface Waiter {
  readonly number: number;
  readonly visitor: Visitor;
  readonly socket: WaitingSocket;
}

const wait = async (served: Served): Promise<Waiter> => {
  const visitor = new Visitor(served.url);
  const answer = await visitor.ask("/.seiriken/rooms/shop/tickets", {
    method: "POST",
    headers: { accept: "application/json" },
  });
  const { number } = answer.json<{ number: number }>();
  const socket = new WaitingSocket(socketUrl(served, "/.seiriken/rooms/shop/socket"), {
    cookie: visitor.cookieHeader(),
    origin: served.url,
  });
  await socket.opened;
  return { number, visitor, socket };
};

/** One permit that goes from each to the next. */
const productLine = async (served: Served): Promise<Line> => {
  await served.rooms.createRoom(roomOf("shop", { total_active_users: 1, queue_all: true }));
  const crowd = await each(WAITING, AT_ONCE, () => wait(served));
  crowd.sort((a, b) => a.number - b.number);
  await served.rooms.patchRoom("shop", { queue_all: false });
  let at = 0;
  const enter = async ({ visitor, socket }: Waiter): Promise<void> => {
    await socket.called;
    const { status, text } = await visitor.claim();
    if (status !== 201) throw new Error(`no visit but ${status} ${text}`);
  };
  await enter(crowd[0]!);
  return {
    async baton() {
      const [one, next] = [crowd[at]!, crowd[at + 1]!];
      at += 1;
      const releasedAt = performance.now();
      const [{ status }, calledAt] = await Promise.all([one.visitor.release(), next.socket.called]);
      if (status !== 204) throw new Error(`no release but ${status}`);
      await enter(next);
      return calledAt - releasedAt;
    },
    close: () => crowd.forEach(({ socket }) => socket.drop()),
  };
};

const leastLine = async (served: Served): Promise<Line> => {
  const crowd = await each(WAITING, AT_ONCE, async () => {
    const socket = new WaitingSocket(socketUrl(served, "/"));
    await socket.opened;
    return socket;
  });
  let at = 0;
  return {
    async baton() {
      const next = crowd[at]!;
      at += 1;
      const releasedAt = performance.now();
      const [, calledAt] = await Promise.all([ask(served.url, { method: "POST" }), next.called]);
      return calledAt - releasedAt;
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
