/** Rooms and their status as lines for a terminal or a log. */
import type { RoomResource } from "../src/worker/management/resource.ts";
import type { RoomStatus } from "../src/worker/management/status.ts";

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
    ["name", "routes", "permits", "per minute", "state"],
    ...rooms.map((room) => [
      room.name,
      [room, ...room.additional_routes]
        .map((route) => `${route.host ?? room.host}${route.path ?? "/"}`)
        .join(" "),
      String(room.total_active_users),
      String(room.new_users_per_minute),
      stateOf(room),
    ]),
  ]);

/** The strongest switch wins, as it does in the room. */
const stateOf = (room: RoomResource): string => {
  if (room.suspended) return "suspended";
  if (room.seiriken.closed !== null) return "closed";
  return room.queue_all ? "held" : "on";
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

export const watchHeader = (): string => watchLine(WATCH_COLUMNS.map(([title]) => title));

export const watchRow = (status: RoomStatus): string => {
  const now = status.seiriken;
  return watchLine([now.at.slice(11, 19), ...numbersOf(status)]);
};

export const statusTable = (statuses: readonly RoomStatus[]): string[] =>
  tableOf([
    ["name", ...WATCH_COLUMNS.slice(1).map(([title]) => title)],
    ...statuses.map((status) => [status.seiriken.name, ...numbersOf(status)]),
  ]);

const numbersOf = (status: RoomStatus): string[] => {
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

const watchLine = (cells: readonly string[]): string =>
  cells
    .map((cell, column) => cell.padEnd(WATCH_COLUMNS[column]?.[1] ?? 0))
    .join("  ")
    .trimEnd();
