import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browserStage } from "../support/browser-stage.ts";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  openDashboard,
} from "../support/dashboard-visit.ts";
import { eventually } from "../support/eventually.ts";
import { ask } from "../support/http.ts";
import { takeNumber } from "../support/journey.ts";
import { Pulse } from "../support/pulse.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";

const ROOMS = ["looked-at", "steered", "shared", "narrow", "expiring", "doomed"];
const stage = browserStage({
  rooms: ROOMS.map((name) => roomOver(name, { total_active_users: 1 })),
});

let pulse: Pulse;
beforeAll(() => void (pulse = new Pulse(stage.seiriken.url)));
afterAll(() => pulse?.stop());

const roomIn = async (room: string): Promise<Record<string, any>> =>
  (await stage.seiriken.manage("GET", `/waiting_rooms/${room}`)).json().result;

/** One visitor is in, and so many wait. */
const crowd = async (room: string, waiting: number) => {
  const inside = await visitorInside(stage.seiriken, room);
  for (let number = 0; number < waiting; number += 1)
    await takeNumber(stage.seiriken.visitor({ room }));
  return inside;
};

const seesRoom = async (room: string, options: { width?: number; token?: string } = {}) => {
  const { id } = await roomIn(room);
  const here = await openDashboard(stage, {
    hash: `#/rooms/${id}`,
    viewport: { width: options.width ?? 1280, height: 900 },
  });
  await here.signIn(options.token);
  await here.page.getByText("Live", { exact: true }).waitFor();
  return here;
};

test("[DASH-4] a wrong token is told, the right one shows the rooms, and nothing of it is kept", async () => {
  await using here = await openDashboard(stage);
  const { page } = here;
  await expectAccessible(page);
  await here.signIn("a-wrong-token-of-some-length");
  await page.getByText("This token is wrong").waitFor();
  await here.signIn();
  await page.getByRole("link", { name: "looked-at" }).waitFor();
  await expectAccessible(page);
  const kept = await page.evaluate(() => ({
    address: location.href.includes("admin"),
    stored: localStorage.length + sessionStorage.length,
    cookies: document.cookie,
  }));
  expect(kept).toEqual({ address: false, stored: 0, cookies: "" });
  expect(await page.context().cookies()).toEqual([]);
  await page.reload();
  await page.getByRole("heading", { name: "Sign in to the dashboard" }).waitFor();
  expect(here.complaints).toEqual([]);
});

test("[DASH-5][DASH-6][DASH-8] a crowd is seen as it comes, and what is steered comes true", async () => {
  const room = "steered";
  await crowd(room, 3);
  await using here = await seesRoom(room);
  const { page } = here;
  const figure = (label: string) =>
    page.locator(".figure", { hasText: label }).locator("dd").first();
  await eventually(async () => expect(await figure("Waiting").innerText()).toBe("3"));
  expect(await figure("On the site").innerText()).toBe("1 of 1");
  await expectAccessible(page);

  await page.getByLabel("On the site").fill("5");
  await page.getByRole("button", { name: "Change the limits" }).click();
  await page.getByText(/^In 30 min: [\d,]+/).waitFor();
  await page.getByRole("dialog").getByText("1 becomes 5").waitFor();
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Change the limits" }).click();
  await eventually(async () => expect(await figure("On the site").innerText()).toBe("1 of 5"));
  expect((await roomIn(room))["total_active_users"]).toBe(5);

  await page.getByLabel("Message to those who wait").fill("Doors at nine");
  await page.getByRole("button", { name: "Show the message" }).click();
  await eventually(async () =>
    expect((await roomIn(room))["seiriken"].message).toBe("Doors at nine"),
  );

  await page.getByRole("button", { name: "End every visit" }).click();
  const dialog = page.getByRole("dialog");
  const yes = dialog.getByRole("button", { name: "End every visit" });
  expect(await yes.isDisabled()).toBe(true);
  await dialog.getByLabel(`Type ${room} to go on`).fill(room);
  await yes.click();
  await page.getByText("Every visit is ended.").waitFor();

  await page.getByRole("link", { name: "Events" }).click();
  await page.getByRole("button", { name: "Plan an event" }).click();
  await page.getByLabel("Name").fill("night-sale");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Plan it" }).click();
  await page.getByRole("heading", { name: "night-sale" }).waitFor();
  await expectAccessible(page);

  await page.getByRole("link", { name: "Record" }).click();
  const loading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download as CSV" }).click();
  const csv = await readFile(await (await loading).path(), "utf8");
  expect(csv.split("\r\n")[0]).toContain("minute,arrivals");
  await expectAccessible(page);

  await page.getByRole("link", { name: "Timeline" }).click();
  await page.getByRole("heading", { name: "Event planned" }).waitFor();
  await expectAccessible(page);
  expect(here.complaints).toEqual([]);
});

test("[DASH-6] paused by the keyboard alone, and a second operator sees it within two seconds", async () => {
  const room = "shared";
  await using first = await seesRoom(room);
  await using second = await seesRoom(room);
  const pause = first.page.getByRole("button", { name: "Pause" });
  await eventually(async () => {
    await first.page.keyboard.press("Tab");
    expect(await pause.evaluate((button) => button === document.activeElement)).toBe(true);
  });
  await first.page.keyboard.press("Enter");
  await first.page.getByRole("dialog").getByText("Nobody goes in until you resume").waitFor();
  await first.page.keyboard.press("Escape");
  expect(await first.page.getByRole("dialog").count()).toBe(0);
  expect(await pause.evaluate((button) => button === document.activeElement)).toBe(true);
  await first.page.keyboard.press("Enter");
  await first.page.keyboard.press("Tab");
  await first.page.keyboard.press("Enter");
  await first.page.getByText("The room is paused.").waitFor();
  const since = performance.now();
  await second.page.locator(".mode-paused").waitFor();
  await second.page.getByRole("button", { name: "Resume" }).waitFor();
  expect(performance.now() - since).toBeLessThan(2_000 + pulse.slackSince(since));

  await first.page.getByRole("link", { name: "Timeline" }).click();
  await first.page.getByRole("button", { name: "Take back" }).first().click();
  await first.page.getByRole("dialog").getByRole("button", { name: "Take it back" }).click();
  await second.page.getByRole("button", { name: "Pause" }).waitFor();
  expect((await roomIn(room))["queue_all"]).toBe(false);
});

test("[DASH-6] where somebody else was first, their change is shown before one's own is made", async () => {
  const room = "narrow";
  await using here = await seesRoom(room, { width: 320 });
  const { page } = here;
  await expectNoSidewaysScroll(page);
  await page.getByLabel("On the site").fill("7");
  let isFirst = true;
  await page.route("**/waiting_rooms/*", async (route) => {
    if (route.request().method() === "PATCH" && isFirst) {
      isFirst = false;
      await stage.change(room, { description: "by somebody else" });
    }
    await route.continue();
  });
  await page.getByRole("button", { name: "Change the limits" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Change the limits" }).click();
  await page.getByText("Somebody else changed this room meanwhile").waitFor();
  await page.getByRole("cell", { name: "by somebody else" }).waitFor();
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Change the limits all the same" }).click();
  await page.getByText("The limits are changed.").waitFor();
  const after = await roomIn(room);
  expect([after["total_active_users"], after["description"]]).toEqual([7, "by somebody else"]);
});

test("[DASH-4] a token that is revoked in the middle of the work is asked for again, and the work goes on", async () => {
  const room = "expiring";
  const { url, adminToken } = stage.seiriken;
  const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
  const made = await ask(`${url}/.seiriken/api/tokens`, {
    method: "POST",
    headers,
    body: JSON.stringify({ name: "night-shift", scope: "operate" }),
  });
  const { id, token } = made.json();
  await using here = await seesRoom(room, { token });
  const { page } = here;
  await page.getByLabel("Message to those who wait").fill("Half written");
  await ask(`${url}/.seiriken/api/tokens/${id}`, { method: "DELETE", headers });
  const shows = page.getByRole("button", { name: "Show the message" });
  const again = page.getByRole("dialog", { name: "Sign in again" });
  await eventually(async () => {
    if (!(await again.isVisible())) await shows.click({ timeout: 500 });
    expect(await again.isVisible()).toBe(true);
  });
  await expectAccessible(page);
  await here.signIn();
  await eventually(async () =>
    expect((await roomIn(room))["seiriken"].message).toBe("Half written"),
  );
});

test("[DASH-5] a room that is deleted is said to be gone", async () => {
  await using here = await seesRoom("doomed");
  await stage.seiriken.manage("DELETE", "/waiting_rooms/doomed");
  await here.page.getByText("This room is gone").waitFor();
  await expectAccessible(here.page);
});

test("[DASH-5] over a crash the page says since when it is old, and comes back by itself", async () => {
  await using here = await seesRoom("looked-at");
  const { page } = here;
  const lost = page.getByText("The connection is lost since").waitFor();
  await stage.seiriken.kill9();
  await lost;
  await page.getByText("Live", { exact: true }).waitFor();
  expect(await page.getByText("The connection is lost since").count()).toBe(0);
  expect(here.complaints.filter((said) => !said.includes("WebSocket"))).toEqual([]);
});
