import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { OutgoingHttpHeaders } from "node:http";
import { claimVisit, takeNumber, whereIs } from "../support/journey.ts";
import { roomOver } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";
import { DOCUMENT } from "../support/visitor.ts";
import type { Visitor } from "../support/visitor.ts";

const counted = {
  total_active_users: 40,
  seiriken: { joins_per_address_per_minute: 5 },
};
const ROOMS = [
  roomOver("full", { total_active_users: 1 }),
  roomOver("open", { total_active_users: 100 }),
  roomOver("counted", counted),
  roomOver("proxied", counted),
];

let seiriken: Seiriken;
beforeAll(async () => {
  // Whoever connects from here may name others, as a proxy on this machine does.
  const env = { TRUSTED_PROXIES: "127.0.0.0/8" };
  seiriken = await startSeiriken({ runtime: "workerd", rooms: ROOMS, env });
});
afterAll(() => seiriken.stop());
beforeEach(() => seiriken.origin.reset());

const forget = (visitor: Visitor, ...kinds: readonly string[]): void => {
  for (const name of visitor.cookies.keys())
    if (kinds.some((kind) => name.includes(`seiriken-${kind}-`))) visitor.cookies.delete(name);
};
const visitsSeen = () =>
  new Set(seiriken.origin.requests.map(({ headers }) => headers["seiriken-visit"]));

describe("a visitor who comes back with the visitor id alone", () => {
  test("[GATE-22] gets the pass back in a full room, and nobody is overtaken", async () => {
    const inside = seiriken.visitor({ room: "full" });
    const number = await takeNumber(inside);
    await claimVisit(inside);
    const waiting = seiriken.visitor({ room: "full" });
    await takeNumber(waiting);
    forget(inside, "pass", "ticket");
    const back = await inside.get("/full");
    expect([back.status, back.headers["seiriken-status"]]).toEqual([200, "admitted; room=full"]);
    expect(inside.token("pass")).not.toBeNull();
    expect(visitsSeen()).toEqual(new Set([String(number)]));
    expect(await whereIs(waiting)).toMatchObject({
      number: number + 1,
      state: "waiting",
      ahead: 0,
    });
  });

  test("[GATE-22] gets one visit in an open room, of 48 requests at once", async () => {
    const visitor = seiriken.visitor({ room: "open" });
    await takeNumber(visitor);
    await visitor.leave();
    forget(visitor, "ticket");
    const answers = await Promise.all(Array.from({ length: 48 }, () => visitor.get("/open")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect([seiriken.origin.requests.length, visitsSeen().size]).toEqual([48, 1]);
  });
});

/** So many newcomers open a page at once; how many of them got in. */
const newcomers = async (room: string, count: number, headers: OutgoingHttpHeaders = {}) => {
  const answers = await Promise.all(
    Array.from({ length: count }, () =>
      seiriken.visitor({ room, headers }).get(`/${room}`, { ...DOCUMENT, ...headers }),
    ),
  );
  for (const { status, headers: told } of answers)
    if (status !== 200) expect([status, Number(told["retry-after"]) > 0]).toEqual([503, true]);
  return answers.filter(({ status }) => status === 200).length;
};

describe("joins_per_address_per_minute", () => {
  test("[WHOLE-40] guards the open door: one address gets its five of 40 permits", async () => {
    const inside = seiriken.visitor({ room: "counted" });
    expect((await inside.get("/counted")).status).toBe(200);
    expect(await newcomers("counted", 40)).toBe(4);
    expect((await inside.get("/counted")).status).toBe(200);
    const taking = seiriken.visitor({ room: "counted" });
    await taking.get("/counted");
    const answer = await taking.take();
    expect([answer.status, answer.json().code]).toEqual([429, "too-many-joins"]);
  });

  test("[WHOLE-40] counts the clients of a trusted proxy apart, whatever they write themselves", async () => {
    const by = (client: string) => ({ "x-forwarded-for": client });
    expect(await newcomers("proxied", 8, by("192.0.2.1"))).toBe(5);
    expect(await newcomers("proxied", 4, by("192.0.2.2, 192.0.2.1"))).toBe(0);
    expect(await newcomers("proxied", 8, by("192.0.2.1, 192.0.2.2"))).toBe(5);
    expect(await newcomers("proxied", 4, by("[::ffff:192.0.2.2]:4711"))).toBe(0);
    const told = seiriken.origin.requests.map(({ headers }) => headers["x-forwarded-for"]);
    expect(new Set(told)).toEqual(new Set(["192.0.2.1", "192.0.2.1, 192.0.2.2"]));
  });
});
