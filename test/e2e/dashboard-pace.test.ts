import { expect, test } from "vitest";
import { browserStage } from "../support/browser-stage.ts";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  openDashboard,
} from "../support/dashboard-visit.ts";
import { roomOver } from "../support/rooms.ts";

const stage = browserStage({ rooms: [roomOver("paced", { total_active_users: 30 })] });

test("[SIGNAL-10] the dashboard says why less is let in than was set, and stops saying so", async () => {
  const { url, adminToken } = stage.seiriken;
  const pace = async (method: string, body?: object): Promise<string> => {
    const answer = await fetch(`${url}/.seiriken/api/rooms/paced/pace`, {
      method,
      headers: { Authorization: `Bearer ${adminToken}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.status).toBe(200);
    return await answer.text();
  };
  await using here = await openDashboard(stage, { viewport: { width: 320, height: 700 } });
  const { page } = here;
  await here.signIn();
  await page.getByRole("link", { name: /paced/ }).first().click();
  await page.getByRole("heading", { name: "paced" }).waitFor();
  await pace("PUT", { permits: 12, ttl_seconds: 60, reason: "the <b>till</b> is slow" });
  await page.getByText(/^Lowered to 12 at once, .* set are 30 at once.*the <b>till/).waitFor();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await pace("PUT", { stock_left: 0, ttl_seconds: 60, reason: "sold out" });
  await page.getByText("Closed by a signal: nothing is left. sold out").waitFor();
  await pace("DELETE");
  await page.getByText(/Closed by a signal/).waitFor({ state: "detached" });
  expect(here.complaints).toEqual([]);
});
