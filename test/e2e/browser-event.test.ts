import { expect, test } from "vitest";
import type { PageEvent } from "../../src/page/state.ts";
import { browserStage } from "../support/browser-stage.ts";
import { eventually } from "../support/eventually.ts";
import { ask } from "../support/http.ts";
import { phaseIs, visitPage } from "../support/page-visit.ts";
import type { PageVisit, VisitOptions } from "../support/page-visit.ts";
import { roomOver } from "../support/rooms.ts";

const stage = browserStage({
  rooms: [roomOver("early"), roomOver("bare"), roomOver("drawn", { total_active_users: 1 })],
});

const ID = "e".repeat(32);
const eventIn = (ms: number, change: Partial<PageEvent> = {}): PageEvent => ({
  id: ID,
  phase: "prequeue",
  starts_at: new Date(Date.now() + ms).toISOString(),
  shuffle: true,
  ...change,
});

/** A page that is made in an event, in front of 4,000 others. */
const visitEvent = (event: () => PageEvent | null, options: VisitOptions = {}) =>
  visitPage(stage.browser, {
    ...options,
    prepare: async (mock, page) => {
      mock.controls.event = event();
      mock.controls.waiting = 4_000;
      mock.controls.ahead = 1_811;
      await options.prepare?.(mock, page);
    },
  });

const told = ({ mock }: PageVisit, event: PageEvent | null): void => {
  mock.controls.event = event;
  mock.send({ type: "event", event, now: new Date().toISOString() });
};

const says = (here: Pick<PageVisit, "text">, id: string, text: string | RegExp): Promise<void> =>
  eventually(async () => expect(await here.text(id)).toMatch(text));

/** Its own clock can be put forward from then on; the mock's goes on as before. */
const onSocket = async (here: PageVisit): Promise<PageVisit> => {
  await eventually(() => expect(here.mock.openSockets()).toBe(1));
  return here;
};
const withClock: VisitOptions = { prepare: (_, page) => page.clock.install() };

test.concurrent("[DOORS-3] at the start the page goes on by itself, and asks nobody", async () => {
  await using here = await visitEvent(() => eventIn(50_000, { shuffle: false }), withClock);
  await onSocket(here);
  await says(here, "headline", "The doors are not open yet");
  expect(await here.text("wait")).toMatch(/^0:[1-5]\d$/);
  expect(await here.text("ahead")).toBe("1,811");
  const asked = here.mock.requests.length;
  await here.page.clock.runFor(51_000);
  await says(here, "headline", "You are in line");
  expect(await here.text("waitLabel")).toBe("Estimated wait");
  expect(await here.page.getAttribute("body", "data-paused")).toBeNull();
  expect(here.mock.requests).toHaveLength(asked);
  here.mock.call();
  await eventually(async () => expect(await here.page.title()).toBe("Inside"));
});

test.concurrent("[DOORS-2] [DOORS-4] the order is drawn: waited for, told, and linked", async () => {
  await using here = await visitEvent(() => eventIn(50_000), withClock);
  await onSocket(here);
  await says(here, "aheadLabel", "You are one of");
  expect(await here.text("ahead")).toBe("4,000");
  expect(await here.page.isVisible("figure")).toBe(false);
  await here.page.clock.runFor(51_000);
  await says(here, "headline", "The order is being drawn");
  expect(await here.page.isVisible("#check")).toBe(false);
  told(here, { ...here.mock.controls.event!, phase: "running" });
  here.mock.send({ type: "paused", paused: false });
  here.mock.advance(0);
  await says(here, "ahead", "1,811");
  expect(await here.text("headline")).toBe("You are in line");
  expect(await here.text("aheadLabel")).toBe("Ahead of you");
  expect(await here.page.isVisible("figure")).toBe(true);
  expect(await here.page.isVisible("#check")).toBe(true);
  expect(await here.page.getAttribute("#check", "href")).toBe(
    `/.seiriken/rooms/shop/draws/${ID}?number=1248`,
  );
});

test.concurrent("[DOORS-1] a start that is put off is counted to, and one that is given up forgotten", async () => {
  await using here = await visitEvent(() => eventIn(60_000));
  await onSocket(here);
  told(here, eventIn(7_500_000));
  await says(here, "wait", /^2:0\d:\d\d$/);
  expect(await here.text("status")).toContain("The doors open in");
  told(here, null);
  here.mock.send({ type: "paused", paused: false });
  await says(here, "headline", "You are in line");
});

test.concurrent("[DOORS-6] a page without a socket hears of the draw by its polls", async () => {
  await using here = await visitEvent(() => eventIn(0, { phase: "drawing" }), {
    prepare: (mock) => void (mock.controls.sockets = "refuse"),
  });
  await says(here, "headline", "The order is being drawn");
  here.mock.controls.event = { ...here.mock.controls.event!, phase: "running" };
  await says(here, "headline", "You are in line");
  expect(await here.page.isVisible("#check")).toBe(true);
});

test.concurrent("[DOORS-5] a page that was made before the prequeue loads again when a poll tells of it", async () => {
  await using here = await visitEvent(() => null, {
    prepare: async (mock, page) => {
      mock.controls.sockets = "refuse";
      await page.clock.install();
    },
  });
  await phaseIs(here.page, "waiting");
  expect(here.mock.pages()).toBe(1);
  here.mock.controls.event = eventIn(600_000);
  await here.page.clock.runFor(15_000);
  await eventually(() => expect(here.mock.pages()).toBe(2));
  await says(here, "headline", "The doors are not open yet");
});

test.concurrent("[DOORS-7] tabs with the script of events and without understand each other", async () => {
  await using here = await visitEvent(() => null);
  await onSocket(here);
  here.mock.controls.event = eventIn(600_000);
  const other = await here.tab();
  await eventually(async () =>
    expect(await other.locator("#headline").textContent()).toBe("The doors are not open yet"),
  );
  await eventually(() => expect(here.mock.socketsEver()).toBe(2));
  await onSocket(here);
  expect(await other.locator("#number").textContent()).toBe("1,248");
});

/** As an operator plans it: with a prequeue that has begun. */
const timesIn = (ms: number) => {
  const startsAt = Date.now() + ms;
  return {
    prequeue_start_time: new Date(startsAt - 600_000).toISOString(),
    event_start_time: new Date(startsAt).toISOString(),
    event_end_time: new Date(startsAt + 3_600_000).toISOString(),
  };
};

const planned = async (room: string, more: object = {}): Promise<string> => {
  const event = { name: "sale", ...timesIn(500_000), ...more };
  const answer = await stage.seiriken.manage("POST", `/waiting_rooms/${room}/events`, event);
  expect(answer.text).toContain('"success":true');
  return `/waiting_rooms/${room}/events/${answer.json<{ result: { id: string } }>().result.id}`;
};

const startsIn = async (event: string, ms: number): Promise<void> => {
  const answer = await stage.seiriken.manage("PATCH", event, timesIn(ms));
  expect(answer.status).toBe(200);
};

test.concurrent("[DOORS-3] in front of a real room: the start is moved to now, and the page goes in", async () => {
  const event = await planned("early");
  await using here = await stage.visit("/early/seat");
  await says(here, "headline", "The doors are not open yet");
  await says(here, "wait", /^8:[0-2]\d$/);
  await says(here, "ahead", "0");
  expect(stage.reached("early")).toEqual([]);
  await startsIn(event, 4_000);
  await says(here, "wait", /^0:0[0-4]$/);
  await here.page.locator("#origin").waitFor();
  expect(stage.reached("early")).toEqual(["GET /early/seat"]);
});

test.concurrent("[DOORS-1] [DOORS-6] without scripts: it says how long, and goes in by itself", async () => {
  const event = await planned("bare");
  await using here = await stage.visit("/bare/seat", { javaScriptEnabled: false });
  await says(here, "headline", "The doors are not open yet");
  await says(here, "wait", /^8 minutes \d+ seconds$/);
  await says(here, "number", "1");
  await startsIn(event, 2_000);
  await here.page.locator("#origin").waitFor();
});

test.concurrent("[DOORS-2] [DOORS-4] a real draw: two wait for it, one goes in, and the other checks it", async () => {
  const shuffle = { shuffle_at_event_start: true, seiriken: { draw: "witnesses" } };
  const event = await planned("drawn", shuffle);
  await using one = await stage.visit("/drawn/one");
  await using two = await stage.visit("/drawn/two");
  for (const here of [one, two]) {
    await says(here, "aheadLabel", "You are one of");
    await says(here, "headline", "The doors are not open yet");
    expect(await here.page.isVisible("figure")).toBe(false);
  }
  await says(two, "ahead", "2");
  await startsIn(event, 3_000);
  for (const here of [one, two]) await says(here, "headline", "The order is being drawn");
  const path = `/.seiriken/api/rooms/drawn/draws/${event.split("/").at(-1)!}`;
  await eventually(async () => {
    const answer = await ask(stage.seiriken.url + path, {
      method: "PUT",
      headers: {
        authorization: `Bearer ${stage.seiriken.adminToken}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ text: "17 04 23" }),
    });
    expect(answer.text).toContain("17 04 23");
  });
  const inside = await eventually(async () => {
    for (const here of [one, two])
      if ((await here.page.locator("#origin").count()) > 0) return here;
    throw new Error("nobody is in");
  });
  const waits = inside === one ? two : one;
  await says(waits, "headline", "You are next");
  await says(waits, "aheadLabel", "Ahead of you");
  const link = await waits.page.getAttribute("#check", "href");
  const record = await ask(stage.seiriken.url + link!);
  const number = Number(await waits.text("number"));
  expect(record.json()).toMatchObject({ number, rank: 2 });
});
