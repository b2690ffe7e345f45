/** Rooms and their status as lines for a terminal or a log. */
import { callsPerSecondMax } from "../src/core/ring/call-rate.ts";
import type { DeletedRoomResource, RoomResource } from "../src/api/rooms/resource.ts";
import type { RoomStatusResource } from "../src/api/rooms/status.ts";

export const tableOf = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
};

export const roomTable = (rooms: readonly RoomResource[]): string[] =>
  tableOf([
    ["name", "routes", "permits", "per minute", "per second", "state"],
    ...rooms.map((room) => [
      room.name,
      [room, ...room.additional_routes]
        .map((route) => `${route.host ?? room.host}${route.path ?? "/"}`)
        .join(" "),
      String(room.total_active_users),
      String(room.new_users_per_minute),
      callsPerSecondOf(room),
      stateOf(room),
    ]),
  ]);

/** How many of the line a second may call: what the operator has named, or what holds without. */
const callsPerSecondOf = (room: RoomResource): string => {
  const { permit, starts_per_second } = room.seiriken;
  const most = callsPerSecondMax({
    permit,
    startsPerMinuteMax: room.new_users_per_minute,
    startsPerSecondMax: starts_per_second,
  });
  if (most === null) return "-";
  return starts_per_second === null ? `${most} by default` : String(most);
};

export const deletedTable = (rooms: readonly DeletedRoomResource[]): string[] =>
  tableOf([
    ["name", "id", "deleted", "can be restored until"],
    ...rooms.map((room) => [room.name, room.id, room.deleted_on, room.restorable_until]),
  ]);

/** The strongest switch wins, as it does in the room. */
const stateOf = (room: RoomResource): string => {
  if (room.suspended) return "suspended";
  if (room.seiriken.closed !== null) return "closed";
  return room.queue_all ? "paused" : "on";
};

const WATCH_COLUMNS = [
  ["UTC", 8],
  ["mode", 9],
  ["waiting", 9],
  ["called", 7],
  ["visiting", 13],
  ["issued", 9],
  ["per minute", 10],
  ["longest wait", 12],
] as const;

/**
 * Columns that a narrow terminal goes without, first to last. Those of waiting and visiting stay.
 */
const LEFT_OUT: readonly string[] = [
  ...["issued", "per minute", "called", "UTC", "longest wait", "mode"],
];
const GAP = 2;

/** The columns that stand side by side in so many characters. */
const columnsIn = (width: number): readonly boolean[] => {
  const titles = new Set<string>(WATCH_COLUMNS.map(([title]) => title));
  const needed = (): number =>
    WATCH_COLUMNS.reduce((sum, [title, size]) => sum + (titles.has(title) ? size + GAP : 0), -GAP);
  for (const title of LEFT_OUT) if (needed() > width) titles.delete(title);
  return WATCH_COLUMNS.map(([title]) => titles.has(title));
};

/** Without a width everything is told: a pipe wraps nothing. */
export const watchHeader = (width = Infinity): string =>
  watchLine(
    WATCH_COLUMNS.map(([title]) => title),
    width,
  );

export const watchRow = (status: RoomStatusResource, width = Infinity): string => {
  const now = status.seiriken;
  return watchLine([now.at.slice(11, 19), ...numbersOf(status)], width);
};

export const statusTable = (statuses: readonly RoomStatusResource[]): string[] =>
  tableOf([
    ["name", ...WATCH_COLUMNS.slice(1).map(([title]) => title)],
    ...statuses.map((status) => [status.seiriken.name, ...numbersOf(status)]),
  ]);

const numbersOf = (status: RoomStatusResource): string[] => {
  const now = status.seiriken;
  return [
    now.mode,
    String(now.waiting),
    String(now.called),
    `${now.visiting} of ${now.permits}`,
    String(now.issued),
    now.entries_per_minute === 0 ? "unknown" : String(now.entries_per_minute),
    status.max_estimated_time_minutes === 0 ? "-" : `${status.max_estimated_time_minutes} min`,
  ];
};

const watchLine = (cells: readonly string[], width: number): string => {
  const isShown = columnsIn(width);
  return cells
    .map((cell, column) => cell.padEnd(WATCH_COLUMNS[column]?.[1] ?? 0))
    .filter((_, column) => isShown[column])
    .join(" ".repeat(GAP))
    .trimEnd();
};
