/** What a sale has cost each object, and where the platform would not have borne it. */
import type { MillionWorld } from "./million-world.ts";
import type { RowCounts } from "./virtual-storage.ts";

/** Of one object, as Cloudflare has them. Requests a second are its soft limit. */
export const PLATFORM_MAX = { requestsPerSecond: 1_000, sockets: 32_768, bytes: 128 * 2 ** 20 };

/** A lobby takes no more tickets than this (LOBBY-7 and ISSUE). */
const LOBBY_TICKETS_MAX = 16_384;

export interface CostSheet {
  readonly visitors: number;
  readonly entered: number;
  readonly left: number;
  /** From the first arrival until the last who stayed was in. */
  readonly seconds: number;
  readonly mostWaiting: number;
  readonly lobbies: number;
  readonly roomPeak: number;
  readonly roomMean: number;
  readonly lobbyPeak: number;
  readonly lobbyMean: number;
  readonly socketsMost: number;
  readonly roomBytes: number;
  /** Of one with as many visitors as a lobby may have. */
  readonly lobbyBytes: number;
  /** Of all objects, the largest first. */
  readonly rows: readonly (readonly [table: string, rows: number])[];
  readonly workerRequests: number;
  readonly objectRequests: number;
  readonly messagesIn: number;
  readonly messagesOut: number;
  readonly bytesOut: number;
}

export const costSheetOf = (world: MillionWorld): CostSheet => {
  const { counts, line, room, roomBytes, lobbyBytes } = world;
  const lobbies = [...world.lobbies.values()];
  const loads = [...lobbies, room].map(({ load }) => load);
  return {
    visitors: counts.arrived,
    entered: counts.entered,
    left: counts.left,
    seconds: (world.lastEnteredAt - 100) / 1_000,
    mostWaiting: line.counts.mostWaiting,
    lobbies: lobbies.length,
    roomPeak: room.load.peak,
    roomMean: room.load.meanUntil(world.lastEnteredAt),
    lobbyPeak: most(lobbies.map(({ load }) => load.peak)),
    lobbyMean: most(lobbies.map(({ load }) => load.meanUntil(world.lastEnteredAt))),
    socketsMost: most(lobbies.map(({ socketsMost }) => socketsMost)),
    roomBytes: roomBytes?.bytes ?? NaN,
    lobbyBytes: lobbyBytes === null ? NaN : (lobbyBytes.bytes / lobbyBytes.of) * LOBBY_TICKETS_MAX,
    rows: rowsOf([room, ...lobbies].map(({ storage }) => storage.rows)),
    workerRequests: counts.workerRequests,
    objectRequests: loads.reduce((sum, { requests }) => sum + requests, 0),
    messagesIn: counts.received,
    messagesOut: counts.sent,
    bytesOut: counts.sentBytes,
  };
};

/** What the platform would not have borne, in words. Empty: it would. */
export const beyondPlatform = (sheet: CostSheet): string[] => {
  const { requestsPerSecond, sockets, bytes } = PLATFORM_MAX;
  const bounds: readonly (readonly [string, number, number])[] = [
    ["requests a second at the Room", sheet.roomPeak, requestsPerSecond],
    ["requests a second at a lobby", sheet.lobbyPeak, requestsPerSecond],
    ["sockets at a lobby", sheet.socketsMost, sockets],
    ["bytes of the Room", sheet.roomBytes, bytes],
    ["bytes of a full lobby", sheet.lobbyBytes, bytes],
  ];
  return bounds
    .filter(([, measured, max]) => !(measured <= max))
    .map(([what, measured, max]) => `${what}: ${measured}, and ${max} is the most`);
};

export const rowsWritten = ({ rows }: CostSheet): number =>
  rows.reduce((sum, [, count]) => sum + count, 0);

const most = (numbers: readonly number[]): number => Math.max(0, ...numbers);

const rowsOf = (all: readonly RowCounts[]): (readonly [string, number])[] => {
  const sums = new Map<string, number>();
  for (const rows of all)
    for (const [table, count] of rows) sums.set(table, (sums.get(table) ?? 0) + count);
  return [...sums].toSorted(([, one], [, other]) => other - one);
};

/** For people. */
export const costSheetText = (sheet: CostSheet): string => {
  const each = (count: number): string => (count / sheet.visitors).toFixed(2);
  const whole = (count: number): string => Math.round(count).toLocaleString("en");
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  const { requestsPerSecond, sockets, bytes } = PLATFORM_MAX;
  return [
    `${whole(sheet.visitors)} visitors in ${whole(sheet.seconds)} s: ${whole(sheet.entered)} came in, ${whole(sheet.left)} left, ${whole(sheet.mostWaiting)} waited at most, ${sheet.lobbies} lobbies`,
    `requests a second, Room:         ${whole(sheet.roomPeak)} at most, ${whole(sheet.roomMean)} on average (of ${whole(requestsPerSecond)})`,
    `requests a second, a lobby:      ${whole(sheet.lobbyPeak)} at most, ${whole(sheet.lobbyMean)} on average in the busiest`,
    `sockets at a lobby:              ${whole(sheet.socketsMost)} (of ${whole(sockets)})`,
    `memory, Room:                    ${megabytes(sheet.roomBytes)} (of ${megabytes(bytes)})`,
    `memory, a lobby with all it may: ${megabytes(sheet.lobbyBytes)}`,
    `rows written:                    ${whole(rowsWritten(sheet))}, ${each(rowsWritten(sheet))} a visitor`,
    ...sheet.rows.map(([table, count]) => `  ${table.padEnd(12)} ${whole(count)}`),
    `requests of Workers:             ${whole(sheet.workerRequests)}, ${each(sheet.workerRequests)} a visitor`,
    `requests of objects:             ${whole(sheet.objectRequests)}, ${each(sheet.objectRequests)} a visitor`,
    `socket messages:                 ${whole(sheet.messagesOut)} out (${megabytes(sheet.bytesOut)}), ${whole(sheet.messagesIn)} in`,
  ].join("\n");
};
