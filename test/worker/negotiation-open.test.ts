import { beforeEach, describe, expect, test } from "vitest";
import type { EnterAsk } from "../../src/durable/contract.ts";
import { cookieFor, DOCUMENT, JSON_APP, roomOf, World } from "./fakes.ts";

/** The gate, for those whom it lets pass: with a pass, or while the room is open. */

const FORM = { ...DOCUMENT, "Content-Type": "application/x-www-form-urlencoded" };
const PREFLIGHT = { Origin: "https://app.example", "Access-Control-Request-Method": "PUT" };
const SUBRESOURCES = ["image", "script", "style", "font"] as const;

let world: World;
beforeEach(() => {
  world = new World();
});

const statusOf = (answer: Response): string | null => answer.headers.get("Seiriken-Status");
const text = (answer: Response): Promise<string> => answer.text();

describe("a live pass", () => {
  describe.each(["open", "queues", "paused", "closed"] as const)("while the room is %s", (mode) => {
    test.each(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])(
      "[GATE-2] %s gets the origin's answer, and no object is asked",
      async (method) => {
        world.say({ mode });
        const headers = { ...JSON_APP, Cookie: cookieFor("pass", await world.passToken()) };
        const body = ["POST", "PUT", "PATCH"].includes(method) ? "a body" : null;
        const answer = await world.fetch("/tickets/1?q=1", { method, headers, body });
        expect(answer.status).toBe(200);
        expect(statusOf(answer)).toBe("admitted; room=shop");
        expect(answer.headers.getSetCookie()).toEqual([]);
        expect(world.seen).toHaveLength(1);
        expect(world.seen[0]?.method).toBe(method);
        expect(await world.seen[0]?.text()).toBe(body ?? "");
        expect(world.asked).toEqual([]);
      },
    );
  });

  test.each(["document", "empty", "image", "script"])(
    "[GATE-2] lets %s through while the room queues",
    async (dest) => {
      world.say({ mode: "queues" });
      const Cookie = cookieFor("pass", await world.passToken());
      const answer = await world.fetch("/tickets", { headers: { "Sec-Fetch-Dest": dest, Cookie } });
      expect(answer.status).toBe(200);
    },
  );
});

describe("an open room", () => {
  test("[GATE-3] admits a document in the same request, with a pass", async () => {
    const answer = await world.fetch("/tickets", { headers: DOCUMENT });
    expect(await text(answer)).toBe("from the origin");
    expect(statusOf(answer)).toBe("admitted; room=shop");
    expect(answer.headers.getSetCookie()).toHaveLength(1);
    expect(answer.headers.get("Seiriken-Pass")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(world.asked).toEqual(["lobby/0 enter"]);
  });

  test("[GATE-3] admits a document with an unsafe method, body and all", async () => {
    const answer = await world.fetch("/tickets", { method: "POST", headers: FORM, body: "a=1" });
    expect(statusOf(answer)).toBe("admitted; room=shop");
    expect(await world.seen[0]?.text()).toBe("a=1");
    expect(answer.headers.getSetCookie()).toHaveLength(1);
  });

  test("[GATE-4] admits an app without a visitor id for this answer only", async () => {
    const answer = await world.fetch("/tickets", { headers: JSON_APP });
    expect(await text(answer)).toBe("from the origin");
    expect(answer.headers.getSetCookie()).toEqual([]);
    await world.settled();
    expect(world.asked).toEqual(["lobby/0 enter", "lobby/0 end"]);
  });

  test("[GATE-5] admits an app that brings a visitor id for a visit", async () => {
    const Cookie = cookieFor("visitor", await world.visitorToken());
    const answer = await world.fetch("/tickets", { headers: { ...JSON_APP, Cookie } });
    expect(answer.headers.getSetCookie()[0]).toContain("seiriken-pass-shop=");
    expect(world.asked).toEqual(["lobby/0 enter"]);
  });

  test.each(SUBRESOURCES)("[GATE-4] admits %s for this answer only", async (dest) => {
    const answer = await world.fetch("/tickets/x", { headers: { "Sec-Fetch-Dest": dest } });
    expect(await text(answer)).toBe("from the origin");
    expect(answer.headers.getSetCookie()).toEqual([]);
    await world.settled();
    expect(world.asked).toEqual(["lobby/0 enter", "lobby/0 end"]);
  });

  test("[GATE-6] admits HEAD for this answer only, even with a visitor id", async () => {
    const Cookie = cookieFor("visitor", await world.visitorToken());
    const headers = { ...DOCUMENT, Cookie };
    const answer = await world.fetch("/tickets", { method: "HEAD", headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()).toEqual([]);
    await world.settled();
    expect(world.asked).toEqual(["lobby/0 enter", "lobby/0 end"]);
  });

  test.each([
    ["Sec-Purpose", "prefetch;prerender"],
    ["Next-Router-Prefetch", "1"],
  ])("[GATE-7] does not admit what is fetched in advance: %s", async (name, value) => {
    const Cookie = cookieFor("visitor", await world.visitorToken());
    for (const headers of [DOCUMENT, JSON_APP, { ...DOCUMENT, Cookie }]) {
      const answer = await world.fetch("/tickets", { headers: { ...headers, [name]: value } });
      expect(answer.status).toBe(503);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(await text(answer)).toContain("waiting room");
    }
    expect(world.asked).toEqual([]);
    expect(world.seen).toEqual([]);
    const Pass = cookieFor("pass", await world.passToken());
    const headers = { ...DOCUMENT, Cookie: Pass, [name]: value };
    expect((await world.fetch("/tickets", { headers })).status).toBe(200);
  });

  test("[GATE-8] that has no permit left queues in the same request", async () => {
    world.lobby.enter = async () => ({ kind: "queue" });
    const answer = await world.fetch("/tickets", { headers: DOCUMENT });
    expect(answer.status).toBe(503);
    expect(statusOf(answer)).toBe("queued; room=shop");
    expect(world.seen).toEqual([]);
  });

  test("[GATE-8] that refuses tells for how long", async () => {
    world.lobby.enter = async () => ({ kind: "refused", refusal: "busy", retryAfterMs: 2_500 });
    const answer = await world.fetch("/tickets", { headers: DOCUMENT });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("Retry-After")).toBe("3");
  });

  test("[GATE-8] whoever is refused may keep a visitor id, and take a ticket later", async () => {
    world.lobby.enter = async () => ({
      kind: "refused",
      refusal: "too-many-joins",
      retryAfterMs: 41_000,
    });
    const answer = await world.fetch("/tickets", { headers: DOCUMENT });
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "41"]);
    expect(answer.headers.getSetCookie()[0]).toContain("seiriken-visitor-shop=");
    const image = await world.fetch("/tickets", { headers: { "Sec-Fetch-Dest": "image" } });
    expect(image.status).toBe(503);
    expect(image.headers.getSetCookie()).toEqual([]);
    expect(world.seen).toEqual([]);
  });

  test("[GATE-22] a visitor who lost the pass gets it back, however often it asks at once", async () => {
    const headers = { ...DOCUMENT, Cookie: cookieFor("visitor", await world.visitorToken()) };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => world.fetch("/tickets", { headers })),
    );
    expect(new Set(answers.map(statusOf))).toEqual(new Set(["admitted; room=shop"]));
    expect(new Set(world.seen.map((request) => request.headers.get("Seiriken-Visit"))).size).toBe(
      1,
    );
    world.say({ mode: "queues" });
    await world.advance(2_000);
    const back = await world.fetch("/tickets", { headers });
    expect(statusOf(back)).toBe("admitted; room=shop");
    expect(back.headers.getSetCookie()[0]).toContain("seiriken-pass-shop=ey");
    const others = world.asked.filter((call) => call !== "lobby/0 enter");
    expect(others).toEqual(["lobby/0 take", "lobby/0 claim"]);
  });

  test("[ISSUE-9] tells its lobby whose the address is, for a visit and for one answer", async () => {
    world = new World({ rooms: [roomOf({ limits: { joinsPerAddressPerMinuteMax: 5 } })] });
    const asks: EnterAsk[] = [];
    const { enter } = world.lobby;
    world.lobby.enter = async (ask) => {
      asks.push(ask);
      return enter(ask);
    };
    const client = { "CF-Connecting-IP": "192.0.2.1" };
    await world.fetch("/tickets", { headers: { ...DOCUMENT, ...client } });
    await world.fetch("/tickets", { headers: { ...JSON_APP, ...client } });
    expect(asks.map(({ transient }) => transient)).toEqual([false, true]);
    expect(asks[0]?.address).toMatch(/^[0-9a-f]{16}$/);
    expect(asks[1]?.address).toBe(asks[0]?.address);
  });

  test("[VISIT-7] tells its lobby what number a form's sender holds", async () => {
    const numbers: (number | null)[] = [];
    const { enter } = world.lobby;
    world.lobby.enter = async (ask) => {
      numbers.push(ask.number);
      return enter(ask);
    };
    const headers = { ...FORM, Cookie: cookieFor("ticket", await world.ticketToken()) };
    await world.fetch("/tickets", { method: "POST", headers, body: "a=1" });
    await world.fetch("/tickets", { method: "POST", headers: FORM, body: "a=1" });
    expect(numbers).toEqual([42, null]);
  });

  test("[GATE-9] forwards a preflight", async () => {
    const answer = await world.fetch("/tickets", { method: "OPTIONS", headers: PREFLIGHT });
    expect(statusOf(answer)).toBe("exempt; room=shop");
    expect(world.seen[0]?.method).toBe("OPTIONS");
    expect(world.asked).toEqual([]);
  });
});
