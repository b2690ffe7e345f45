import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browserStage } from "../support/browser-stage.ts";
import { phaseIs } from "../support/browser-visit.ts";
import { eventually } from "../support/eventually.ts";
import { tallies } from "../support/history.ts";
import { ask } from "../support/http.ts";
import { takeNumber } from "../support/journey.ts";
import { Pulse } from "../support/pulse.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";

const WAYS = ["held", "said", "closed", "suspended", "shut", "renamed"];
/** From the operator's answer to what an open page shows. */
const TOLD_WITHIN_MS = 3_000;

const stage = browserStage({
  rooms: [
    ...WAYS.map((way) => roomOver(way, { total_active_users: 1 })),
    roomOver("lots", { total_active_users: 1, queueing_method: "random" }),
  ],
});

let pulse: Pulse;
beforeAll(() => void (pulse = new Pulse(stage.seiriken.url)));
afterAll(() => pulse?.stop());

const told = async (holds: () => unknown): Promise<void> => {
  const since = performance.now();
  await eventually(holds);
  expect(performance.now() - since).toBeLessThan(TOLD_WITHIN_MS + pulse.slackSince(since));
};

/** A page with the number 2 that hears of its room on a socket, and the visitor before it, inside. */
const waitingPage = async (room: string) => {
  const holder = await visitorInside(stage.seiriken, room);
  const frames: string[] = [];
  const here = await stage.visit(`/${room}/seat`, {
    prepare: (page) =>
      page.on("websocket", (socket) =>
        socket.on("framereceived", ({ payload }) => frames.push(String(payload))),
      ),
  });
  await phaseIs(here.page, "waiting");
  await eventually(() => expect(frames.join()).toContain('"position"'));
  return { here, holder };
};

test.concurrent("[BROWSER-10] paused: the open page says so, nobody goes in, and the end of it lets in", async () => {
  const room = "held";
  const { here: page, holder } = await waitingPage(room);
  await using here = page;
  await stage.change(room, { queue_all: true });
  await told(async () => {
    expect(await here.text("headline")).toBe("The doors are closed for the moment");
  });
  expect(await here.text("wait")).toBe("Not known yet");
  expect(here.titles.at(-1)).toBe(`The doors are closed for the moment · ${room}`);
  await holder.release();
  await sleep(2_000);
  expect(await here.phase()).toBe("waiting");
  expect(stage.reached(room)).toEqual([]);
  await stage.change(room, { queue_all: false });
  await told(() => expect(stage.reached(room)).toEqual([`GET /${room}/seat`]));
  // A browser that is to be closed in the middle of a navigation may hang.
  await here.page.locator("#origin").waitFor();
});

test.concurrent("[RANDOM-8] where turns are drawn: one of so many, no line to move, and in at the draw", async () => {
  const room = "lots";
  const other = await visitorInside(stage.seiriken, room);
  await takeNumber(stage.seiriken.visitor({ room }));
  await using here = await stage.visit(`/${room}/seat`);
  await eventually(async () => {
    expect(await here.page.locator("dl").innerText()).toMatch(/You are one of\s+2\s/);
  });
  expect(await here.page.isVisible("figure")).toBe(false);
  await stage.change(room, { queue_all: true });
  await told(async () => {
    expect(await here.text("lead")).toBe(
      "Nobody is being let in right now. Your place is kept, and it goes on as soon as the doors open.",
    );
  });
  await stage.change(room, { queue_all: false, total_active_users: 3 });
  await here.page.locator("#origin").waitFor();
  expect(stage.reached(room)).toEqual([`GET /${room}/seat`]);
  await other.release();
});

test.concurrent("[PAGE-44] renamed: the open page keeps its place, and goes in at its turn", async () => {
  const room = "renamed";
  const notFound: string[] = [];
  await using here = (await waitingPage(room)).here;
  here.page.on("response", (answer) => {
    if (answer.status() === 404) notFound.push(answer.url());
  });
  await stage.change(room, { name: `${room}-now` });
  // Until every isolate has the new name.
  const { url } = stage.seiriken;
  await eventually(async () => {
    expect((await ask(`${url}/.seiriken/rooms/${room}`)).status).toBe(404);
  });
  await stage.change(`${room}-now`, { total_active_users: 2 });
  await here.page.locator("#origin").waitFor();
  expect(notFound).toEqual([]);
  expect(stage.reached(room)).toEqual([`GET /${room}/seat`]);
});

test.concurrent("[BROWSER-10] a message reaches the open page as plain text, changes, and goes", async () => {
  const room = "said";
  await using here = (await waitingPage(room)).here;
  for (const message of ["<b>Two</b> left in the stalls", "None left"]) {
    await stage.change(room, { seiriken: { message } });
    await told(async () => expect(await here.text("message")).toBe(message));
    expect(await here.page.isVisible("#messageBox")).toBe(true);
  }
  await stage.change(room, { seiriken: { message: null } });
  await told(async () => expect(await here.page.isVisible("#messageBox")).toBe(false));
});

test.concurrent("[BROWSER-10] closed: the open page says so; opened again it goes on with its number", async () => {
  const room = "closed";
  const { here: page, holder } = await waitingPage(room);
  await using here = page;
  await stage.change(room, { seiriken: { closed: "Sold out. Good night." } });
  await told(async () => expect(await here.phase()).toBe("closed"));
  expect(await here.text("lead")).toMatch(/^Sold out\. Good night\.\s+Number 2 stays yours/);
  await stage.change(room, { seiriken: { closed: null } });
  await phaseIs(here.page, "waiting");
  expect(await here.text("number")).toBe("2");
  await holder.release();
  await here.page.locator("#origin").waitFor({ timeout: 60_000 });
  expect(stage.reached(room)).toEqual([`GET /${room}/seat`]);
});

test.concurrent("[BROWSER-10] suspended: the open page is let through", async () => {
  const room = "suspended";
  await using here = (await waitingPage(room)).here;
  await stage.change(room, { suspended: true });
  await here.page.locator("#origin").waitFor({ timeout: 60_000 });
  expect(stage.reached(room)).toEqual([`GET /${room}/seat`]);
});

test.concurrent("[BROWSER-10] who comes to a closed room takes no ticket, and looks again by a button", async () => {
  const room = "shut";
  await visitorInside(stage.seiriken, room);
  await stage.change(room, { seiriken: { closed: "Not today." } });
  // An edge knows of it within 2 s.
  const edge = stage.seiriken.visitor({ room });
  await eventually(async () => {
    const state = await edge.ask(`/.seiriken/rooms/${room}`);
    expect(state.json()).toMatchObject({ state: "closed" });
  });
  await using here = await stage.visit(`/${room}/seat`);
  expect(await here.phase()).toBe("closed");
  expect(await here.text("lead")).toBe("Not today.");
  expect(await tallies(stage.seiriken, room)).toMatchObject({ issued: 1 });
  await stage.change(room, { seiriken: { closed: null } });
  await eventually(async () => {
    if ((await here.phase()) === "closed") await here.page.click("#again", { timeout: 5_000 });
    await phaseIs(here.page, "waiting", { within: 5_000 });
  });
  expect(await here.text("number")).toBe("2");
});
