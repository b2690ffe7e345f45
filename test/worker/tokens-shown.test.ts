import { beforeEach, expect, test } from "vitest";
import { after } from "../../src/core/time.ts";
import { cookieFor, cookiesFrom, roomOf, World } from "./fakes.ts";

const API = "/.seiriken/rooms/shop";
const PARTNER = "https://app.example";

let world: World;
beforeEach(() => {
  world = new World({ rooms: [roomOf({ corsOrigins: [PARTNER] })] });
  world.say({ mode: "queues" });
});

const NAVIGATION = { "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate" };
const OWN_SCRIPT = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors" };
const OWN_ORIGIN = { Origin: "https://shop.example" };
/** As Node's own fetch sends it. */
const NODE = { "Sec-Fetch-Mode": "cors" };
const PARTNERS = { Origin: PARTNER, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors" };

/** Where tokens can be read: in headers and, where it is JSON, in the body. */
const shownBy = async (answer: Response): Promise<string[]> => {
  const shown = ["Seiriken-Ticket", "Seiriken-Pass"].filter((name) => answer.headers.has(name));
  const text = await answer.text();
  return /"(?:ticket|pass)":"ey/.test(text) ? [...shown, "body"] : shown;
};

/** Answers that give a ticket or a pass to whoever has a cookie, by what is asked. */
const ask = {
  "a ticket": async (headers: object) =>
    world.fetch(`${API}/tickets`, {
      method: "POST",
      headers: { Cookie: cookieFor("visitor", await world.visitorToken()), ...headers },
    }),
  "where it stands": async (headers: object) =>
    world.fetch(`${API}/tickets/mine`, {
      headers: { Cookie: cookieFor("ticket", await world.ticketToken()), ...headers },
    }),
  "its turn": async (headers: object) =>
    world.fetch(`${API}/visits`, {
      method: "POST",
      headers: { Cookie: cookieFor("ticket", await world.ticketToken()), ...headers },
    }),
  "its turn again": async (headers: object) =>
    world.fetch(`${API}/visits`, {
      method: "POST",
      headers: { Cookie: cookieFor("pass", await world.passToken()), ...headers },
    }),
  "a renewal": async (headers: object) =>
    world.fetch(`${API}/visits/mine`, {
      method: "PATCH",
      headers: { Cookie: cookieFor("pass", await world.passToken()), ...headers },
    }),
  "the origin, with a pass that is due": async (headers: object) => {
    const token = await world.passToken({ mintedAt: after(world.now, -60_000) });
    return world.fetch("/tickets", { headers: { Cookie: cookieFor("pass", token), ...headers } });
  },
  "the origin, before a line": async (headers: object) =>
    world.fetch("/tickets", {
      headers: { Cookie: cookieFor("visitor", await world.visitorToken()), ...headers },
    }),
} as const;
const asks = Object.entries(ask);

test.each(asks)("[TOKEN-19] what a page of ours gets is in cookies alone: %s", async (_, to) => {
  for (const headers of [NAVIGATION, OWN_SCRIPT, OWN_ORIGIN, { ...OWN_SCRIPT, ...OWN_ORIGIN }]) {
    const answer = await to(headers);
    expect(cookiesFrom(answer)).toMatch(/seiriken-(?:ticket|pass)-shop=ey/);
    expect(await shownBy(answer)).toEqual([]);
  }
});

test.each(asks)("[TOKEN-20] programs and pages of cors_origins can read it: %s", async (_, to) => {
  for (const headers of [{}, NODE, PARTNERS])
    expect(await shownBy(await to(headers))).not.toEqual([]);
});

test("[TOKEN-20] so can whoever sent it in its header, but not whoever sent anything else there", async () => {
  const ticket = { ...OWN_SCRIPT, "Seiriken-Ticket": await world.ticketToken() };
  const where = () => world.fetch(`${API}/tickets/mine`, { headers: ticket });
  expect(await shownBy(await where())).toEqual(["Seiriken-Ticket", "body"]);
  const turn = () => world.fetch(`${API}/visits`, { method: "POST", headers: ticket });
  world.callNumber(42);
  expect(await shownBy(await turn())).toEqual(["Seiriken-Pass", "body"]);
  const pass = { ...OWN_SCRIPT, "Seiriken-Pass": await world.passToken() };
  const renewed = await world.fetch(`${API}/visits/mine`, { method: "PATCH", headers: pass });
  expect(await shownBy(renewed)).toEqual(["Seiriken-Pass"]);

  for (const forged of [{ "Seiriken-Pass": "forged" }, { "Seiriken-Ticket": "forged" }])
    expect(await shownBy(await ask["a renewal"]({ ...OWN_SCRIPT, ...forged }))).toEqual([]);
  expect(await shownBy(await ask["a renewal"](ticket))).toEqual([]);
});

test("[TOKEN-19] a page of another host of the room's needs its cookies too", async () => {
  const routes = ["shop.example", "tickets.example"].map((host) => ({ host, path: "/tickets" }));
  world = new World({ rooms: [roomOf({ routes })] });
  world.say({ mode: "queues" });
  const headers = { Origin: "https://tickets.example", "Sec-Fetch-Site": "cross-site" };
  const answer = await world.fetch(`${API}/tickets`, { method: "POST", headers });
  expect(answer.status).toBe(400);
  expect(world.asked).toEqual([]);
});
