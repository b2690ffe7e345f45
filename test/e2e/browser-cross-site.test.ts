import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from "vitest";
import { phaseIs } from "../support/browser-visit.ts";
import { openBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { tallies } from "../support/history.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

/** Pages of another site: `localhost` to the room's `127.0.0.1`. `/?<address>` frames that. */
const partnerSite = async (): Promise<Server> => {
  const server = createServer(({ url = "" }, response) => {
    const framed = decodeURIComponent(url.slice(2));
    const frame = framed === "" ? "" : `<iframe src="${framed}"></iframe>`;
    response.writeHead(200, { "content-type": "text/html" }).end(`<title>partner</title>${frame}`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
};

let seiriken: Seiriken;
let browser: Browser;
let partner: Server;
let site: string;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  partner = await partnerSite();
  site = `http://localhost:${(partner.address() as AddressInfo).port}`;
  const one = { total_active_users: 1 };
  const rooms = [
    roomOver("open"),
    roomOver("framed", one),
    roomOver("partners", { ...one, seiriken: { cors_origins: [site] } }),
    roomOver("others", one),
  ];
  seiriken = await startSeiriken({ runtime: "workerd", rooms });
  seiriken.origin.handle(({ method, headers }, response) => {
    const cors = {
      "access-control-allow-origin": headers.origin ?? "*",
      "access-control-allow-headers": "seiriken-pass",
    };
    response.writeHead(200, { "content-type": "text/html", ...cors });
    response.end(`<p id="origin">${method} ${String(headers["seiriken-visit"])}</p>`);
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await seiriken?.stop();
  partner?.close();
});
beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
});
afterEach(() => context.close());

/** What a script of the page in the browser gets. */
const asks = (path: string, init: object = {}) =>
  page.evaluate(
    async ([to, how]) => {
      const answer = await fetch(to, { credentials: "include", ...how });
      return {
        status: answer.status,
        ticket: answer.headers.get("Seiriken-Ticket"),
        pass: answer.headers.get("Seiriken-Pass"),
        text: await answer.text(),
      };
    },
    [`${seiriken.url}${path}`, init] as const,
  );

describe("another site", () => {
  test("[BROWSER-15] frames a room that is open, and before a line a way to open it on its own", async () => {
    const framing = (path: string) =>
      page.goto(`${site}/?${encodeURIComponent(seiriken.url + path)}`);
    const frame = page.frameLocator("iframe");
    await framing("/open/page");
    await frame.locator("#origin").waitFor();

    const holder = await visitorInside(seiriken, "framed");
    await framing("/framed/page?a=1&b=2");
    const [tab] = await Promise.all([context.waitForEvent("page"), frame.locator("a").click()]);
    await phaseIs(tab, "waiting");
    expect(tab.url()).toBe(`${seiriken.url}/framed/page?a=1&b=2`);
    expect((await tallies(seiriken, "framed"))["issued"]).toBe(2);
    await holder.release();
    await tab.locator("#origin").waitFor();
  });

  test("[BROWSER-16] that cors_origins names takes its turn with tokens in headers", async () => {
    const api = "/.seiriken/rooms/partners";
    const holder = await visitorInside(seiriken, "partners");
    await page.goto(site);
    const first = await asks("/partners/seat");
    expect([first.status, JSON.parse(first.text).seiriken.state]).toEqual([503, "none"]);
    const { ticket } = await asks(`${api}/tickets`, { method: "POST" });
    const headers = { "Seiriken-Ticket": ticket };
    await holder.release();
    const claims = () => asks(`${api}/visits`, { method: "POST", headers });
    const pass = await eventually(async () => (await claims()).pass ?? false);
    const inside = { credentials: "omit", headers: { "Seiriken-Pass": pass } };
    expect((await asks("/partners/seat", inside)).text).toMatch(/GET \d+/);
    expect(
      (await asks(`${api}/visits/mine`, { method: "DELETE", headers: inside.headers })).status,
    ).toBe(204);
  });

  test("[BROWSER-16] that nobody named reads nothing, and takes no place", async () => {
    await visitorInside(seiriken, "others");
    await page.goto(site);
    for (const [path, method] of [
      ["/others/seat", "GET"],
      ["/.seiriken/rooms/others/tickets", "POST"],
    ] as const)
      await expect(asks(path, { method })).rejects.toThrow("Failed to fetch");
    expect((await tallies(seiriken, "others"))["issued"]).toBe(1);
  });
});

test("[BROWSER-17] a script of the room's own pages sees neither ticket nor pass", async () => {
  const api = "/.seiriken/rooms/open";
  await page.goto(`${seiriken.url}/open/page`);
  for (const [path, method] of [
    [`${api}/tickets`, "POST"],
    [`${api}/visits`, "POST"],
    [`${api}/visits/mine`, "PATCH"],
    ["/open/page", "GET"],
  ] as const) {
    const answer = await asks(path, { method });
    expect([answer.ticket, answer.pass]).toEqual([null, null]);
    expect(answer.text).not.toMatch(/eyJ/);
    expect(await page.evaluate(() => document.cookie)).toBe("");
  }
  const kept = (await context.cookies()).filter(({ name }) => name.includes("seiriken-pass"));
  expect(kept).toMatchObject([{ httpOnly: true }]);
});
