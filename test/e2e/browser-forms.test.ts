import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { browserStage } from "../support/browser-stage.ts";
import { phaseIs } from "../support/browser-visit.ts";
import { eventually } from "../support/eventually.ts";
import { ask } from "../support/http.ts";
import { claimVisit, takeNumber } from "../support/journey.ts";
import type { OriginHandler } from "../support/origin.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";

const ONE = { total_active_users: 1 };
const PAID = { path: "/ended/paid", methods: ["POST"], if: "ended-pass" };
const stage = browserStage({
  rooms: [
    roomOver("form", ONE),
    roomOver("stranger", ONE),
    roomOver("payer", ONE),
    roomOver("ended", { ...ONE, seiriken: { exempt: [PAID] } }),
  ],
});

const formTo = (action: string): string =>
  `<!doctype html><title>form</title><form method="post" action="${action}"><input name="order" value="7"><button>Send</button></form>`;

/** The origin's own page, outside of any room, with a form that leads into one. */
const sitesForm: OriginHandler = ({ method, url }, response) => {
  response.setHeader("content-type", "text/html");
  if (url === "/basket") return void response.end(formTo("/form/order"));
  response.end(`<!doctype html><title>origin</title><p id="origin">${method} ${url}</p>`);
};

/** Another site: 127.0.0.1 and localhost are strangers to a browser. */
const payments = createServer((request, response) => {
  const back = new URL(request.url ?? "/", "http://localhost").searchParams.get("back") ?? "/";
  response.setHeader("content-type", "text/html");
  response.end(formTo(stage.seiriken.url + back));
});
beforeAll(() => new Promise<void>((done) => payments.listen(0, "127.0.0.1", done)));
afterAll(() => {
  payments.closeAllConnections();
  payments.close();
});
beforeEach(() => stage.seiriken.origin.handle(sitesForm));

const posted = (url: string) =>
  stage.seiriken.origin.requests.find(
    (request) => request.url === url && request.method === "POST",
  );

const payAndComeBack = async (page: Page, back: string): Promise<void> => {
  const { port } = payments.address() as AddressInfo;
  await page.goto(`http://localhost:${port}/?back=${encodeURIComponent(back)}`);
  await page.click("button");
};

test("[BROWSER-8] a form before a line: the page says that it was not sent, and comes back by GET", async () => {
  const holder = await visitorInside(stage.seiriken, "form");
  await using here = await stage.visit("/basket");
  await here.page.click("button");
  await phaseIs(here.page, "waiting");
  expect(await here.text("notices")).toContain("Your form has not been sent.");
  expect(await here.text("number")).toBe("2");
  await holder.release();
  await here.page.locator("#origin").waitFor({ timeout: 60_000 });
  expect(stage.reached("form")).toEqual(["GET /form/order"]);
});

test("[BROWSER-8] a form of another site before a line: the same, for someone nobody has met", async () => {
  const holder = await visitorInside(stage.seiriken, "stranger");
  await using here = await stage.visit("/elsewhere");
  await payAndComeBack(here.page, "/stranger/order");
  await phaseIs(here.page, "waiting");
  expect(await here.text("notices")).toContain("Your form has not been sent.");
  expect(await here.text("number")).toBe("2");
  await holder.release();
  await here.page.locator("#origin").waitFor({ timeout: 60_000 });
  expect(stage.reached("stranger")).toEqual(["GET /stranger/order"]);
});

test("[BROWSER-9] a payer comes back by a cross-site POST: the pass comes along, and the POST arrives", async () => {
  await using here = await stage.visit("/payer/basket");
  await here.page.locator("#origin").waitFor();
  const queued = await stage.seiriken.visitor({ room: "payer" }).get("/payer/basket");
  expect(queued.headers["seiriken-status"]).toBe("queued; room=payer");
  await payAndComeBack(here.page, "/payer/paid?with=card");
  await eventually(async () => {
    expect(await here.page.textContent("#origin")).toBe("POST /payer/paid?with=card");
  });
  const paid = posted("/payer/paid?with=card");
  expect(paid?.body.toString()).toBe("order=7");
  expect(paid?.headers).toMatchObject({ "sec-fetch-site": "cross-site", "seiriken-visit": "1" });
});

const endVisit = async (room: string, visit: number): Promise<void> => {
  const { url, adminToken } = stage.seiriken;
  const ended = await ask(`${url}/.seiriken/api/rooms/${room}/visits/${visit}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${adminToken}` },
  });
  expect(ended.status).toBe(204);
};

test("[BROWSER-9] a payer whose visit ended meanwhile arrives where the operator exempts it, and nowhere else", async () => {
  await using here = await stage.visit("/ended/basket");
  await here.page.locator("#origin").waitFor();
  const next = stage.seiriken.visitor({ room: "ended" });
  await takeNumber(next);
  await endVisit("ended", 1);
  await claimVisit(next);
  await payAndComeBack(here.page, "/ended/paid");
  await eventually(async () => {
    expect(await here.page.textContent("#origin")).toBe("POST /ended/paid");
  });
  expect(posted("/ended/paid")?.body.toString()).toBe("order=7");

  await payAndComeBack(here.page, "/ended/other");
  await phaseIs(here.page, "waiting");
  expect(await here.text("notices")).toContain("Your form has not been sent.");
  expect(stage.reached("ended")).toEqual(["GET /ended/basket", "POST /ended/paid"]);
  await next.release();
  await eventually(async () => {
    expect(await here.page.textContent("#origin")).toBe("GET /ended/other");
  });
});
