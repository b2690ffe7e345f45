import { beforeEach, describe, expect, test } from "vitest";
import type { VisitEnd } from "../../src/durable/contract.ts";
import { ticketNumber } from "../../src/core/ids.ts";
import { after, rfc3339 } from "../../src/core/time.ts";
import { cookieFor, DOCUMENT, JSON_APP, roomOf, World } from "./fakes.ts";

const LEASE_MS = 300_000;
const MINUTE_MS = 60_000;

let world: World;
beforeEach(() => {
  world = new World();
  world.say({ mode: "queues" });
});

type Change = Parameters<World["passToken"]>[0];

const withPass = async (change: Change = {}, headers: Record<string, string> = JSON_APP) => ({
  headers: { ...headers, Cookie: cookieFor("pass", await world.passToken(change)) },
});

/** Its pass was renewed for the last time one lease, and so much more, ago. */
const lapsed = (headers: Record<string, string> = JSON_APP, sinceMs = MINUTE_MS) =>
  withPass({ mintedAt: after(world.now, -LEASE_MS - sinceMs) }, headers);

const theRoomSays = (end?: VisitEnd): void => {
  const reply = { kind: "ended", ...(end === undefined ? {} : { end }) } as const;
  world.lobby.renew = async () => reply;
  world.lobby.peek = async () => reply;
};

const endedIn = async (answer: Response): Promise<unknown> =>
  ((await answer.json()) as { seiriken: { ended?: unknown } }).seiriken.ended;

/** What a reader without scripts sees. */
const noticesIn = async (answer: Response): Promise<string[]> => {
  const list = /<ul id="notices">(.*?)<\/ul>/s.exec(await answer.text())?.[1] ?? "";
  return [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, text]) => text ?? "");
};

const aMinuteAgo = () => after(world.now, -MINUTE_MS);

describe("what a program is told", () => {
  test("[TOLD-1] [TOLD-2] a lapse is told with the moment and the time without activity, in the call that was made anyway", async () => {
    theRoomSays({ reason: "inactive", at: aMinuteAgo(), afterMs: null });
    expect(await endedIn(await world.fetch("/tickets", await lapsed()))).toEqual({
      reason: "inactive",
      at: rfc3339(aMinuteAgo()),
      after_seconds: 300,
      heard_at: rfc3339(after(world.now, -LEASE_MS - MINUTE_MS)),
    });
    expect(world.asked).toEqual(["lobby/0 renew"]);
  });

  test.each([
    ["time-up", 1_800_000, 1_800],
    ["finished", null, null],
    ["revoked", null, null],
    ["unconfirmed", 60_000, 60],
  ] as const)("[TOLD-1] %s", async (reason, afterMs, seconds) => {
    theRoomSays({ reason, at: aMinuteAgo(), afterMs });
    expect(await endedIn(await world.fetch("/tickets", await lapsed()))).toMatchObject({
      reason,
      at: rfc3339(aMinuteAgo()),
      after_seconds: seconds,
    });
  });

  test("[TOLD-1] whoever goes straight in again through an open door is told nothing, and nobody is asked more", async () => {
    world.say({ mode: "open" });
    theRoomSays({ reason: "inactive", at: aMinuteAgo(), afterMs: null });
    const answer = await world.fetch("/tickets", await lapsed());
    expect(await answer.text()).toBe("from the origin");
    expect(world.asked).toEqual(["lobby/0 renew", "lobby/0 enter"]);
  });

  test("[TOLD-2] of a visit that the snapshot tells as ended the Room is asked once", async () => {
    const visit = ticketNumber(7);
    const passesUntil = after(world.now, LEASE_MS);
    world.say({ ended: [{ visit, version: 1, passesUntil }], version: { boot: "b", ended: 1 } });
    theRoomSays({ reason: "finished", at: aMinuteAgo(), afterMs: null });
    for (const request of [1, 2, 3])
      expect([
        request,
        await endedIn(await world.fetch("/tickets", await withPass())),
      ]).toMatchObject([request, { reason: "finished", at: rfc3339(aMinuteAgo()) }]);
    expect(world.asked).toEqual(["lobby/0 peek"]);
  });

  test("[TOLD-2] whose pass was good when all visits were ended is told so, and nobody is asked", async () => {
    world.say({ epoch: 2, epochAt: aMinuteAgo() });
    const mintedAt = after(world.now, -2 * MINUTE_MS);
    const answer = await world.fetch("/tickets", await withPass({ epoch: 1, mintedAt }));
    expect(await endedIn(answer)).toMatchObject({ reason: "revoked", at: rfc3339(aMinuteAgo()) });
    expect(world.asked).toEqual([]);
  });

  test("[TOLD-2] whose pass had run out before all visits were ended has another story: the Room is asked", async () => {
    world.say({ epoch: 2, epochAt: aMinuteAgo() });
    const at = after(world.now, -2 * MINUTE_MS);
    theRoomSays({ reason: "inactive", at, afterMs: null });
    const mintedAt = after(at, -LEASE_MS);
    const answer = await world.fetch("/tickets", await withPass({ epoch: 1, mintedAt }));
    expect(await endedIn(answer)).toMatchObject({ reason: "inactive", after_seconds: 300 });
    expect(world.asked).toEqual(["lobby/0 peek"]);
  });

  test("[TOLD-2] [TOLD-3] where the Room does not answer, the visitor waits all the same", async () => {
    world.say({ epoch: 3, epochAt: aMinuteAgo() });
    world.lobby.peek = () => Promise.reject(new Error("gone"));
    const answer = await world.fetch("/tickets", await withPass({ epoch: 1 }));
    expect(answer.headers.get("Seiriken-Status")).toBe("queued; room=shop");
    expect(await endedIn(answer)).toMatchObject({ reason: "unknown", at: null });
  });

  test("[TOLD-3] what the Room has forgotten is not guessed", async () => {
    theRoomSays();
    expect(await endedIn(await world.fetch("/tickets", await lapsed()))).toEqual({
      reason: "unknown",
      at: null,
      after_seconds: null,
      heard_at: rfc3339(after(world.now, -LEASE_MS - MINUTE_MS)),
    });
  });

  test.each([
    ["a later pass was renewed", 5 * MINUTE_MS, LEASE_MS],
    ["the setting has changed", MINUTE_MS, 2 * LEASE_MS],
  ])("[TOLD-3] %s: how long nothing was heard is not told", async (_, sinceMs, leaseMs) => {
    world = new World({ rooms: [roomOf({ limits: { leaseMs } })] });
    world.say({ mode: "queues" });
    theRoomSays({ reason: "inactive", at: aMinuteAgo(), afterMs: null });
    const mintedAt = after(world.now, -LEASE_MS - sinceMs);
    const answer = await world.fetch("/tickets", await withPass({ mintedAt }));
    expect(await endedIn(answer)).toMatchObject({ reason: "inactive", after_seconds: null });
  });

  test.each([
    [60 * MINUTE_MS - 1, "inactive"],
    [60 * MINUTE_MS, undefined],
  ])("[TOLD-4] %i ms after its pass ran out: %s", async (sinceMs, reason) => {
    theRoomSays({ reason: "inactive", at: aMinuteAgo(), afterMs: null });
    const mintedAt = after(world.now, -LEASE_MS - sinceMs);
    const answer = await world.fetch("/tickets", await withPass({ mintedAt }));
    expect(((await endedIn(answer)) as { reason?: string } | undefined)?.reason).toBe(reason);
  });

  test("[TOLD-4] a pass that we have not signed, or of another room, has nothing told", async () => {
    theRoomSays({ reason: "revoked", at: aMinuteAgo(), afterMs: null });
    const mintedAt = after(world.now, -LEASE_MS - MINUTE_MS);
    const other = roomOf({ name: "other" }, "b".repeat(32));
    const foreign = await world.passToken({ mintedAt }, other);
    const genuine = await world.passToken({ mintedAt });
    const [head = "", , signature = ""] = genuine.split(".");
    const claims = btoa(JSON.stringify({ k: "pass", r: "a".repeat(32), v: 7, u: 1 }));
    for (const token of [foreign, `${head}.${claims}.${signature}`]) {
      const headers = { ...JSON_APP, Cookie: cookieFor("pass", token) };
      expect(await endedIn(await world.fetch("/tickets", { headers }))).toBeUndefined();
    }
    expect(world.asked).toEqual([]);
  });

  test("[TOLD-1] taking a ticket and asking for it tell it too, where it is known", async () => {
    theRoomSays({ reason: "inactive", at: aMinuteAgo(), afterMs: null });
    const { headers } = await lapsed();
    await world.fetch("/tickets", { headers });
    const Cookie = `${headers.Cookie}; ${cookieFor("ticket", await world.ticketToken())}`;
    const api = "/.seiriken/rooms/shop/tickets";
    for (const [method, path] of [
      ["POST", api],
      ["GET", `${api}/mine`],
    ] as const) {
      const answer = await world.fetch(path, { method, headers: { ...headers, Cookie } });
      expect(await answer.json()).toMatchObject({ number: 42, ended: { reason: "inactive" } });
    }
  });

  test.each(["GET", "PATCH"])("[TOLD-6] %s visits/mine tells it with its 410", async (method) => {
    theRoomSays({ reason: "revoked", at: aMinuteAgo(), afterMs: null });
    const path = "/.seiriken/rooms/shop/visits/mine";
    const answer = await world.fetch(path, { method, ...(await lapsed()) });
    expect(answer.status).toBe(410);
    expect(await answer.json()).toMatchObject({
      code: "ended",
      ended: { reason: "revoked", at: rfc3339(aMinuteAgo()) },
    });
  });

  test("[REF-5] the log tells it once, under the visitor's reference", async () => {
    theRoomSays({ reason: "inactive", at: aMinuteAgo(), afterMs: null });
    for (let request = 0; request < 3; request++) await world.fetch("/tickets", await lapsed());
    expect(world.log.filter(({ event }) => event === "visit-over")).toEqual([
      {
        level: "info",
        event: "visit-over",
        reference: "ABCD2345",
        room: "shop",
        visit: 7,
        why: "inactive",
      },
    ]);
  });
});

describe("what a person is told", () => {
  test.each([
    ["en", "Your visit ended 3 minutes ago after 5 minutes without activity."],
    ["de", "Ihr Besuch endete vor 3 Minuten nach 5 Minuten ohne Aktivität."],
    ["ja", "5分のあいだ操作がなかったため、ご利用は3分前に終了しました。"],
  ])("[TOLD-5] without scripts, in %s: how long ago it was", async (language, text) => {
    theRoomSays({ reason: "inactive", at: after(world.now, -3 * MINUTE_MS), afterMs: null });
    const headers = { ...DOCUMENT, "Accept-Language": language };
    const answer = await world.fetch("/tickets", await lapsed(headers, 3 * MINUTE_MS));
    expect(await noticesIn(answer)).toEqual([text]);
  });

  test.each([
    ["time-up", 1_800_000, "It had lasted 30 minutes, as long as a visit may."],
    ["finished", null, "It was finished by you or by the site."],
    ["revoked", null, "by the people who run this site."],
    ["unconfirmed", 120_000, "your browser had not come back within 2 minutes."],
  ] as const)("[TOLD-1] %s, on the page", async (reason, afterMs, text) => {
    theRoomSays({ reason, at: aMinuteAgo(), afterMs });
    const [notice] = await noticesIn(await world.fetch("/tickets", await lapsed(DOCUMENT)));
    expect(notice).toContain(text);
  });

  test("[TOLD-3] what is forgotten, on the page", async () => {
    theRoomSays();
    expect(await noticesIn(await world.fetch("/tickets", await lapsed(DOCUMENT)))).toEqual([
      "Your visit is over. It was last renewed 6 minutes ago.",
    ]);
  });

  test("[TOLD-5] it is told beside the ticket too, and not to those whose turn it is", async () => {
    theRoomSays({ reason: "inactive", at: aMinuteAgo(), afterMs: null });
    const { headers } = await lapsed(DOCUMENT);
    const Cookie = `${headers.Cookie}; ${cookieFor("ticket", await world.ticketToken())}`;
    const answer = await world.fetch("/tickets", { headers: { ...headers, Cookie } });
    const page = await answer.clone().text();
    expect(page).toContain('data-phase="waiting"');
    expect(await noticesIn(answer)).toHaveLength(1);
  });

  test("[TOLD-1] the page on its own tells it as well", async () => {
    theRoomSays({ reason: "inactive", at: aMinuteAgo(), afterMs: null });
    const path = "/.seiriken/rooms/shop/wait?to=/tickets";
    expect(await noticesIn(await world.fetch(path, await lapsed(DOCUMENT)))).toHaveLength(1);
  });
});
