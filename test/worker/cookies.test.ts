import { expect, test } from "vitest";
import type { CookieAttributes, RoomDefinition } from "../../src/core/definition.ts";
import { withoutOurCookies } from "../../src/worker/tokens/cookies.ts";
import { cookieFor, cookiesFrom, DOCUMENT, roomOf, World } from "./fakes.ts";
import { fastestMs } from "../support/fastest.ts";

const setOn = async (world: World, url: string): Promise<string[]> =>
  (await world.fetch(url, { headers: DOCUMENT })).headers.getSetCookie();

const everyHost = [{ host: "*", path: "/tickets" }];

test("[COOKIE-1] a visitor id is a __Host- cookie, HttpOnly, Secure, Lax, for 30 days", async () => {
  const world = new World();
  world.say({ mode: "queues" });
  const [cookie, ...more] = await setOn(world, "/tickets");
  expect(more).toEqual([]);
  expect(cookie).toMatch(
    /^__Host-seiriken-visitor-shop=[\w.-]+; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax$/,
  );
});

test("[COOKIE-2] a pass is SameSite=None: it grants entry, and payers come back cross-site", async () => {
  const [cookie] = await setOn(new World(), "/tickets");
  expect(cookie).toMatch(/^__Host-seiriken-pass-shop=[\w.-]+; Path=\/; .*Secure; SameSite=None$/);
});

test("[COOKIE-3] a ticket is Lax and kept as long as it is accepted", async () => {
  const world = new World();
  world.say({ mode: "queues" });
  const Cookie = cookieFor("visitor", await world.visitorToken());
  const answer = await world.fetch("/tickets", { headers: { ...DOCUMENT, Cookie } });
  expect(answer.headers.getSetCookie()).toHaveLength(1);
  expect(answer.headers.getSetCookie()[0]).toMatch(
    /^__Host-seiriken-ticket-shop=[\w.-]+; Path=\/; Max-Age=4500; HttpOnly; Secure; SameSite=Lax$/,
  );
});

test("[COOKIE-4] a pass's cookie outlives its pass, so that an expired one can be asked about", async () => {
  const [cookie] = await setOn(new World(), "/tickets");
  expect(cookie).toContain("Max-Age=3900;");
});

test("[COOKIE-5] cookie_suffix names the cookies", async () => {
  const world = new World({ rooms: [roomOf({ cookieSuffix: "eu_1" })] });
  const [cookie] = await setOn(world, "/tickets");
  expect(cookie).toMatch(/^__Host-seiriken-pass-eu_1=/);
  const headers = { ...DOCUMENT, Cookie: cookie!.split(";")[0]! };
  expect((await world.fetch("/tickets", { headers })).headers.get("Seiriken-Status")).toContain(
    "admitted",
  );
});

test("[COOKIE-6] cookie_domain makes them __Secure- with a Domain", async () => {
  const world = new World({ rooms: [roomOf({ cookieDomain: "shop.example" })] });
  const [cookie] = await setOn(world, "/tickets");
  expect(cookie).toMatch(/^__Secure-seiriken-pass-shop=[\w.-]+; Path=\/; Domain=shop\.example; /);
});

const withAttributes = (cookie_attributes: CookieAttributes): RoomDefinition =>
  roomOf({ kept: { cookie_attributes }, routes: everyHost });

test.each([
  [{ samesite: "auto" }, "; Secure; SameSite=None"],
  [{ samesite: "lax" }, "; Secure; SameSite=Lax"],
  [{ samesite: "strict" }, "; Secure; SameSite=Strict"],
  [{ samesite: "none", secure: "always" }, "; Secure; SameSite=None"],
] as const)("[COOKIE-16] with %j a pass ends in %s", async (attributes, end) => {
  const world = new World({ rooms: [withAttributes(attributes)] });
  const [cookie] = await setOn(world, "/tickets");
  expect(cookie).toMatch(/^__Host-seiriken-pass-shop=/);
  expect(cookie!.endsWith(`HttpOnly${end}`)).toBe(true);
});

test("[COOKIE-16] samesite holds for visitor ids and tickets too", async () => {
  const world = new World({ rooms: [withAttributes({ samesite: "none" })] });
  world.say({ mode: "queues" });
  const [visitor] = await setOn(world, "/tickets");
  expect(visitor).toMatch(/^__Host-seiriken-visitor-shop=.*; SameSite=None$/);
  const headers = { ...DOCUMENT, Cookie: visitor!.split(";")[0]! };
  const [ticket] = (await world.fetch("/tickets", { headers })).headers.getSetCookie();
  expect(ticket).toMatch(/^__Host-seiriken-ticket-shop=.*; SameSite=None$/);
});

test("[COOKIE-16] secure: always is so over plain HTTP too", async () => {
  const rooms = [withAttributes({ secure: "always" })];
  const [cookie] = await setOn(
    new World({ rooms, env: { LOCAL: "1" } }),
    "http://192.0.2.1/tickets",
  );
  expect(cookie).toMatch(/^__Host-seiriken-pass-.*; Secure; SameSite=None$/);
});

test.each([
  [{ secure: "never" }, "Lax"],
  [{ samesite: "strict", secure: "never" }, "Strict"],
] as const)(
  "[COOKIE-17] with %j a pass is bare, and is read again",
  async (attributes, sameSite) => {
    const world = new World({ rooms: [withAttributes(attributes)] });
    const [cookie] = await setOn(world, "/tickets");
    expect(cookie).toMatch(/^seiriken-pass-shop=(?!.*Secure)/);
    expect(cookie!.endsWith(`SameSite=${sameSite}`)).toBe(true);
    const headers = { ...DOCUMENT, Cookie: cookie!.split(";")[0]! };
    world.say({ mode: "queues" });
    expect((await world.fetch("/tickets", { headers })).headers.get("Seiriken-Status")).toContain(
      "admitted",
    );
  },
);

test("[COOKIE-14] a host outside cookie_domain keeps its own cookies", async () => {
  const rooms = [roomOf({ cookieDomain: "shop.example", routes: everyHost })];
  const world = new World({ rooms });
  expect((await setOn(world, "https://www.shop.example/tickets"))[0]).toContain("Domain=");
  for (const host of ["workshop.example", "other.example", "127.0.0.1"])
    expect((await setOn(world, `https://${host}/tickets`))[0]).toMatch(/^__Host-(?!.*Domain=)/);
});

test.each([
  ["http://192.0.2.1:8787", "seiriken-pass-shop=", false],
  ["http://127.0.0.1:8787", "__Host-seiriken-pass-shop=", true],
  ["http://localhost:8787", "__Host-seiriken-pass-shop=", true],
  ["http://[::1]:8787", "__Host-seiriken-pass-shop=", true],
  ["https://192.0.2.1", "__Host-seiriken-pass-shop=", true],
])("[COOKIE-7] on one's own machine, at %s: %s", async (origin, start, isSecure) => {
  const world = new World({ rooms: [roomOf({ routes: everyHost })], env: { LOCAL: "1" } });
  const [cookie] = await setOn(world, `${origin}/tickets`);
  expect(cookie!.startsWith(start)).toBe(true);
  expect(cookie!.includes("; Secure")).toBe(isSecure);
  expect(cookie!.includes("SameSite=None")).toBe(isSecure);
});

test("[COOKIE-8] plain HTTP elsewhere than under npm start keeps its prefix", async () => {
  const world = new World({ rooms: [roomOf({ routes: everyHost })] });
  const [cookie] = await setOn(world, "http://192.0.2.1/tickets");
  expect(cookie).toMatch(/^__Host-.*; Secure;/);
});

test("[COOKIE-9] 100 cookies and a header of 16 KB are harmless", async () => {
  const world = new World();
  const many = Array.from({ length: 100 }, (_, at) => `seiriken-noise-${at}=${"x".repeat(150)}`);
  const Cookie = [...many, cookieFor("pass", await world.passToken())].join("; ");
  expect(Cookie.length).toBeGreaterThan(16_000);
  const answer = await world.fetch("/tickets", { headers: { ...DOCUMENT, Cookie } });
  expect(answer.headers.get("Seiriken-Status")).toBe("admitted; room=shop");
});

test("[COOKIE-10] our cookies never reach the origin, and all others do", async () => {
  const world = new World();
  const pass = cookieFor("pass", await world.passToken());
  const Cookie = `a=1; ${pass}; __Secure-seiriken-ticket-x=2; seiriken-visitor-y=3; b="4;5"; seiriken=6`;
  await world.fetch("/tickets", { headers: { ...DOCUMENT, Cookie } });
  expect(world.seen[0]?.headers.get("Cookie")).toBe('a=1; b="4;5"; seiriken=6');
});

test("[COOKIE-11] without other cookies the origin gets none", async () => {
  const world = new World();
  const Cookie = cookieFor("pass", await world.passToken());
  await world.fetch("/tickets", { headers: { ...DOCUMENT, Cookie } });
  expect(world.seen[0]?.headers.has("Cookie")).toBe(false);
});

test("[COOKIE-12] rooms of one site do not read each other's cookies", async () => {
  const rooms = [
    roomOf(),
    roomOf({ name: "two", routes: [{ host: "shop.example", path: "/two" }] }, "b".repeat(32)),
  ];
  const world = new World({ rooms });
  const first = await world.fetch("/tickets", { headers: DOCUMENT });
  world.say({ mode: "queues" });
  await world.advance(2_000);
  const headers = { ...DOCUMENT, Cookie: cookiesFrom(first) };
  expect((await world.fetch("/tickets", { headers })).status).toBe(200);
  expect((await world.fetch("/two", { headers })).status).toBe(503);
});

test("[COOKIE-18] one Cookie header that comes to several rooms is read for each, each time", async () => {
  const two = { cookieSuffix: "two", routes: [{ host: "shop.example", path: "/two" }] };
  const rooms = [roomOf(), roomOf({ name: "two", ...two }, "b".repeat(32))];
  const world = new World({ rooms });
  const first = await world.fetch("/tickets", { headers: DOCUMENT });
  world.say({ mode: "queues" });
  await world.advance(2_000);
  const headers = { ...DOCUMENT, Cookie: cookiesFrom(first) };
  const statusAt = async (path: string) => (await world.fetch(path, { headers })).status;
  const paths = ["/tickets", "/two", "/tickets", "/two", "/tickets"];
  const statuses = [];
  for (const path of paths) statuses.push(await statusAt(path));
  expect(statuses).toEqual([200, 503, 200, 503, 200]);
  expect(world.seen.filter(({ headers: sent }) => sent.has("Cookie"))).toEqual([]);
});

test("[COOKIE-18] what is remembered of Cookie headers stays true after thousands of others", () => {
  const ours = "__Host-seiriken-pass-shop=x";
  for (const round of [1, 2]) {
    for (let other = 0; other < 5_000; other += 1)
      expect(withoutOurCookies(`n=${other}; ${ours}${other}`)).toBe(`n=${other}`);
    expect(withoutOurCookies(`round=${round}; ${ours}; ${"y".repeat(4_000)}`)).toBe(
      `round=${round}; ${"y".repeat(4_000)}`,
    );
  }
});

test("[COOKIE-18] Cookie headers whose first token ends alike are told apart", () => {
  const ours = `__Host-seiriken-pass-shop=eyJ${"x".repeat(60)}`;
  for (const other of ["one", "two", "one", "two"]) {
    expect(withoutOurCookies(`${ours}; n=${other}`)).toBe(`n=${other}`);
    expect(withoutOurCookies(`n=${other}; ${ours}`)).toBe(`n=${other}`);
  }
});

test("[COOKIE-13] a cookie that comes twice has no value", async () => {
  const world = new World();
  world.say({ mode: "queues" });
  const visitor = cookieFor("visitor", await world.visitorToken());
  const headers = { ...DOCUMENT, Cookie: `${visitor}; ${visitor}` };
  const answer = await world.fetch("/tickets", { headers });
  expect(world.asked).toEqual([]);
  expect(answer.headers.getSetCookie()[0]).toContain("seiriken-visitor-shop=");
});

test("[COOKIE-10] several Cookie lines, which the runtime joins by commas, leak none of ours", async () => {
  const world = new World();
  const pass = await world.passToken();
  const Cookie = [
    "a=1, __Host-seiriken-ticket-shop=secret; b=2",
    cookieFor("pass", pass),
    "c=3,seiriken-visitor-x=secret,d=4",
  ].join("; ");
  const headers = { ...DOCUMENT, Cookie, "Seiriken-Pass": pass };
  await world.fetch("/tickets", { headers });
  expect(world.seen[0]?.headers.get("Cookie")).toBe("a=1; b=2; c=3,d=4");
});

test.each(["\u00a0", "\u0085", "\v", "\f"])(
  "[COOKIE-15] %j before a cookie's name makes it another cookie",
  async (blank) => {
    const world = new World();
    world.say({ mode: "queues" });
    const pass = cookieFor("pass", await world.passToken());
    const standing = async (Cookie: string) =>
      (await world.fetch("/tickets", { headers: { ...DOCUMENT, Cookie } })).headers.get(
        "Seiriken-Status",
      );
    for (const Cookie of [`${blank}${pass}`, `a=1;${blank}${pass}`, pass.replace("=", `${blank}=`)])
      expect(await standing(Cookie)).toBe("queued; room=shop");
    expect(await standing(`a=1; \t${pass.replace("=", " \t= ")} \t;b`)).toBe("admitted; room=shop");
  },
);

test("[COOKIE-15] what another site of the domain can put into a value is no cookie", async () => {
  const world = new World();
  world.say({ mode: "queues" });
  const Cookie = `a=1, ${cookieFor("pass", await world.passToken())}`;
  const answer = await world.fetch("/tickets", { headers: { ...DOCUMENT, Cookie } });
  expect(answer.headers.get("Seiriken-Status")).toBe("queued; room=shop");
});

test("[COOKIE-9] a row of blanks as long as a header may be is read in a moment", async () => {
  const world = new World();
  // How a Cookie header was read is remembered by its text.
  const ask = (at: number) => {
    const Cookie = `__Host-seiriken-pass-shop=${" ".repeat(60_000)}x${at}`;
    return world.fetch("/tickets", { headers: { ...DOCUMENT, Cookie } });
  };
  expect(await fastestMs(ask)).toBeLessThan(500);
});
