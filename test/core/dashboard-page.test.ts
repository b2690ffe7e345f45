import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { buildDashboard } from "../../scripts/build-dashboard.ts";
import { packedPage, policy } from "../../src/worker/dashboard/assets.gen.ts";

/** What the page may weigh packed: it is read past at each start of the Worker. */
const PACKED_MAX = 200_000;

test("the dashboard in the Worker is what static/dashboard builds: npm run page makes it anew", async () => {
  const built = await buildDashboard();
  expect(gunzipSync(Buffer.from(packedPage, "base64")).toString()).toBe(built.html);
  expect(policy).toBe(built.policy);
});

test("[DASH-2] the page is one packed text", () => {
  expect(packedPage).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
  expect(packedPage.length).toBeLessThan(PACKED_MAX);
});
