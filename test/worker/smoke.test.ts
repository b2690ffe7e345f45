import { exports } from "cloudflare:workers";
import { expect, test } from "vitest";
test("runs", async () => {
  const r = await exports.default.fetch("http://x/");
  expect(r.status).toBe(404);
});
