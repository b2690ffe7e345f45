import { expect, test } from "vitest";
import { browserStage } from "../support/browser-stage.ts";
import { expectAccessible, openDashboard } from "../support/dashboard-visit.ts";
import { roomOver } from "../support/rooms.ts";

const stage = browserStage({ rooms: [roomOver("looked-at", { total_active_users: 1 })] });

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
