import { expect, test } from "vitest";
import type { Env } from "../../src/worker/platform/env.ts";
import { keysApp } from "../../src/worker/operators/rooms-app.ts";
import { ADMIN_TOKEN, mounted } from "../durable/registry-harness.ts";
import { withApi } from "./management-harness.ts";

const keys = async (env: Env, method: string, path: string, token = ADMIN_TOKEN) => {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await mounted(keysApp).request(path, { method, headers }, env);
  const body = (await response.json()) as { keys: string[]; code?: string };
  return { status: response.status, type: response.headers.get("Content-Type"), body };
};

test("[KEY-3] the API shows names of keys, never secrets", () =>
  withApi("keys", async ({ env, registry }) => {
    const first = await keys(env, "GET", "/");
    const rotated = await keys(env, "POST", "/rotate");
    expect(rotated.body.keys).toHaveLength(2);
    expect(rotated.body.keys[1]).toBe(first.body.keys[0]);
    const secrets = (await registry.definitions(null))!.keys.map(({ secret }) => secret);
    for (const secret of secrets) expect(JSON.stringify([first, rotated])).not.toContain(secret);
  }));

test("[KEY-4] keys of the secret are listed, and rotated where they live", () =>
  withApi("secret keys", async ({ env }) => {
    const given = { ...env, SIGNING_KEYS: "k2:s3cret, k1:older" };
    expect((await keys(given, "GET", "/")).body).toEqual({ source: "secret", keys: ["k2", "k1"] });
    expect(await keys(given, "POST", "/rotate")).toMatchObject({
      status: 409,
      type: "application/problem+json",
      body: { code: "keys-from-secret" },
    });
  }));

test("[KEY-8] a key is revoked by its name, and only by one that is there", () =>
  withApi("revoke", async ({ env }) => {
    const first = (await keys(env, "GET", "/")).body.keys[0]!;
    const [fresh] = (await keys(env, "POST", "/rotate")).body.keys;
    expect(await keys(env, "DELETE", `/${first}`)).toMatchObject({
      status: 200,
      body: { source: "registry", keys: [fresh] },
    });
    const again = await keys(env, "DELETE", `/${first}`);
    expect(again).toMatchObject({ status: 404, body: { code: "key-not-found" } });
    const given = { ...env, SIGNING_KEYS: "k2:s3cret, k1:older" };
    const fixed = await keys(given, "DELETE", "/k1");
    expect(fixed).toMatchObject({ status: 409, body: { code: "keys-from-secret" } });
  }));

test("[KEY-7] a rotation too many is a conflict that names the key to revoke", () =>
  withApi("rotated too often", async ({ env }) => {
    const first = (await keys(env, "GET", "/")).body.keys[0]!;
    for (let n = 1; n < 40; n += 1) await keys(env, "POST", "/rotate");
    const refused = await keys(env, "POST", "/rotate");
    expect(refused).toMatchObject({ status: 409, body: { code: "too-many-keys" } });
    // The first one signs still: the oldest of those that don't is another.
    const detail = (refused.body as unknown as { detail: string }).detail;
    const listed = (await keys(env, "GET", "/")).body.keys;
    expect(listed[0]).toBe(first);
    expect(detail).toContain(`${listed.at(-1)} is the oldest`);
  }));

test("[KEY-5] errors are problems", () =>
  withApi("key problems", async ({ env }) => {
    const problem = { type: "application/problem+json" };
    expect(await keys(env, "GET", "/", "wrong")).toMatchObject({ status: 401, ...problem });
    expect(await keys(env, "GET", "/nothing")).toMatchObject({ status: 405, ...problem });
    expect(await keys(env, "GET", "/not/hing")).toMatchObject({ status: 404, ...problem });
  }));
