import { beforeEach, expect, test } from "vitest";
import { World } from "./fakes.ts";

const BELL = "/.seiriken/bell/worker.js";

let world: World;
beforeEach(() => {
  world = new World();
});

test("[MOMENT-10] the worker of notifications is the same for everybody, and may be kept for an hour", async () => {
  const answer = await world.fetch(BELL, { headers: { "Sec-Fetch-Dest": "serviceworker" } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
  expect(answer.headers.get("Cache-Control")).toBe("public, max-age=3600");
  expect(answer.headers.get("Content-Security-Policy")).toBe("default-src 'none'");
  expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(answer.headers.get("Set-Cookie")).toBeNull();
  expect(answer.headers.get("Service-Worker-Allowed")).toBeNull();
  expect(await answer.text()).toContain("notificationclick");
  expect(world.calls).toEqual([]);
});

test("[MOMENT-10] HEAD has the same headers and no body; what changes something is refused", async () => {
  const head = await world.fetch(BELL, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const post = await world.fetch(BELL, { method: "POST" });
  expect([post.status, post.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
  expect(post.headers.get("Cache-Control")).toContain("no-store");
});

test("[MOMENT-10] beside it there is nothing", async () => {
  expect((await world.fetch("/.seiriken/bell/")).status).toBe(404);
});
