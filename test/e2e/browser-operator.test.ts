import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { browserStage } from "../support/browser-stage.ts";
import { phaseIs } from "../support/browser-visit.ts";
import { eventually } from "../support/eventually.ts";
import { tallies } from "../support/history.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";

const WAYS = ["held", "said", "closed", "suspended", "shut"];
/** Times are named here; a machine that stalls for a moment gets another try, in another room. */
const TRIES = 3;
const AGAIN = { retry: TRIES - 1 };
/** From the operator's answer to what an open page shows. */
const TOLD_WITHIN = { within: 3_000 };

const stage = browserStage({
  rooms: WAYS.flatMap((way) =>
    Array.from({ length: TRIES }, (_, index) =>
      roomOver(`${way}${index + 1}`, { total_active_users: 1 }),
    ),
  ),
});

const tried = new Map<string, number>();
const roomFor = (way: string): string => {
  tried.set(way, (tried.get(way) ?? 0) + 1);
  return `${way}${tried.get(way)}`;
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
  await eventually(() => expect(frames.join()).toContain('"position"'), { within: 10_000 });
  return { here, holder };
};

test.concurrent(
  "[BROWSER-10] held: the open page says so, nobody goes in, and the end of it lets in",
  AGAIN,
  async () => {
    const room = roomFor("held");
    const { here: page, holder } = await waitingPage(room);
    await using here = page;
    await stage.change(room, { queue_all: true });
    await eventually(async () => {
      expect(await here.text("headline")).toBe("The doors are closed for the moment");
    }, TOLD_WITHIN);
    expect(await here.text("wait")).toBe("Not known yet");
    expect(here.titles.at(-1)).toBe(`The doors are closed for the moment · ${room}`);
    await holder.release();
    await sleep(2_000);
    expect(await here.phase()).toBe("waiting");
    expect(stage.reached(room)).toEqual([]);
    await stage.change(room, { queue_all: false });
    await eventually(() => expect(stage.reached(room)).toEqual([`GET /${room}/seat`]), TOLD_WITHIN);
    // A browser that is to be closed in the middle of a navigation may hang.
    await here.page.locator("#origin").waitFor();
  },
);

test.concurrent(
  "[BROWSER-10] a message reaches the open page as plain text, changes, and goes",
  AGAIN,
  async () => {
    const room = roomFor("said");
    await using here = (await waitingPage(room)).here;
    for (const message of ["<b>Two</b> left in the stalls", "None left"]) {
      await stage.change(room, { seiriken: { message } });
      await eventually(async () => expect(await here.text("message")).toBe(message), TOLD_WITHIN);
      expect(await here.page.isVisible("#messageBox")).toBe(true);
    }
    await stage.change(room, { seiriken: { message: null } });
    await eventually(async () => expect(await here.page.isVisible("#messageBox")).toBe(false), {
      ...TOLD_WITHIN,
    });
  },
);

test.concurrent(
  "[BROWSER-10] closed: the open page says so; opened again it goes on with its number",
  AGAIN,
  async () => {
    const room = roomFor("closed");
    const { here: page, holder } = await waitingPage(room);
    await using here = page;
    await stage.change(room, { seiriken: { closed: "Sold out. Good night." } });
    await eventually(async () => expect(await here.phase()).toBe("closed"), TOLD_WITHIN);
    expect(await here.text("lead")).toBe("Sold out. Good night.");
    await stage.change(room, { seiriken: { closed: null } });
    await phaseIs(here.page, "waiting", { within: 15_000 });
    expect(await here.text("number")).toBe("2");
    await holder.release();
    await here.page.locator("#origin").waitFor({ timeout: 45_000 });
    expect(stage.reached(room)).toEqual([`GET /${room}/seat`]);
  },
);

test.concurrent("[BROWSER-10] suspended: the open page is let through", AGAIN, async () => {
  const room = roomFor("suspended");
  await using here = (await waitingPage(room)).here;
  await stage.change(room, { suspended: true });
  await here.page.locator("#origin").waitFor({ timeout: 15_000 });
  expect(stage.reached(room)).toEqual([`GET /${room}/seat`]);
});

test.concurrent(
  "[BROWSER-10] who comes to a closed room takes no ticket, and looks again by a button",
  AGAIN,
  async () => {
    const room = roomFor("shut");
    await visitorInside(stage.seiriken, room);
    await stage.change(room, { seiriken: { closed: "Not today." } });
    // An edge knows of it within 2 s.
    await sleep(2_000);
    await using here = await stage.visit(`/${room}/seat`);
    expect(await here.phase()).toBe("closed");
    expect(await here.text("lead")).toBe("Not today.");
    expect(await tallies(stage.seiriken, room)).toMatchObject({ issued: 1 });
    await stage.change(room, { seiriken: { closed: null } });
    await eventually(
      async () => {
        await here.page.click("#again");
        await phaseIs(here.page, "waiting", { within: 1_000 });
      },
      { within: 15_000 },
    );
    expect(await here.text("number")).toBe("2");
  },
);
