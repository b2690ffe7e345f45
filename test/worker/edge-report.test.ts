import { expect, test } from "vitest";
import { LogHistogram } from "../../src/core/collections/log-histogram.ts";
import { EdgeTally, type EdgeReport } from "../../src/core/edge-report.ts";
import { cookieFor, DOCUMENT, roomOf, World } from "./fakes.ts";
import type { WorldOptions } from "./fakes.ts";

/** A world, and what its isolate has told of the room so far, summed. */
const watched = (options: WorldOptions = {}) => {
  const world = new World(options);
  const all = new EdgeTally(() => 0);
  const { snapshot } = world.lobby;
  world.lobby.snapshot = (since, report) => {
    if (report != null) all.add(report);
    return snapshot(since);
  };
  const told = async (): Promise<EdgeReport | null> => {
    await world.advance(2_500);
    await (await world.fetch("/tickets", { headers: { ...DOCUMENT, Purpose: "prefetch" } })).text();
    await world.settled();
    return all.take();
  };
  return { world, told };
};

/** As far as the last byte: an answer is followed until then. */
const admitted = async (world: World, init: RequestInit = {}): Promise<void> => {
  const Cookie = cookieFor("pass", await world.passToken());
  const answer = await world.fetch("/tickets", { ...init, headers: { ...DOCUMENT, Cookie } });
  await answer.text();
};

test("[ADAPT-1] answers, errors and the time to the headers are told", async () => {
  let status = 200;
  const { world, told } = watched({
    origin: async () => {
      await world.advance(80);
      if (status === 0) throw new Error("connect ECONNREFUSED");
      return new Response("x", { status });
    },
  });
  for (status of [200, 404, 302, 500, 503, 0]) await admitted(world, { redirect: "manual" });
  const report = await told();
  expect(report?.origin).toMatchObject({ answers: 3, errors: 3 });
  const latency = LogHistogram.from(report?.origin?.latencyMs ?? []);
  expect(latency.total).toBe(3);
  expect(latency.quantile(0.5)).toBeGreaterThan(76);
  expect(latency.quantile(0.5)).toBeLessThan(84);
});

test("[ADAPT-1] what is for no visit is not the room's traffic", async () => {
  const { world, told } = watched({
    rooms: [roomOf({ exempt: [{ path: "/tickets/health" }] })],
    origin: () => new Response("no", { status: 500 }),
  });
  await world.fetch("/tickets/health", { headers: DOCUMENT });
  await world.fetch("/about", { headers: DOCUMENT });
  expect(await told()).toBeNull();
});

test("[ADAPT-1] how long an upload takes says nothing of the origin", async () => {
  const { world, told } = watched({ origin: () => new Response("thanks") });
  const send = (body: string | ReadableStream) =>
    admitted(world, { method: "POST", body, duplex: "half" } as RequestInit);
  await send(new Blob(["x".repeat(70_000)]).stream());
  const report = await told();
  expect(report?.origin).toEqual({ answers: 1, errors: 0, latencyMs: [] });
});

test("[ADAPT-2] an arrival is a person or an app without any token of the room's", async () => {
  const { world, told } = watched();
  world.say({ mode: "queues" });
  await world.fetch("/tickets", { headers: DOCUMENT });
  await world.fetch("/tickets", { headers: { Accept: "application/json" } });
  await world.fetch("/tickets", { method: "HEAD", headers: DOCUMENT });
  await world.fetch("/tickets", { headers: { Accept: "image/*", "Sec-Fetch-Dest": "image" } });
  const visitor = cookieFor("visitor", await world.visitorToken());
  await world.fetch("/tickets", { headers: { ...DOCUMENT, Cookie: visitor } });
  await admitted(world);
  expect(await told()).toMatchObject({ arrivals: 2 });
});
