/**
 * What a sale with a million visitors costs each object, in virtual time: test/sim/million, which holds
 * every step against the promises besides. `npx node bench/million.ts [--quick]`
 */
import {
  beyondPlatform,
  costSheetOf,
  costSheetText,
  PLATFORM_MAX,
  rowsWritten,
} from "../test/sim/million/cost-sheet.ts";
import { MillionWorld } from "../test/sim/million/million-world.ts";
import { saleOf } from "../test/sim/million/sale.ts";
import { full } from "./support/options.ts";
import { publish } from "./support/report.ts";
import type { Figure, Target } from "./support/report.ts";
import { rounded } from "./support/stats.ts";

const VISITORS = full(1_000_000, 50_000);
const MB = 1e6;

const atMost = (most: number): Target => ({ of: "ours", most });

/** How far it is, by the sale's own clock: some minutes lie between the first line and the last. */
function tellEvery(seconds: number, next = seconds): void {
  world.platform.agenda.at(next * 1_000, () => {
    const { arrived, entered, left } = world.counts;
    const took = Math.round((performance.now() - startedAt) / 1_000);
    console.log(
      `${next} s of the sale, after ${took} s: ${arrived} came, ${entered} in, ${left} left`,
    );
    tellEvery(seconds, next + seconds);
  });
}

const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
const world = await MillionWorld.of(saleOf(VISITORS));
tellEvery(10);
await world.run();
const cpuSeconds = process.cpuUsage(cpuBefore).user / 1e6;
const sheet = costSheetOf(world);
console.log(costSheetText(sheet));
const beyond = beyondPlatform(sheet);
if (beyond.length > 0) throw new Error(beyond.join("; "));

const { visitors, roomPeak, roomMean, lobbyPeak, lobbyMean, socketsMost } = sheet;
const { requestsPerSecond, sockets, bytes } = PLATFORM_MAX;
const each = (count: number): number => count / visitors;
const perSecond = (what: string, ours: number, target?: Target): Figure => ({
  what: `requests a second, ${what}`,
  ours,
  ...(target === undefined ? {} : { target }),
});
const figures: Figure[] = [
  perSecond("the Room, at most", roomPeak, atMost(requestsPerSecond)),
  perSecond("the Room, on average", roomMean),
  perSecond("the busiest lobby, at most", lobbyPeak, atMost(requestsPerSecond)),
  perSecond("the busiest lobby, on average", lobbyMean),
  { what: "sockets at a lobby, at most", ours: socketsMost, target: atMost(sockets) },
  {
    what: "memory, Room",
    unit: "MB",
    ours: sheet.roomBytes / MB,
    target: atMost(Math.floor(bytes / MB)),
  },
  {
    what: "memory, a lobby with 16,384 tickets",
    unit: "MB",
    ours: sheet.lobbyBytes / MB,
    target: atMost(Math.floor(bytes / MB)),
  },
  { what: "rows written per visitor", ours: each(rowsWritten(sheet)) },
  { what: "requests of Workers per visitor", ours: each(sheet.workerRequests) },
  { what: "requests and messages at objects per visitor", ours: each(sheet.objectRequests) },
  { what: "socket messages to each visitor", ours: each(sheet.messagesOut) },
  { what: "bytes of socket messages to each visitor", ours: each(sheet.bytesOut) },
];

const { none, "cut-off": cutOff } = world.lateness.of;
const seconds = (ms: number): string => `${rounded(ms / 1_000)} s`;
publish({
  name: "million",
  title: "A million visitors in the simulator",
  about:
    `${visitors.toLocaleString("en")} visitors, 20,000 a second, come to one sale: a tenth on phones that ` +
    `sleep, ${Math.round((100 * sheet.left) / visitors)} % leave the line, 1 % bots; messages take 5 to 300 ms; the Room dies, ` +
    "and every third lobby. The Room's and the lobbies' own classes run on a virtual platform; visitors and the " +
    `network are modelled. ${sheet.entered.toLocaleString("en")} came in within ${Math.round(sheet.seconds)} s over ` +
    `${sheet.lobbies} lobbies; ${sheet.mostWaiting.toLocaleString("en")} waited at most.`,
  figures,
  notes: [
    "Every promise was checked at every step (SIM-4, SIM-5): nobody lost, nobody overtaken who was there.",
    `Whose page was there all the time came in at most ${seconds(none.mostMs)} later than those behind it (while the ` +
      `Room settled); of those whose lobby died and whose pages came back ${cutOff.late.toLocaleString("en")} in ` +
      `${cutOff.visitors.toLocaleString("en")} did, by ${seconds(cutOff.mostMs)} at most, ${cutOff.veryLate.toLocaleString("en")} of them by more than 1 s.`,
    `Rows by table: ${sheet.rows.map(([table, count]) => `${table} ${count.toLocaleString("en")}`).join(", ")}.`,
    "Memory is the JavaScript heap that a crash set free, without what the platform keeps of sockets.",
    `It took ${Math.round(cpuSeconds)} s of processor time, and ${Math.round((performance.now() - startedAt) / 1_000)} s.`,
  ],
});
