import { afterAll, beforeAll, expect, test } from "vitest";
import { Command } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { takeNumber, whereIs } from "../support/journey.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

let seiriken: Seiriken;
beforeAll(async () => {
  seiriken = await startSeiriken({
    rooms: ["told", "ended", "revoked"].map((name) => roomOver(name, { total_active_users: 1 })),
  });
});
afterAll(() => seiriken.stop());

const rooms = async (...args: string[]) => {
  const token = { SEIRIKEN_SERVER: seiriken.url, ADMIN_TOKEN: seiriken.adminToken };
  const command = new Command("cli/rooms.ts", args, token);
  const code = await command.ended();
  return { code, out: command.lines, err: command.stderr };
};

/** One is in, one waits. */
const busy = async (room: string) => {
  await visitorInside(seiriken, room);
  const waiting = seiriken.visitor({ room });
  await takeNumber(waiting);
  expect((await whereIs(waiting)).state).toBe("waiting");
  return waiting;
};

test("[CLI-15] history: a table with its sum, CSV, JSON, and quiet hours", async () => {
  await busy("told");
  const table = await rooms("history", "told", "--since", "1h");
  expect(table).toMatchObject({ code: 0, err: "" });
  expect(table.out[0]).toMatch(/^UTC +most waiting +most in +arrived +tickets/);
  // Arrivals are told a little later, with what the Worker asks next.
  expect(table.out.at(-1)).toMatch(/^all of them +1 +1 +[0-2] +2 /);
  const csv = await rooms("history", "told", "--csv");
  const issued = csv.out[0]?.split(",").indexOf("issued") ?? -1;
  expect(csv.out[0]).toMatch(/^minute,.*,issued,/);
  expect(csv.out.slice(1).reduce((sum, line) => sum + Number(line.split(",")[issued]), 0)).toBe(2);
  const json = await rooms("history", "told", "--json");
  expect(JSON.parse(json.out.join("\n"))[0]).toHaveProperty("waiting_max");
  const quiet = await rooms("history", "told", "--since", "3d", "--until", "2d");
  expect(quiet.out).toHaveLength(1);
  expect(quiet.out[0]).toMatch(/^nothing happened from /);
});

test("[CLI-16] visits end NAME VISIT: the next in line is called, and again is no error", async () => {
  const waiting = await busy("ended");
  for (let time = 0; time < 2; time += 1)
    expect(await rooms("visits", "end", "ended", "1")).toMatchObject({ code: 0, err: "" });
  await eventually(async () => expect((await whereIs(waiting)).state).toBe("called"));
});

test("[CLI-16] revoke-all asks, here in vain, and with --yes ends all visits and no ticket", async () => {
  const waiting = await busy("revoked");
  const refused = await rooms("revoke-all", "revoked");
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("1 now");
  expect((await whereIs(waiting)).state).toBe("waiting");
  const done = await rooms("revoke-all", "revoked", "--yes");
  expect(done).toMatchObject({ code: 0, out: ["revoked: 1 visits have ended; tickets stay"] });
  await eventually(async () => expect((await whereIs(waiting)).state).toBe("called"));
});

test.each([
  ["history", "nowhere"],
  ["visits", "end", "nowhere", "1"],
  ["revoke-all", "nowhere", "--yes"],
])("[CLI-8] %s %s: no such room, and what to do", async (...args) => {
  const { code, err } = await rooms(...args.filter((word) => word !== undefined));
  expect([code, err]).toEqual([1, expect.stringContaining("list shows the rooms there are")]);
});
