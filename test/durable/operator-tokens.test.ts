import { expect, test } from "vitest";
import { TOKENS_MAX, type OperatorToken } from "../../src/core/access/token.ts";
import type { Author } from "../../src/core/audit/entry.ts";
import { instant } from "../../src/core/time.ts";
import { definition, roomId, withRegistry } from "./registry-harness.ts";

const BY: Author = {
  ...{ id: "1".repeat(32), name: "ADMIN_TOKEN", rooms: null },
  ...{ network: null, reference: "ABCD2345" },
};

const token = (n: number, more: Partial<OperatorToken> = {}): OperatorToken => ({
  id: n.toString(16).padStart(32, "0"),
  name: `token-${n}`,
  scope: "read",
  rooms: null,
  expiresAt: null,
  madeAt: instant(0),
  madeBy: "",
  hash: n.toString(16).padStart(64, "0"),
  ...more,
});

test("[ACCESS-7] made tokens are kept over a restart and go out with the definitions", () =>
  withRegistry("tokens-kept", async ({ registry, restart }) => {
    const before = (await registry.definitions(null))?.version ?? null;
    const reply = await registry.makeToken(token(5, { rooms: [roomId("a")] }), BY);
    expect(reply).toMatchObject({ ok: true, token: { madeBy: "ADMIN_TOKEN" } });
    const known = await restart().definitions(before);
    expect(known?.tokens).toMatchObject([{ name: "token-5", rooms: [roomId("a")] }]);
    expect(known?.tokens?.[0]?.madeAt).toBeGreaterThan(0);
  }));

test("[ACCESS-7] a name is taken in any case, until its token is revoked or over", () =>
  withRegistry("tokens-names", async ({ registry }) => {
    await registry.makeToken(token(1, { name: "Till" }), BY);
    const again = () => registry.makeToken(token(2, { name: "tILL" }), BY);
    expect(await again()).toEqual({ ok: false, problem: "name-taken" });
    expect(await registry.revokeToken(token(1).id, BY)).toBe(true);
    expect(await registry.revokeToken(token(1).id, BY)).toBe(false);
    expect((await again()).ok).toBe(true);
    const over = token(3, { name: "brief", expiresAt: instant(Date.now() - 1) });
    expect((await registry.makeToken(over, BY)).ok).toBe(true);
    expect((await registry.makeToken({ ...over, id: token(4).id }, BY)).ok).toBe(true);
    expect((await registry.definitions(null))?.tokens).toHaveLength(2);
  }));

test("[ACCESS-7] there are a hundred at most; those that are over do not count", () =>
  withRegistry("tokens-many", async ({ registry }) => {
    await registry.makeToken(token(0, { expiresAt: instant(Date.now() - 1) }), BY);
    for (let n = 1; n <= TOKENS_MAX; n += 1)
      expect((await registry.makeToken(token(n), BY)).ok).toBe(true);
    const more = await registry.makeToken(token(TOKENS_MAX + 1), BY);
    expect(more).toEqual({ ok: false, problem: "too-many-tokens" });
  }));

test("[ACCESS-8] a token that was revoked makes none, and what it made stays", () =>
  withRegistry("tokens-revoked", async ({ registry }) => {
    await registry.makeToken(token(1, { scope: "admin" }), BY);
    const by: Author = { ...BY, id: token(1).id, name: "token-1", isToken: true };
    expect((await registry.makeToken(token(2), by)).ok).toBe(true);
    await registry.revokeToken(token(1).id, BY);
    expect(await registry.makeToken(token(3), by)).toEqual({ ok: false, problem: "revoked" });
    const names = (await registry.definitions(null))?.tokens?.map(({ name }) => name);
    expect(names).toEqual(["token-2"]);
  }));

test("[ACCESS-5] who is for certain rooms moves none of their traffic", () =>
  withRegistry("tokens-traffic", async ({ registry }) => {
    await registry.create(definition(roomId("a"), "shop"));
    const limited: Author = { ...BY, rooms: [roomId("a")] };
    const patched = async (json: object) => {
      const reply = await registry.change("shop", { by: "patch", json }, undefined, limited);
      return reply.ok ? "done" : reply.problem.code;
    };
    for (const json of [
      { path: "/" },
      { host: "*" },
      { name: "store" },
      { additional_routes: [{ host: "pay.example.com", path: "/" }] },
      { seiriken: { origin: "https://elsewhere.example" } },
      { seiriken: { cookie_domain: "example.com" } },
      { cookie_suffix: "else" },
    ])
      expect([json, await patched(json)]).toEqual([json, "scope-missing"]);
    expect(await patched({ total_active_users: 7, seiriken: { message: "Soon" } })).toBe("done");
    const known = (await registry.definitions(null))?.rooms[0];
    expect([known?.limits.permitsMax, known?.name]).toEqual([7, "shop"]);
  }));
