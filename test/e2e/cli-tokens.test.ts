import { afterAll, beforeAll, expect, test } from "vitest";
import { Command } from "../support/command.ts";
import { roomOver } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

let seiriken: Seiriken;
beforeAll(async () => {
  seiriken = await startSeiriken({ rooms: [roomOver("sale"), roomOver("park")] });
});
afterAll(() => seiriken.stop());

const run = async (script: string, args: readonly string[], token = seiriken.adminToken) => {
  const env = { SEIRIKEN_SERVER: seiriken.url, ADMIN_TOKEN: token };
  const command = new Command(`cli/${script}.ts`, [...args], env);
  const code = await command.ended();
  return { code, out: command.lines, err: command.stderr };
};

test("[CLI-20] [CLI-21] a token is made, runs its room and no other, is in the audit log, and is revoked", async () => {
  const made = await run("tokens", ["create", "till", "--scope", "operate", "--room", "sale"]);
  expect(made).toMatchObject({ code: 0, out: [expect.stringMatching(/^srk_[\w-]{43}$/)] });
  const [token = ""] = made.out;

  expect((await run("rooms", ["pause", "sale"], token)).code).toBe(0);
  const other = await run("rooms", ["pause", "park"], token);
  expect([other.code, other.err]).toEqual([1, expect.stringContaining("There is no room park")]);
  const more = await run("tokens", ["create", "more", "--scope", "read"], token);
  expect([more.code, more.err]).toEqual([1, expect.stringContaining("scope admin")]);
  const listed = await run("rooms", ["list"], token);
  expect(listed.out.join()).toContain("sale");
  expect(listed.out.join()).not.toContain("park");

  const lines = await run("audit", ["--by", "till"]);
  expect(lines.out).toEqual([
    expect.stringMatching(/ till {2}room-changed {2}sale$/),
    "    queue_all: false -> true",
  ]);
  const whole = await run("audit", ["--jsonl"]);
  const entries = whole.out.map((line) => JSON.parse(line) as { readonly action: string });
  expect(entries.slice(0, 2).map(({ action }) => action)).toEqual([
    "room-changed",
    "token-created",
  ]);
  expect(whole.out.join()).not.toContain(token.slice(4));

  expect((await run("tokens", ["revoke", "TILL"])).code).toBe(0);
  const dead = await run("rooms", ["resume", "sale"], token);
  expect([dead.code, dead.err]).toEqual([1, expect.stringContaining("missing or wrong")]);
  expect((await run("tokens", ["list"])).out).toHaveLength(1);
});
