import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { startShop } from "../../cli/demo/shop.ts";
import type { Shop } from "../../cli/demo/shop.ts";
import { BoxOffice } from "../../cli/demo/seats.ts";
import { ask } from "../support/http.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

const order = (body: string) =>
  ask(`${shop.url}/checkout`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body,
  });

test.each([
  ["/", 200, "text/html"],
  ["/tickets", 200, "text/html"],
  ["/api/seats", 200, "application/json"],
  ["/art/poster.svg", 200, "image/svg+xml"],
  ["/nowhere", 404, "text/html"],
])("[DEMO-1] %s answers %i", async (path, status, type) => {
  const answer = await ask(shop.url + path);
  expect(answer.status).toBe(status);
  expect(answer.headers["content-type"]).toContain(type);
  expect(answer.text).not.toMatch(/(src|href|url\()=?["']?https?:/);
});

test("[DEMO-1] the WebSocket echoes", async () => {
  const socket = new WebSocket(`${shop.url.replace("http", "ws")}/live`);
  const echoed = await new Promise<string>((resolve, reject) => {
    socket.on("open", () => socket.send("hello"));
    socket.on("message", (data: Buffer) => resolve(data.toString()));
    socket.on("error", reject);
  });
  socket.close();
  expect(echoed).toBe("hello");
});

test("[DEMO-2] an order ends on a page that asks for the release", async () => {
  const bought = await order("tier=balcony&quantity=2");
  expect(bought.status).toBe(303);
  const thanks = await ask(shop.url + bought.headers.location);
  expect(thanks.status).toBe(200);
  expect(thanks.headers["seiriken-command"]).toBe("release; after=30");
  expect(thanks.text).toContain("€104");
  const stranger = await ask(`${shop.url}/checkout/thanks?order=NT-99999`);
  expect(stranger.status).toBe(303);
  expect(stranger.headers["seiriken-command"]).toBeUndefined();
});

test("[DEMO-3] the page shows what the gate said, escaped, and counts visits", async () => {
  const headers = { "seiriken-room": "<b>shop</b>", "seiriken-visit": "41" };
  await ask(`${shop.url}/tickets`, { headers });
  const { text } = await ask(`${shop.url}/tickets`, { headers });
  expect(text).toContain("&#60;b&#62;shop&#60;/b&#62;");
  expect(text).not.toContain("<b>shop</b>");
  expect((await ask(`${shop.url}/api/seats`)).json().visits_last_minute).toBe(1);
});

test.each([
  ["tier=roof&quantity=1", "unknown-tier"],
  ["tier=stalls&quantity=5", "bad-quantity"],
  ["tier=stalls&quantity=1.5", "bad-quantity"],
  ["", "unknown-tier"],
])("[DEMO-4] the form %j is refused: %s", async (body, problem) => {
  const answer = await order(body);
  expect(answer.headers.location).toBe(`/tickets?problem=${problem}`);
});

test("[DEMO-4] a form over 16 KB is refused", async () => {
  expect((await order("x".repeat(16_385))).status).toBe(413);
});

test("[DEMO-4] no seat is sold twice", () => {
  const boxOffice = new BoxOffice();
  const stalls = () => boxOffice.tiers()[0]?.left;
  while ((stalls() ?? 0) >= 4) expect(boxOffice.order("stalls", 4).ok).toBe(true);
  expect(stalls()).toBe(0);
  expect(boxOffice.order("stalls", 1)).toEqual({ ok: false, reason: "sold-out" });
  expect(boxOffice.order("balcony", 1).ok).toBe(true);
});
