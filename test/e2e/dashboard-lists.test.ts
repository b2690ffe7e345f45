import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { browserStage } from "../support/browser-stage.ts";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  openDashboard,
} from "../support/dashboard-visit.ts";
import { roomOver } from "../support/rooms.ts";
import { Visitor } from "../support/visitor.ts";

const stage = browserStage({ rooms: [roomOver("listed", { total_active_users: 1 })] });

const PHONE = { viewport: { width: 320, height: 700 } };

/** Whoever may only look is offered nothing that would be refused. */
const expectOnlyLooking = async (token: string): Promise<void> => {
  await using here = await openDashboard(stage);
  const { page } = here;
  await here.signIn(token);
  await page.getByText("till (read)").waitFor();
  await page.getByRole("link", { name: "listed" }).click();
  await page.getByText("Your token may look and change nothing.").waitFor();
  expect(await page.getByRole("button", { name: "Pause" }).count()).toBe(0);
  await page.getByRole("link", { name: "Events" }).click();
  await page.getByText("Nothing is planned.").waitFor();
  expect(await page.getByRole("button", { name: "Plan an event" }).count()).toBe(0);
  expect(here.complaints).toEqual([]);
};

test("[DASH-20] [DASH-23] a token is made, shown once, and opens what its scope says until it is revoked", async () => {
  await using here = await openDashboard(stage, { hash: "#/tokens", ...PHONE });
  const { page } = here;
  await here.signIn();
  await page.getByText("There is none yet").waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Make a token" }).click();
  await page.getByLabel("Name").fill("till");
  await page.getByLabel("listed").check();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Make the token" }).click();
  const token = (await page.locator("[data-secret]").innerText()).trim();
  expect(token).toMatch(/^srk_/);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "I have kept it" }).click();
  await page.getByRole("row", { name: /till look read listed/ }).waitFor();
  expect(await page.content()).not.toContain(token);
  await expectNoSidewaysScroll(page);
  const asked = () =>
    fetch(`${stage.seiriken.url}/.seiriken/api/rooms`, {
      headers: { Authorization: `Bearer ${token}` },
    }).then(({ status }) => status);
  expect(await asked()).toBe(200);
  await expectOnlyLooking(token);
  await page.getByRole("button", { name: "Revoke till" }).click();
  const doIt = page.getByRole("button", { name: "Revoke", exact: true });
  expect(await doIt.isDisabled()).toBe(true);
  await page.getByLabel("Type till to go on").fill("till");
  await doIt.click();
  await page.getByText("There is none yet").waitFor();
  await expect.poll(asked, { timeout: 10_000 }).toBe(401);
  expect(here.complaints).toEqual([]);
});

test("[DASH-21] a webhook is made, its secret shown once, tried, turned off and deleted", async () => {
  const heard: string[] = [];
  const receiver = createServer((request, response) => {
    heard.push(String(request.headers["webhook-id"]));
    request.resume();
    response.statusCode = 204;
    response.end();
  });
  await new Promise<void>((ready) => receiver.listen(0, "127.0.0.1", ready));
  const { port } = receiver.address() as AddressInfo;
  try {
    await using here = await openDashboard(stage, { hash: "#/webhooks", ...PHONE });
    const { page } = here;
    await here.signIn();
    await page.getByRole("button", { name: "Make a webhook" }).click();
    await page.getByLabel("Name").fill("duty");
    await page.getByLabel("Address").fill("http://example.com/not-private");
    await page.getByRole("button", { name: "Make the webhook" }).click();
    await page.getByText("must be an https URL").waitFor();
    await page.getByLabel("Address").fill(`http://127.0.0.1:${port}/alerts`);
    await page.getByLabel("line.began: People wait.").check();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Make the webhook" }).click();
    expect(await page.locator("[data-secret]").innerText()).toMatch(/^whsec_/);
    await page.getByRole("button", { name: "I have kept it" }).click();
    await page.getByRole("button", { name: "Send a test to duty" }).click();
    await page.getByText(/duty answered 204 in/).waitFor();
    expect(heard).toHaveLength(1);
    await page.getByRole("button", { name: "Deliveries of duty" }).click();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole("button", { name: "Turn off duty" }).click();
    await page.getByRole("button", { name: "Turn on duty" }).waitFor();
    await page.getByRole("button", { name: "Delete duty" }).click();
    await page.getByLabel("Type duty to go on").fill("duty");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("There is none yet").waitFor();
    expect(here.complaints).toEqual([]);
  } finally {
    receiver.close();
  }
});

test("[DASH-22] the help desk finds who called in, says how it stands, gives time and ends a visit", async () => {
  const inside = new Visitor(stage.seiriken.url, { room: "listed" });
  const waiting = new Visitor(stage.seiriken.url, { room: "listed" });
  expect((await inside.get("/listed")).headers["seiriken-status"]).toContain("admitted");
  await waiting.get("/listed");
  await waiting.take();
  await using here = await openDashboard(stage, { ...PHONE });
  const { page } = here;
  await here.signIn();
  await page.getByRole("link", { name: "listed" }).click();
  await page.getByRole("link", { name: "Help desk" }).click();
  const find = async (who: string) => {
    await page.getByLabel("Number, visit or reference").fill(who);
    await page.keyboard.press("Enter");
  };
  await find("4711");
  await page.getByText("Nobody is known by that").waitFor();
  await find("1");
  await page.getByText(/Number 1 is on the site since/).waitFor();
  await page.getByLabel("Minutes more").fill("20");
  await page.getByRole("button", { name: "Give more time" }).click();
  await page.getByText("Number 1 has 20 minutes more.").waitFor();
  await page.getByText("580 are left for this visitor").waitFor();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await find("2");
  await page.getByText(/Number 2 (waits|keeps its place)/).waitFor();
  await find("1");
  await page.getByRole("button", { name: "End the visit" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "End the visit" }).click();
  await page.getByText("an operator ended its visit").waitFor();
  expect((await inside.get("/listed")).headers["seiriken-status"]).not.toContain("admitted");
  expect(here.complaints).toEqual([]);
});

test("[DASH-7] rules, an event and a room that were deleted are brought back from the record", async () => {
  const { seiriken } = stage;
  await seiriken.manage("POST", "/waiting_rooms", roomOver("undone"));
  const rules = "/waiting_rooms/undone/rules";
  const rule = {
    action: "bypass_waiting_room",
    expression: 'http.request.uri.path eq "/undone/a"',
  };
  await seiriken.manage("PUT", rules, [rule]);
  await seiriken.manage("PUT", rules, []);
  const made = await seiriken.manage("POST", "/waiting_rooms/undone/events", {
    name: "night",
    event_start_time: "2126-11-28T19:30:00Z",
    event_end_time: "2126-11-28T23:00:00Z",
  });
  const event = made.json().result.id;
  await seiriken.manage("DELETE", `/waiting_rooms/undone/events/${event}`);
  await using here = await openDashboard(stage, { hash: "#/audit" });
  const { page } = here;
  await here.signIn();
  /** The newest of its kind: what taking back made newer comes above it. */
  const takeBack = async (what: string) => {
    await page
      .getByRole("button", { name: new RegExp(`^Take back: ${what}`) })
      .first()
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Take it back" }).click();
  };
  const resultOf = async (path: string) => (await seiriken.manage("GET", path)).json().result;
  await takeBack("Rules");
  await expect.poll(() => resultOf(rules)).toMatchObject([rule]);
  await takeBack("Event deleted");
  await expect
    .poll(() => resultOf("/waiting_rooms/undone/events"))
    .toMatchObject([{ name: "night", event_start_time: "2126-11-28T19:30:00Z" }]);
  await seiriken.manage("DELETE", "/waiting_rooms/undone");
  await page.reload();
  await here.signIn();
  await takeBack("Room deleted");
  await expect.poll(() => resultOf("/waiting_rooms/undone")).toMatchObject({ name: "undone" });
  await page.getByText("The change is taken back.").waitFor();
  expect(here.complaints).toEqual([]);
});
