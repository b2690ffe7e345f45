import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Command } from "../support/command.ts";
import { ask } from "../support/http.ts";
import { roomOver } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

let seiriken: Seiriken;
const data = mkdtempSync(join(tmpdir(), "seiriken-tokens-"));
beforeAll(async () => {
  seiriken = await startSeiriken({ rooms: [roomOver("sale"), roomOver("park")], data });
});
afterAll(async () => {
  await seiriken.stop();
  rmSync(data, { recursive: true, force: true });
});

const run = async (script: string, args: readonly string[], token = seiriken.adminToken) => {
  const env = { SEIRIKEN_SERVER: seiriken.url, ADMIN_TOKEN: token };
  const command = new Command(`cli/${script}.ts`, [...args], env);
  const code = await command.ended();
  return { code, out: command.lines, err: command.stderr };
};

test("[CLI-20] [CLI-21] a token is made, runs its room and no other, is in the audit log, and is revoked", async () => {
  const made = await run("tokens", ["create", "till", "--scope", "operate", "--room", "sale"]);
  expect(made).toMatchObject({ code: 0, out: [expect.stringMatching(/^srk_[\w-]{43}$/)] });
  expect(made.err).toContain("Scope operate, sale, it never ends.");
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

test("[ACCESS-6] [AUDIT-1] over kill -9 a token and its entry stay, and no file, log or origin has seen it", async () => {
  const api = `${seiriken.url}/.seiriken/api`;
  const call = (method: string, path: string, token: string, body?: object) =>
    ask(`${api}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const made = await call("POST", "/tokens", seiriken.adminToken, {
    name: "kept",
    scope: "operate",
  });
  const { token } = JSON.parse(made.text) as { readonly token: string };
  expect((await call("POST", "/rooms/sale/revoke", token)).status).toBe(200);
  await seiriken.kill9();
  expect((await call("GET", "/rooms/sale/history", token)).status).toBe(200);
  const audit = JSON.parse((await call("GET", "/audit?limit=2", token)).text) as {
    readonly entries: readonly { readonly action: string }[];
  };
  expect(audit.entries.map(({ action }) => action)).toEqual(["visits-ended", "token-created"]);

  for (const path of ["/%2e%2e/.seiriken/api/keys", "/.seiriken/none", "/.seiriken%2fapi"])
    await ask(seiriken.url + path, { headers: { authorization: `Bearer ${token}` } });
  const files = readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  expect(files.some((text) => text.includes("token-created"))).toBe(true);
  const secret = token.slice(4);
  expect(files.some((text) => text.includes(secret))).toBe(false);
  expect(JSON.stringify([seiriken.events, seiriken.origin.requests])).not.toContain(secret);
});
