import { describe, expect, test } from "vitest";
import { cookieFor, JSON_APP, World } from "./fakes.ts";

const LOST = new Error("Network connection lost.");

/** An origin whose connections fail this often, each after so many milliseconds. */
const losing = (times: number, afterMs = 0): World => {
  const world: World = new World({
    origin: async () => {
      if (world.seen.length > times) return new Response("at last");
      await world.advance(afterMs);
      throw LOST;
    },
  });
  return world;
};

const ask = async (world: World, init: RequestInit = {}): Promise<Response> =>
  world.fetch("/tickets", {
    ...init,
    headers: {
      ...JSON_APP,
      Cookie: cookieFor("pass", await world.passToken()),
      ...(init.headers as Record<string, string>),
    },
  });

describe("a connection to the origin that fails", () => {
  test.each(["GET", "HEAD"])(
    "[PROXY-9] %s is asked once more, and the log says so",
    async (method) => {
      const world = losing(1);
      expect((await ask(world, { method })).status).toBe(200);
      expect(world.seen).toHaveLength(2);
      expect(world.log.map(({ event }) => event)).toEqual(["origin-asked-again"]);
    },
  );

  test("[PROXY-9] once: who fails twice is unreachable", async () => {
    const world = losing(2);
    const answer = await ask(world);
    expect([answer.status, (await answer.json<{ code: string }>()).code]).toEqual([
      502,
      "origin-unreachable",
    ]);
    expect(world.seen).toHaveLength(2);
  });

  test.each([
    [1_000, 200, 2],
    [1_001, 502, 1],
  ])("[PROXY-9] after %i ms: %i, asked %i times", async (afterMs, status, times) => {
    const world = losing(1, afterMs);
    expect((await ask(world)).status).toBe(status);
    expect(world.seen).toHaveLength(times);
  });

  test("[PROXY-9] nobody who has gone", async () => {
    const leaving = new AbortController();
    const world: World = new World({
      origin: () => {
        leaving.abort();
        throw LOST;
      },
    });
    await ask(world, { signal: leaving.signal }).catch(() => null);
    expect(world.seen).toHaveLength(1);
  });

  test.each(["POST", "PUT", "PATCH", "DELETE"])(
    "[PROXY-10] %s is not asked again: it may or may not have been done",
    async (method) => {
      for (const path of ["/tickets", "/about"]) {
        const world = losing(1);
        const Cookie = cookieFor("pass", await world.passToken());
        const answer = await world.fetch(path, { method, headers: { ...JSON_APP, Cookie } });
        expect(answer.status).toBe(502);
        expect(await answer.json()).toMatchObject({ code: "origin-lost" });
        expect(world.seen).toHaveLength(1);
        expect(world.log.map(({ event }) => event)).toContain("origin-lost");
      }
    },
  );

  test("[PROXY-10] what was never asked has not been done", async () => {
    const world = new World({ env: { ORIGIN: "service:NOBODY" } });
    const answer = await ask(world, { method: "POST" });
    expect(await answer.json()).toMatchObject({ code: "origin-unreachable" });
  });
});

test("[PROXY-6] Expect stays here", async () => {
  const world = new World();
  await ask(world, { method: "POST", body: "data", headers: { Expect: "100-continue" } });
  expect(world.seen[0]?.headers.has("Expect")).toBe(false);
  expect(await world.seen[0]?.text()).toBe("data");
});
