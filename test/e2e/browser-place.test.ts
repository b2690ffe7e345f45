import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { cookielessBrowsers, openWholeBrowser } from "../support/browser.ts";
import { browserStage } from "../support/browser-stage.ts";
import { openVisit, phaseIs } from "../support/browser-visit.ts";
import type { BrowserVisit } from "../support/browser-visit.ts";
import { eventually } from "../support/eventually.ts";
import { tallies } from "../support/history.ts";
import { claimVisit, takeNumber, whereIs } from "../support/journey.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";

const WAYS = ["tabs", "mouse", "keyboard", "switched-off", "eaten", "eaten-bare"];
const stage = browserStage(
  { rooms: WAYS.map((way) => roomOver(way, { total_active_users: 1 })) },
  openWholeBrowser,
);
const IN_WITHIN = { timeout: 60_000 };

test.concurrent("[BROWSER-4] two tabs share one place; the one shown last goes in, the other says where", async () => {
  const holder = await visitorInside(stage.seiriken, "tabs");
  await using here = await stage.visit("/tabs/first");
  await phaseIs(here.page, "waiting");
  const second = await here.tab(`${stage.seiriken.url}/tabs/second`);
  await phaseIs(second, "waiting");
  expect(await second.textContent("#number")).toBe("2");
  // Back to the first tab: from now on it is the one in front of the visitor.
  await here.page.bringToFront();
  await here.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await stage.change("tabs", { seiriken: { message: "Both of you" } });
  await eventually(async () => expect(await here.text("message")).toBe("Both of you"));
  await eventually(async () => expect(await second.textContent("#message")).toBe("Both of you"));
  await holder.release();
  await phaseIs(second, "elsewhere");
  await here.page.locator("#origin").waitFor(IN_WITHIN);
  expect(await second.textContent("#headline")).toBe("It is your turn, in your other tab");
  expect(stage.reached("tabs")).toEqual(["GET /tabs/first"]);
  expect(await tallies(stage.seiriken, "tabs")).toMatchObject({ issued: 2 });
  // The pass is the visitor's, not the tab's.
  await second.reload();
  await second.locator("#origin").waitFor();
});

/** By mouse, or by keyboard alone: with the focus where it has to be, and to be seen. */
const HANDS: Readonly<Record<string, (here: BrowserVisit, id: string) => Promise<void>>> = {
  mouse: ({ page }, id) => page.click(`#${id}`),
  keyboard: async ({ page }, id) => {
    const focused = () => page.evaluate(() => document.activeElement?.id);
    for (let steps = 0; steps < 8 && (await focused()) !== id; steps += 1)
      await page.keyboard.press("Tab");
    expect(await focused()).toBe(id);
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outline);
    expect(outline).toMatch(/solid|auto/);
    await page.keyboard.press("Enter");
  },
};

test.concurrent.each(Object.keys(HANDS))(
  "[BROWSER-5] given up by %s: those behind move up, and the way back is a new number",
  async (way) => {
    const press = HANDS[way]!;
    const holder = await visitorInside(stage.seiriken, way);
    await using here = await stage.visit(`/${way}/seat`);
    await phaseIs(here.page, "waiting");
    const behind = stage.seiriken.visitor({ room: way });
    expect(await takeNumber(behind)).toBe(3);
    const socket = await behind.socket();
    await press(here, "giveUp");
    expect(await here.text("giveUpAsk")).toContain("Give up number 2?");
    await press(here, "giveUpYes");
    await phaseIs(here.page, "given-up");
    await eventually(async () => expect(await whereIs(behind)).toMatchObject({ ahead: 0 }));
    await holder.release();
    expect(await claimVisit(behind)).toBe(3);
    await press(here, "again");
    await phaseIs(here.page, "waiting");
    expect(await here.text("number")).toBe("4");
    await behind.release();
    await here.page.locator("#origin").waitFor(IN_WITHIN);
    expect(stage.reached(way)).toEqual([`GET /${way}/seat`]);
    socket.close();
  },
);

const takesNoPlace = async (room: string): Promise<void> => {
  const state = await stage.seiriken.visitor({ room }).ask(`/.seiriken/rooms/${room}`);
  expect(state.json()).toMatchObject({ waiting: 0 });
  expect(await tallies(stage.seiriken, room)).toMatchObject({ issued: 1 });
};

test.concurrent("[BROWSER-6] cookies switched off in the browser: it says so, and takes no place", async () => {
  await visitorInside(stage.seiriken, "switched-off");
  const url = `${stage.seiriken.url}/switched-off/seat`;
  await using here = await openVisit(cookielessBrowsers, url);
  await phaseIs(here.page, "cookies");
  expect(await here.text("lead")).toContain("Please allow cookies for this site");
  await takesNoPlace("switched-off");
});

/** Something on the way that drops every cookie of ours, as long as it is hungry. */
const cookieEater = async () => {
  const hunger = { isHungry: true };
  const server = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    const asked = httpRequest(stage.seiriken.url + incoming.url, { method, headers }, (answer) => {
      const { "set-cookie": eaten, ...rest } = answer.headers;
      const kept = hunger.isHungry || eaten === undefined ? {} : { "set-cookie": eaten };
      outgoing.writeHead(answer.statusCode ?? 500, { ...rest, ...kept });
      answer.pipe(outgoing);
    });
    asked.on("error", () => outgoing.destroy());
    incoming.pipe(asked);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    hunger,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
};

test.concurrent("[BROWSER-6] cookies lost on the way: it says so, takes no place, and goes on once they come", async () => {
  await visitorInside(stage.seiriken, "eaten");
  using eater = await cookieEater();
  await using here = await openVisit(stage.browser, `${eater.url}/eaten/seat`);
  await phaseIs(here.page, "cookies");
  await takesNoPlace("eaten");
  eater.hunger.isHungry = false;
  await here.page.click("#again");
  await phaseIs(here.page, "waiting");
  expect(await here.text("number")).toBe("2");
});

test.concurrent("[BROWSER-6] without scripts too: the first refresh says that cookies are needed", async () => {
  await visitorInside(stage.seiriken, "eaten-bare");
  using eater = await cookieEater();
  const options = { javaScriptEnabled: false };
  await using here = await openVisit(stage.browser, `${eater.url}/eaten-bare/seat`, options);
  await phaseIs(here.page, "cookies");
  expect(await here.text("lead")).toContain("You have no place yet");
  await takesNoPlace("eaten-bare");
});
