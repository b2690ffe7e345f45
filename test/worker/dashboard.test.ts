import { expect, test } from "vitest";
import { roomOf, World } from "./fakes.ts";

const ADMIN_TOKEN = "an-admin-token-for-tests";
const SIGNED_IN = { Authorization: `Bearer ${ADMIN_TOKEN}` };
const PATH = "/.seiriken/dashboard";

const sha256 = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
};

test("[DASH-1] one page for everybody, whose policy lets exactly its own script and style run", async () => {
  const answer = await new World().fetch(PATH);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(answer.headers.get("Set-Cookie")).toBe(null);
  expect(answer.headers.get("Cache-Control")).toContain("no-store");
  const html = await answer.text();
  const [, style = ""] = /<style>([\s\S]*)<\/style>/.exec(html) ?? [];
  const [, script = ""] = /<script>([\s\S]*)<\/script>/.exec(html) ?? [];
  expect(style).not.toBe("");
  expect(script).not.toBe("");
  const rules = (answer.headers.get("Content-Security-Policy") ?? "").split("; ");
  expect(rules).toEqual([
    "default-src 'none'",
    `script-src ${await sha256(script)}`,
    `style-src ${await sha256(style)}`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
  expect(html).toContain("<noscript>");
  expect(html).not.toMatch(/\b(src|href)="?(https?:)?\/\//);
});

test("[DASH-1] it is read, never written to, and has no other path", async () => {
  const world = new World({ env: { ADMIN_TOKEN } });
  const head = await world.fetch(PATH, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const posted = await world.fetch(PATH, { method: "POST", body: "token=typed" });
  expect([posted.status, posted.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
});

test("[DASH-3] all rooms in one answer", async () => {
  const world = new World({
    rooms: [roomOf({ name: "shop", routes: [{ host: "shop.example", path: "/sale" }] })],
    env: { ADMIN_TOKEN },
  });
  world.snapshot = { ...world.snapshot, waiting: 7, startsLastMinute: [1, 2] };
  const read = async () =>
    (await (await world.fetch("/.seiriken/api/rooms", { headers: SIGNED_IN })).json()) as {
      total: number;
      operator: object;
      rooms: Record<string, any>[];
    };
  const { total, rooms, operator } = await read();
  expect(total).toBe(1);
  expect(operator).toEqual({ name: "ADMIN_TOKEN", scope: "admin", rooms: null });
  expect(rooms[0]).toMatchObject({
    name: "shop",
    host: "shop.example",
    path: "/sale",
    starts_last_minute: [1, 2],
  });
  expect(rooms[0]!["status"].seiriken.waiting).toBe(7);
});

test("[DASH-3] a room that can't be reached is there without a status", async () => {
  const unreachable = () => {
    throw new Error("the lobby is gone");
  };
  const world = new World({
    env: { ADMIN_TOKEN, LOBBY: { getByName: () => unreachable() } },
  });
  const answer = await world.fetch("/.seiriken/api/rooms", { headers: SIGNED_IN });
  const { rooms } = (await answer.json()) as { rooms: { name: string; status: unknown }[] };
  expect(rooms).toMatchObject([{ name: "shop", status: null, starts_last_minute: [] }]);
});

test("[DASH-3] nobody without a token is told of rooms", async () => {
  const world = new World({ rooms: [roomOf({})], env: { ADMIN_TOKEN } });
  const answer = await world.fetch("/.seiriken/api/rooms");
  expect(answer.status).toBe(401);
});
