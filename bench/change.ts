/**
 * How long an operator's change takes to the last of 5,000 pages that wait on sockets: a message, and
 * the start of an event that is moved. `npx node bench/change.ts [--quick]`
 */
import { takeNumber } from "../test/support/journey.ts";
import { eventually } from "../test/support/eventually.ts";
import { limited } from "../test/support/crowd.ts";
import { roomOver, visitorInside } from "../test/support/rooms.ts";
import { startSeiriken } from "../test/support/seiriken.ts";
import type { SocketMessage, VisitorSocket } from "../test/support/visitor.ts";
import { full } from "./support/options.ts";
import { publish } from "./support/report.ts";
import { median } from "./support/stats.ts";

const PAGES = full(5_000, 200);
const ROUNDS = full(10, 2);
const ROOM = "sale";
const AT_ONCE = 50;
const HOUR_MS = 3_600_000;

const seiriken = await startSeiriken({
  runtime: "workerd",
  rooms: [roomOver(ROOM, { total_active_users: 1 })],
});

const openPage = async (): Promise<VisitorSocket> => {
  const visitor = seiriken.visitor({ room: ROOM });
  await takeNumber(visitor);
  const socket = await visitor.socket();
  await socket.first("position");
  return socket;
};

const manage = async (method: string, path: string, body: object) => {
  const answer = await seiriken.manage(method, `/waiting_rooms/${ROOM}${path}`, body);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.json<{ result: { id: string } }>().result;
};

interface Told {
  /** Milliseconds from the operator's request to the answer, to half the pages, and to the last. */
  readonly answered: number;
  readonly half: number;
  readonly last: number;
}

/** @param tells whether a message tells of this change */
const round = async (
  sockets: readonly VisitorSocket[],
  tells: (message: SocketMessage) => boolean,
  change: () => Promise<unknown>,
): Promise<Told> => {
  const at: number[] = [];
  const all = sockets.map(
    (socket) =>
      new Promise<void>((resolve) => {
        socket.onMessage = (message) => {
          if (!tells(message)) return;
          socket.onMessage = () => undefined;
          at.push(performance.now());
          resolve();
        };
      }),
  );
  const asked = performance.now();
  await change();
  const answered = performance.now() - asked;
  await Promise.all(all);
  const last = Math.max(...at) - asked;
  return { answered, half: median(at) - asked, last };
};

const timesIn = (ms: number) => ({
  prequeue_start_time: new Date(Date.now() + ms - 2 * HOUR_MS).toISOString(),
  event_start_time: new Date(Date.now() + ms).toISOString(),
  event_end_time: new Date(Date.now() + ms + HOUR_MS).toISOString(),
});

try {
  await visitorInside(seiriken, ROOM);
  const slot = limited(AT_ONCE);
  const sockets = await Promise.all(Array.from({ length: PAGES }, () => slot(openPage)));
  console.log(`${PAGES} pages wait`);
  const messages: Told[] = [];
  const events: Told[] = [];
  const event = await manage("POST", "/events", { name: "sale", ...timesIn(HOUR_MS) });
  await eventually(() =>
    sockets.every(({ messages: all }) => all.some(({ type }) => type === "event")),
  );
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    const text = `Change ${turn}`;
    messages.push(
      await round(
        sockets,
        (message) => message.type === "message" && message["text"] === text,
        () => manage("PATCH", "", { seiriken: { message: text } }),
      ),
    );
    const times = timesIn(HOUR_MS + turn * 60_000);
    const start = Date.parse(times.event_start_time);
    events.push(
      await round(
        sockets,
        ({ type, event: told }) => type === "event" && Date.parse(told.starts_at) === start,
        () => manage("PATCH", `/events/${event.id}`, times),
      ),
    );
    console.log(messages.at(-1), events.at(-1));
  }
  const of = (told: readonly Told[], part: keyof Told) => median(told.map((one) => one[part]));
  const worst = (told: readonly Told[]) => Math.max(...told.map(({ last }) => last));
  publish({
    name: "change",
    title: "From an operator's change to the last page",
    about: `${PAGES.toLocaleString("en")} pages wait on sockets of one room; an operator changes its message, and moves the start of an event in its prequeue, in turns. Milliseconds from sending the request; medians of ${ROUNDS} rounds each.`,
    figures: [
      { what: "message: answered", unit: "ms", ours: of(messages, "answered") },
      { what: "message: half of the pages", unit: "ms", ours: of(messages, "half") },
      {
        what: "message: the last page",
        unit: "ms",
        ours: of(messages, "last"),
        target: { of: "ours", most: 2_000 },
      },
      { what: "message: the last page, slowest round", unit: "ms", ours: worst(messages) },
      { what: "event: answered", unit: "ms", ours: of(events, "answered") },
      { what: "event: half of the pages", unit: "ms", ours: of(events, "half") },
      {
        what: "event: the last page",
        unit: "ms",
        ours: of(events, "last"),
        target: { of: "ours", most: 2_000 },
      },
      { what: "event: the last page, slowest round", unit: "ms", ours: worst(events) },
    ],
    notes: [
      "All pages are in the process that measures, which shares two cores with workerd and whatever else ran: the load below says how much.",
    ],
  });
} finally {
  await seiriken.stop();
}
process.exit();
