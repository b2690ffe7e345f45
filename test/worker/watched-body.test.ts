import { describe, expect, test } from "vitest";
import { watchedBody } from "../../src/worker/origin/watched-body.ts";
import { cookieFor, JSON_APP, roomOf, World } from "./fakes.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A client's body, whose end the test holds. */
const sending = () => {
  const { readable: body, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const send = (text: string): Promise<void> => writer.write(bytes(text));
  const breakOff = (): void => void writer.abort(new Error("gone")).catch(() => null);
  return { body, send, end: () => writer.close(), breakOff, closed: writer.closed };
};

const aborted = async (signal: AbortSignal): Promise<void> => {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
};

const ignored = (): void => undefined;

describe.each([
  ["by the runtime's pipe", null, null],
  ["piece by piece", null, ignored],
  ["of a known length", 10, ignored],
])("a body that is passed on %s", (_, length, moved) => {
  test("[PROXY-13] arrives whole, and nothing is broken off", async () => {
    const client = sending();
    const { readable, broken } = watchedBody(client.body, length, moved);
    const text = new Response(readable).text();
    await client.send("hello");
    await client.send("world");
    await client.end();
    expect(await text).toBe("helloworld");
    expect(broken.aborted).toBe(false);
  });

  test("[PROXY-13] breaks the request off where its client's breaks off", async () => {
    const client = sending();
    const { readable, broken } = watchedBody(client.body, length, moved);
    const text = new Response(readable).text().catch(() => "failed");
    await client.send("hello");
    client.breakOff();
    await aborted(broken);
    await text;
  });

  test("[PROXY-14] does not break off the answer of an origin that takes no more of it", async () => {
    const client = sending();
    const { readable, broken } = watchedBody(client.body, length, moved);
    const reader = readable.getReader();
    void client.send("hello");
    await reader.read();
    await reader.cancel();
    const sent = client.send("world").catch(() => null);
    const left = client.closed.catch(() => "left");
    await Promise.race([sent, left]);
    await scheduler.wait(1);
    expect(broken.aborted).toBe(false);
  });
});

test("[PROXY-13] nobody is told that the origin was lost when its client broke the upload off", async () => {
  const world = new World();
  world.origin = (request) =>
    new Promise((_, reject) =>
      request.signal.addEventListener("abort", () => reject(request.signal.reason)),
    );
  const client = sending();
  const Cookie = cookieFor("pass", await world.passToken());
  const headers = { ...JSON_APP, Cookie };
  const answer = world.fetch("/tickets", { method: "POST", body: client.body, headers });
  await world.breathe();
  client.breakOff();
  expect((await answer).status).toBe(502);
  expect(world.log).toEqual([]);
});

test.each(["/tickets", "/about"])(
  "[PROXY-13] a service binding gets an upload to %s whole",
  async (path) => {
    const heard: (string | null)[] = [];
    const SHOP = {
      async fetch(asked: Request) {
        heard.push(asked.method, asked.headers.get("X-Own"), await asked.text());
        return new Response("done");
      },
    };
    const world = new World({ env: { ORIGIN: "service:SHOP", SHOP } as object });
    const Cookie = cookieFor("pass", await world.passToken());
    const headers = { ...JSON_APP, Cookie, "X-Own": "1" };
    const answer = await world.fetch(path, { method: "POST", body: "all of it", headers });
    expect(await answer.text()).toBe("done");
    expect(heard).toEqual(["POST", "1", "all of it"]);
  },
);

const LEASE_MS = 300_000;
const DUE_MS = LEASE_MS / 4;

describe("an upload in the name of a visit", () => {
  /** Its client, and what the visit's lobby is asked. */
  const uploading = async (headers: Record<string, string> = {}, room = roomOf()) => {
    const world = new World({ rooms: [room] });
    let heard = "";
    world.origin = async (request) => {
      heard = await request.text();
      return new Response("done");
    };
    const client = sending();
    const Cookie = cookieFor("pass", await world.passToken());
    const answer = world.fetch("/tickets", {
      method: "POST",
      body: client.body,
      headers: { ...JSON_APP, Cookie, ...headers },
    });
    await world.breathe();
    return { world, client, answer, heard: () => heard };
  };

  test("[STAY-8] renews it once a quarter of its lease is over, and arrives as it was", async () => {
    const { world, client, answer, heard } = await uploading();
    await world.advance(DUE_MS - 1);
    await client.send("a");
    await world.breathe();
    expect(world.asked).toEqual([]);
    await world.advance(1);
    await client.send("b");
    await client.send("c");
    await world.breathe();
    expect(world.asked).toEqual(["lobby/0 renew"]);
    await client.end();
    expect(await (await answer).text()).toBe("done");
    expect(heard()).toBe("abc");
  });

  test.each([
    ["16 bytes a millisecond of the lease", 16 * LEASE_MS, []],
    ["one more", 16 * LEASE_MS + 1, ["lobby/0 renew"]],
  ])("[STAY-8] is followed where it may be long: %s", async (_, length, asked) => {
    const { world, client, answer } = await uploading({ "Content-Length": String(length) });
    void answer.catch(() => null);
    await world.advance(DUE_MS);
    void client.send("a").catch(() => null);
    await world.breathe();
    expect(world.asked).toEqual(asked);
    client.breakOff();
  });

  test("[STAY-6] renews nothing where nothing does", async () => {
    const room = roomOf({ limits: { leaseRenews: false } });
    const { world, client, answer } = await uploading({}, room);
    await world.advance(DUE_MS);
    await client.send("a");
    await client.end();
    await (await answer).text();
    expect(world.asked).toEqual([]);
  });

  test("[STAY-8] goes on when its visit has ended, also with close_sockets; that is told once", async () => {
    const { world, client, answer, heard } = await uploading({}, roomOf({ closeSockets: true }));
    world.lobby.renew = async () => ({ kind: "ended" });
    for (const text of ["a", "b"]) {
      await world.advance(DUE_MS);
      await client.send(text);
      await world.breathe();
    }
    await client.end();
    expect((await answer).status).toBe(200);
    expect(heard()).toBe("ab");
    expect(world.log.filter(({ event }) => event === "visit-outlived")).toMatchObject([
      { level: "info", room: "shop", what: "upload" },
    ]);
  });
});
