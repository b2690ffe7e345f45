import { parsePrometheus } from "../support/prometheus.ts";
import { describe, expect, test } from "vitest";
import type { RoomId } from "../../src/core/ids.ts";
import type { RoomRpc } from "../../src/durable/contract.ts";
import type { Env } from "../../src/worker/platform/env.ts";
import { meterOf } from "../support/meters.ts";
import { readOpenMetrics } from "../support/openmetrics.ts";
import { roomOf, World } from "./fakes.ts";
import { tokenForRooms } from "./room-token.ts";

const ADMIN_TOKEN = "an-admin-token-for-tests";
const SIGNED_IN = { Authorization: `Bearer ${ADMIN_TOKEN}` };
const OPENMETRICS = "application/openmetrics-text";
/** As Prometheus 3 asks. */
const SCRAPER =
  "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2";

const idOf = (index: number): string => (index + 10).toString(16).padStart(32, "0");

/** Rooms by the digit of their name, each with its own answer to monitoring. */
const deployment = (count: number, answer: (index: number) => ReturnType<RoomRpc["meter"]>) => {
  const rooms = Array.from({ length: count }, (_, index) =>
    roomOf(
      { name: `room-${index}`, routes: [{ host: "shop.example", path: `/${index}` }] },
      idOf(index),
    ),
  );
  const asked: string[] = [];
  const indices = new Map(rooms.map(({ id }, index) => [id as string, index]));
  const world = new World({
    rooms,
    env: {
      ADMIN_TOKEN,
      ROOM: {
        getByName: (id) =>
          ({
            meter: () => {
              asked.push(id);
              return answer(indices.get(id) ?? -1);
            },
          }) as unknown as RoomRpc,
      },
    } satisfies Partial<Env>,
  });
  return { world, asked };
};

const scrape = (world: World, headers: Record<string, string> = {}, method = "GET") =>
  world.fetch("/.seiriken/metrics", { method, headers: { ...SIGNED_IN, ...headers } });

/** The runtime takes `application/openmetrics-text` for no text, and warns. */
const textOf = async (answer: Response): Promise<string> =>
  new TextDecoder().decode(await answer.arrayBuffer());

const upOf = (text: string) =>
  readOpenMetrics(text)
    .find(({ name }) => name === "seiriken_room_up")
    ?.samples.map(({ value }) => value);

describe("a scrape", () => {
  test.each([
    ["nothing", {}, "text/plain; version=0.0.4; charset=utf-8"],
    ["anything", { Accept: "*/*" }, "text/plain; version=0.0.4; charset=utf-8"],
    ["what Prometheus asks", { Accept: SCRAPER }, `${OPENMETRICS}; version=1.0.0; charset=utf-8`],
    [
      "rather plain text",
      { Accept: `${OPENMETRICS};q=0.2, text/plain;q=0.9` },
      "text/plain; version=0.0.4; charset=utf-8",
    ],
    [
      "nothing of it but q=0",
      { Accept: `${OPENMETRICS};q=0` },
      "text/plain; version=0.0.4; charset=utf-8",
    ],
    [
      "an Accept without end",
      { Accept: "a/b,".repeat(4_000) },
      "text/plain; version=0.0.4; charset=utf-8",
    ],
  ])("[METRIC-1] who asks for %s gets the format", async (_, headers, type) => {
    const { world } = deployment(1, async () => meterOf());
    const answer = await scrape(world, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe(type);
    expect(answer.headers.get("Cache-Control")).toContain("no-store");
    const text = await textOf(answer);
    expect(text.endsWith("# EOF\n")).toBe(type.startsWith(OPENMETRICS));
    if (type.startsWith("text/plain"))
      expect(parsePrometheus(text).map(({ name }) => name)).toContain("seiriken_room_waiting");
  });

  test("[METRIC-1] it takes a token, and is read only", async () => {
    const { world, asked } = deployment(1, async () => meterOf());
    expect((await world.fetch("/.seiriken/metrics")).status).toBe(401);
    expect((await scrape(world, { Authorization: "Bearer another-token-for-tests" })).status).toBe(
      401,
    );
    expect((await scrape(world, {}, "POST")).status).toBe(405);
    expect(asked).toEqual([]);
    expect((await scrape(world, {}, "HEAD")).status).toBe(200);
  });

  test("[METRIC-1] a token for some rooms is told of those, and the others are not asked", async () => {
    const { world, asked } = deployment(3, async () => meterOf());
    const own = idOf(1) as RoomId;
    const token = await tokenForRooms(world, [own]);
    const headers = { Authorization: `Bearer ${token}`, Accept: OPENMETRICS };
    const text = await textOf(await scrape(world, headers));
    expect(asked).toEqual([own]);
    expect(text).toContain("seiriken_rooms 1\n");
    expect(text).toContain('seiriken_room_up{room="room-1"} 1\n');
    expect(text).not.toMatch(/room-[02]/);
  });

  test("[METRIC-5] each room is asked once, and 200 rooms in one answer", async () => {
    const { world, asked } = deployment(200, async () => meterOf());
    const text = await textOf(await scrape(world, { Accept: OPENMETRICS }));
    expect(upOf(text)).toEqual(Array.from({ length: 200 }, () => 1));
    expect(new Set(asked).size).toBe(200);
    expect(asked).toHaveLength(200);
  });

  test("[METRIC-5] at most 32 rooms are asked at once", async () => {
    let [running, most] = [0, 0];
    const { world } = deployment(100, async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      await Promise.resolve();
      running -= 1;
      return meterOf();
    });
    await scrape(world);
    expect(most).toBe(32);
  });

  test("[METRIC-5] [LOGLINE-2] rooms that fail, throw at once or never answer are down after 5 s, and the others are told", async () => {
    const { world } = deployment(4, (index) => {
      if (index === 0) return Promise.reject(new Error("the object is gone"));
      if (index === 1) throw new Error("the stub is broken");
      return index === 2 ? new Promise(() => undefined) : Promise.resolve(meterOf());
    });
    const answer = scrape(world, { Accept: OPENMETRICS });
    await world.advance(5_000);
    const text = await textOf(await answer);
    expect(upOf(text)).toEqual([0, 0, 0, 1]);
    expect(world.log).toContainEqual(
      expect.objectContaining({ level: "warn", event: "rooms-silent", rooms: 3, asked: 4 }),
    );
    expect(text).toContain('seiriken_room_waiting{room="room-3"} 120\n');
  });

  test("[METRIC-5] when the time is over no further room is asked", async () => {
    const { world, asked } = deployment(40, () => new Promise(() => undefined));
    const answer = scrape(world, { Accept: OPENMETRICS });
    await world.advance(5_000);
    expect(upOf(await textOf(await answer))).toEqual(Array.from({ length: 40 }, () => 0));
    expect(asked).toHaveLength(32);
  });

  test("[METRIC-6] labels hold names and ids of rooms and words of ours, and nothing else", async () => {
    const { world } = deployment(2, async () => meterOf());
    const text = await textOf(await scrape(world, { Accept: OPENMETRICS }));
    const words = /^[a-z][a-z-]*$|^room-\d$|^[0-9a-f]{32}$|^\d+(\.\d+)+$|^\+Inf$/;
    for (const { samples } of readOpenMetrics(text))
      for (const { labels } of samples)
        for (const [label, value] of Object.entries(labels)) expect(value, label).toMatch(words);
  });
});
