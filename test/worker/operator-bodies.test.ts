import { beforeEach, expect, test } from "vitest";
import { World } from "./fakes.ts";

const TOKEN = "an-admin-token-for-tests";
const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" };

let world: World;
beforeEach(() => {
  world = new World({ env: { ADMIN_TOKEN: TOKEN } });
});

const text = (bytes: number): string => `"${"x".repeat(bytes - 2)}"`;

const send = async (method: string, path: string, body: string) => {
  const answer = await world.fetch(`/.seiriken/api/${path}`, { method, headers, body });
  const { code } = await answer.json<{ code: string }>();
  return { status: answer.status, code };
};

test.each([
  { method: "POST", path: "tokens", bytesMax: 16_384, code: "token-invalid" },
  { method: "POST", path: "lock-rules", bytesMax: 16_384, code: "rule-invalid" },
  { method: "POST", path: "webhooks", bytesMax: 32_768, code: "webhook-invalid" },
  {
    method: "PATCH",
    path: "rooms/shop/visitors/17",
    bytesMax: 1_024,
    code: "visitor-change-invalid",
  },
])("a body for $path has $bytesMax bytes at most", async ({ method, path, bytesMax, code }) => {
  expect(await send(method, path, text(bytesMax))).toEqual({ status: 400, code });
  expect(await send(method, path, text(bytesMax + 1))).toEqual({
    status: 413,
    code: "body-too-large",
  });
  expect(await send(method, path, "{")).toEqual({ status: 400, code: "not-json" });
});
