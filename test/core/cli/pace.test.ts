import { describe, expect, test } from "vitest";
import { parseRoomsCommand } from "../../../cli/rooms-command.ts";
import { paceLines } from "../../../cli/rooms/pace.ts";
import type { PaceResource } from "../../../src/api/rooms/pace.ts";

const commandOf = (...argv: string[]) => parseRoomsCommand(argv, { ADMIN_TOKEN: "t" }).command;

describe("rooms pace", () => {
  test("[SIGNAL-9] shows, signals and takes back", () => {
    expect(commandOf("pace", "shop")).toEqual({ kind: "pace", room: "shop", ask: null });
    const words = ["permits=20", "ttl_seconds=600", "reason=the shop is slow"];
    expect(commandOf("pace", "shop", ...words)).toEqual({
      kind: "pace",
      room: "shop",
      ask: { permits: 20, ttl_seconds: 600, reason: "the shop is slow" },
    });
    expect(commandOf("pace", "shop", "--clear")).toMatchObject({ ask: "taken-back" });
  });

  test.each([
    [["pace"]],
    [["pace", "permits=20"]],
    [["pace", "shop", "permits=none"]],
    [["pace", "shop", "speed=1"]],
    [["pace", "shop", "permits=20", "--clear"]],
    [["pace", "shop", "--json"]],
  ])("[SIGNAL-9] %j is called wrongly", (argv) => {
    expect(() => commandOf(...argv)).toThrow(/./);
  });

  test("[SIGNAL-9] says what is in effect, what was set and why they differ", () => {
    const set = { permits: 50, starts_per_second: null, new_users_per_minute: 600 };
    const quiet: PaceResource = {
      room: "shop",
      at: "2026-11-22T10:00:00.000Z",
      in_effect: set,
      operator: set,
      signals: { api: null, origin: null },
      adaptive: { on: false, permits: null, quiet_ms: null },
      closed_by: null,
      changes: [],
    };
    expect(paceLines(quiet)).toEqual(["shop: P 50, 600 a minute, as set"]);
    const until = "2026-11-22T10:10:00.000Z";
    const said = { permits: 20, starts_per_second: 5, new_users_per_minute: null, stock_left: 0 };
    const reason = "the shop\u001b[2J is slow";
    const lowered = { ...set, permits: 20, starts_per_second: 5 };
    const lines = paceLines({
      ...quiet,
      in_effect: lowered,
      signals: { api: { ...said, said_on: quiet.at, until, reason }, origin: null },
      adaptive: { on: true, permits: 25, quiet_ms: 80 },
      closed_by: "api",
      changes: [{ at: quiet.at, source: "api", reason, ...lowered, closed: true }],
    });
    expect(lines).toHaveLength(6);
    expect(lines[0]).toBe("shop: P 20, 5 a second, 600 a minute");
    expect(lines[1]).toBe("  set: P 50, 600 a minute");
    expect(lines[2]).toMatch(/^ {2}api, until 2026-11-22T10:10:00.000Z: the shop.*is slow$/);
    expect(lines[3]).toBe("  adaptive: 25; quiet time 80 ms");
    expect(lines[4]).toBe("  closed: api says that nothing is left");
    expect(lines[5]).toMatch(/^ {2}2026-11-22T10:00:00.000Z api: closed \(the shop/);
    expect(lines.join("\n")).not.toContain("\u001b");
  });
});
