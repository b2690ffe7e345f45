import { describe, expect, test } from "vitest";
import { renderErrorPage } from "../../src/worker/page/error-page.ts";
import type { RoomChange } from "./fakes.ts";
import { bootOf, cookieFor, DOCUMENT, JSON_APP, roomOf, World } from "./fakes.ts";

const LOST = () => Promise.reject(new Error("socket hang up"));
const APPEARANCE = { name: "Jazz <Festival>", accent: "#7a1d49", logo: null };

const worldWith = (change: RoomChange = {}, env = {}): World =>
  new World({ rooms: [roomOf({ appearance: APPEARANCE, ...change })], env, origin: LOST });

const inside = async (world: World, headers: Record<string, string> = DOCUMENT) => ({
  ...headers,
  Cookie: cookieFor("pass", await world.passToken()),
});

/** The text that a reader sees. */
const textOf = (page: string): string =>
  page
    .replace(/<(style|script)[^>]*>.*?<\/\1>/gs, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

const wayIn = (page: string): string[] =>
  [...page.matchAll(/<a class="button" href="(.*?)">(.*?)</gs)].map(
    ([, to, label]) => `${to} ${label}`,
  );

describe("in place of an answer", () => {
  test("[PAGE-47] the origin's failure looks like the queue page, in the room's own looks", async () => {
    const world = worldWith();
    const answer = await world.fetch("/tickets", { headers: await inside(world) });
    const page = await answer.clone().text();
    expect(answer.status).toBe(502);
    expect(answer.headers.get("Seiriken-Status")).toBe("error; room=shop");
    expect(answer.headers.get("Cache-Control")).toBe("no-store, no-transform");
    expect(page).toContain("prefers-color-scheme:dark");
    expect(page).toContain('<body data-phase="error" data-ticket>');
    expect(textOf(page)).toContain("Jazz &lt;Festival&gt;");
    expect(textOf(page)).toContain(answer.headers.get("Seiriken-Reference"));
    expect(page).not.toMatch(/<script|\sstyle="|\son\w+="|@import|url\((?!#)|src="(?!data:)/);
    const plain = await world.fetch("/tickets", { headers: await inside(world, JSON_APP) });
    expect(plain.status).toBe(502);
    expect(plain.headers.get("Content-Type")).toBe("application/problem+json");
  });

  test.each([
    ["en-GB", "The site did not answer"],
    ["de", "Die Website hat nicht geantwortet"],
    ["ja", "サイトから応答がありません"],
  ])("[PAGE-47] in %s", async (language, text) => {
    const world = worldWith();
    const headers = { ...(await inside(world)), "Accept-Language": language };
    const page = await (await world.fetch("/tickets", { headers })).text();
    expect(textOf(page)).toContain(text);
    expect(page).toContain(`<html lang="${language.slice(0, 2)}"`);
  });

  test("[PAGE-38] what may be asked again is asked again, with its query", async () => {
    const world = worldWith();
    const answer = await world.fetch("/tickets?day=2", { headers: await inside(world) });
    expect(wayIn(await answer.text())).toEqual(["/tickets?day=2 Try again"]);
  });

  test.each([
    [
      "https://shop.example/tickets/basket",
      ["https://shop.example/tickets/basket Back to the page before"],
    ],
    ["https://elsewhere.example/basket", []],
    ["javascript://shop.example/%0aalert(1)", []],
    ["nonsense", []],
    ["", []],
  ])("[PAGE-38] after a form from %j: %j", async (Referer, ways) => {
    const world = worldWith();
    const headers = { ...(await inside(world)), Referer };
    const answer = await world.fetch("/tickets", { method: "POST", headers, body: "a=1" });
    expect(answer.status).toBe(502);
    const page = await answer.text();
    expect(wayIn(page)).toEqual(ways);
    expect(answer.headers.get("Refresh")).toBeNull();
  });

  test.each([
    ["/tickets/%2e%2e%2fx", 400, ["/ To the front page"]],
    ["https://shop.example/.seiriken/rooms/none/wait", 404, ["/ To the front page"]],
    ["https://shop.example/.seiriken/rooms/shop/none", 404, ["/ To the front page"]],
  ])("[PAGE-38] %s: %i, and %j", async (path, status, ways) => {
    const world = worldWith();
    const answer = await world.fetch(path, { headers: DOCUMENT });
    expect([answer.status, wayIn(await answer.text())]).toEqual([status, ways]);
  });

  test("[PAGE-38] under a name that is not served only the operator can help", async () => {
    const world = worldWith({}, { ORIGIN: "http://origin.test" });
    const answer = await world.fetch("https://evil.example/tickets", { headers: DOCUMENT });
    const page = await answer.text();
    expect([answer.status, wayIn(page)]).toEqual([421, []]);
    expect(textOf(page)).toContain("PASS_HOSTS");
  });

  test("[PAGE-38] a page that comes back by itself says so", () => {
    const input = { name: "shop", appearance: { name: null, accent: null, logo: null } };
    const page = renderErrorPage({
      ...input,
      kind: "notReady",
      languages: "",
      reference: "ABCD2345",
      refreshSeconds: 5,
      way: { to: "/x", label: "again" },
    });
    expect(textOf(page)).toContain("This page tries again by itself in 5 seconds.");
  });

  test("[PAGE-47] [GATE-29] a room that takes no line says that it is full", async () => {
    const world = worldWith({ queueingMethod: "reject", queueingStatusCode: 429 });
    world.say({ mode: "queues" });
    const answer = await world.fetch("/tickets", { headers: DOCUMENT });
    const page = await answer.text();
    expect(answer.status).toBe(429);
    expect(answer.headers.get("Seiriken-Status")).toBe("queued; room=shop");
    expect(textOf(page)).toContain("It is full right now");
    expect(wayIn(page)).toEqual(["/tickets Try again"]);
    const Cookie = cookieFor("visitor", await world.visitorToken());
    const post = await world.fetch("/.seiriken/rooms/shop/tickets", {
      method: "POST",
      headers: { Cookie },
    });
    expect([post.status, await post.json()]).toMatchObject([503, { code: "line-full" }]);
    expect(world.asked).toEqual([]);
  });
});

describe("whoever holds a number", () => {
  const withTicket = async (world: World, change: Parameters<World["ticketToken"]>[0] = {}) => ({
    headers: { ...DOCUMENT, Cookie: cookieFor("ticket", await world.ticketToken(change)) },
  });

  test("[PAGE-11] sees it in a closed room, and that it still counts", async () => {
    const world = worldWith();
    world.say({ mode: "closed", closed: "Sold out." });
    const answer = await world.fetch("/tickets", await withTicket(world));
    const page = await answer.clone().text();
    expect((await bootOf(answer)).state).toMatchObject({ phase: "closed", ticket: { number: 42 } });
    expect(textOf(page)).toContain("Sold out.");
    expect(textOf(page)).toContain(
      "Number 42 stays yours: if this line opens again within 60 minutes, you go on where you are.",
    );
    expect(page).toContain("data-ticket");
  });

  test("[PAGE-11] who has none is told nothing of one", async () => {
    const world = worldWith();
    world.say({ mode: "closed", closed: "Sold out." });
    const page = await (await world.fetch("/tickets", { headers: DOCUMENT })).text();
    expect(textOf(page)).not.toContain("stays yours");
    expect(page).toContain('<body data-phase="closed">');
  });

  test("[PAGE-46] sees it while the room cannot be reached", async () => {
    const world = worldWith();
    world.say({ mode: "queues" });
    world.lobby.take = () => Promise.reject(new Error("gone"));
    const answer = await world.fetch("/tickets", await withTicket(world));
    expect([answer.status, answer.headers.get("Seiriken-Status")]).toEqual([
      503,
      "error; room=shop",
    ]);
    const page = await answer.clone().text();
    expect((await bootOf(answer)).state).toMatchObject({
      phase: "waiting",
      ticket: { number: 42 },
    });
    expect(textOf(page)).toContain("The page keeps trying by itself.");
    expect(page).toMatch(/<figure class="\w" hidden>/);
  });

  test("[PAGE-46] but not one whose time to come back is over, or that the room has spoken against", async () => {
    const world = worldWith();
    world.say({ mode: "queues" });
    const returnWindowMs = 3_600_000;
    world.lobby.take = async () => ({
      kind: "refused",
      refusal: "line-full",
      retryAfterMs: 5_000,
    });
    const refused = await world.fetch("/tickets", await withTicket(world));
    expect((await bootOf(refused)).state).toEqual({
      phase: "taking",
      waiting: 0,
      problem: "line-full",
    });
    world.lobby.take = () => Promise.reject(new Error("gone"));
    const heardAt = (world.now - returnWindowMs) as typeof world.now;
    const late = await world.fetch("/tickets", await withTicket(world, { heardAt }));
    expect((await bootOf(late)).state).not.toHaveProperty("ticket");
  });
});
