import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { tallies } from "../support/history.ts";
import type { Answer } from "../support/http.ts";
import { roomOver, RUNTIMES, visitorInside } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";
import { DOCUMENT, SCRIPT } from "../support/visitor.ts";
import type { Visitor } from "../support/visitor.ts";

/** Cloudflare's documented keys, and no others. */
const CF_KEYS = [
  ..."inWaitingRoom waitTimeKnown waitTime waitTime25Percentile waitTime50Percentile".split(" "),
  ..."waitTime75Percentile waitTimeFormatted queueIsFull queueAll lastUpdated".split(" "),
  ..."refreshIntervalSeconds queueingMethod isFIFOQueue isRandomQueue isPassthroughQueue".split(
    " ",
  ),
  ..."isRejectQueue isEventActive isEventPrequeueing timeUntilEventStart".split(" "),
  ..."timeUntilEventStartFormatted timeUntilEventEnd timeUntilEventEndFormatted".split(" "),
  "shuffleAtEventStart",
];

const CODES = [200, 202, 429] as const;
const EXEMPT = [{ path: "/busy/hook", methods: ["POST"] }, { path: "/open/hook" }];

const ROOMS = [
  roomOver("open", { seiriken: { exempt: [EXEMPT[1]] } }),
  roomOver("busy", {
    total_active_users: 1,
    seiriken: { exempt: [EXEMPT[0]], cors_origins: ["https://app.example"] },
  }),
  roomOver("polled", { total_active_users: 1 }),
  ...CODES.map((code) => roomOver(`code${code}`, { queue_all: true, queueing_status_code: code })),
];

const IMAGE = { "sec-fetch-dest": "image", accept: "image/avif,*/*;q=0.8" };
const FORM = { ...DOCUMENT, "content-type": "application/x-www-form-urlencoded" };

describe.each(RUNTIMES)("on %s", (runtime) => {
  let seiriken: Seiriken;
  let holder: Visitor;

  beforeAll(async () => {
    seiriken = await startSeiriken({ runtime, rooms: ROOMS });
    holder = await visitorInside(seiriken, "busy");
  });
  afterAll(() => seiriken.stop());
  beforeEach(() => seiriken.origin.reset());

  /** What reached the origin, and nothing of it is hidden: method and path. */
  const reached = () => seiriken.origin.requests.map(({ method, url }) => `${method} ${url}`);
  const expectQueued = (answer: Answer, room: string, status = 503) => {
    expect(reached()).toEqual([]);
    expect(answer.status).toBe(status);
    expect(answer.headers["seiriken-status"]).toBe(`queued; room=${room}`);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect(answer.headers["cache-control"]).toBe("no-store, no-transform");
    expect(answer.headers["vary"]).toBe("Accept, Accept-Language, Sec-Fetch-Dest, Cookie");
  };

  test("[WHOLE-4] a document: in at once through the open door, the page before a line", async () => {
    const open = seiriken.visitor({ room: "open" });
    const answer = await open.get("/open/a?b=c");
    expect(answer.text).toContain("origin saw GET /open/a?b=c");
    expect(answer.headers["seiriken-status"]).toBe("admitted; room=open");
    expect(answer.headers["cache-control"]).toContain("private");
    expect(open.token("pass")).not.toBeNull();
    expect(reached()).toEqual(["GET /open/a?b=c"]);

    seiriken.origin.reset();
    const queued = seiriken.visitor({ room: "busy" });
    const page = await queued.get("/busy/a?b=c");
    expectQueued(page, "busy");
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(queued.token("visitor")).not.toBeNull();
    expect(queued.token("ticket")).toBeNull();
  });

  test.each(CODES)(
    "[WHOLE-4] the page comes with the status %i where a room says so",
    async (code) => {
      const page = await seiriken.visitor().get(`/code${code}`);
      expectQueued(page, `code${code}`, code);
      expect(page.text).toMatch(/<html/i);
      const json = await seiriken.visitor().get(`/code${code}`, SCRIPT);
      expectQueued(json, `code${code}`, code);
      // A picture that is not there must not look as if it were.
      expectQueued(await seiriken.visitor().get(`/code${code}/x.png`, IMAGE), `code${code}`);
    },
  );

  test("[TOKEN-20] a program on Node's own fetch, without cookies, gets its ticket and can come back", async () => {
    const tickets = `${seiriken.url}/.seiriken/rooms/busy/tickets`;
    const taken = await fetch(tickets, { method: "POST" });
    expect(taken.status).toBe(201);
    const ticket = taken.headers.get("seiriken-ticket") ?? "";
    const { number } = (await taken.json()) as { number: number };
    const back = await fetch(`${tickets}/mine`, { headers: { "Seiriken-Ticket": ticket } });
    expect(await back.json()).toMatchObject({ number, ticket: expect.stringMatching(/^ey/) });
    const left = await fetch(`${tickets}/mine`, {
      method: "DELETE",
      headers: { "Seiriken-Ticket": ticket },
    });
    expect(left.status).toBe(204);
  });

  test("[WHOLE-5] a JSON client: in at once, or Cloudflare's object beside ours", async () => {
    const open = await seiriken.visitor({ room: "open" }).get("/open", SCRIPT);
    expect(open.text).toContain("origin saw GET /open");

    seiriken.origin.reset();
    const app = seiriken.visitor({ room: "busy" });
    const first = await app.get("/busy", { accept: "application/json, text/plain, */*" });
    expectQueued(first, "busy");
    expect(first.headers["content-type"]).toBe("application/json");
    expect(Object.keys(first.json().cfWaitingRoom).toSorted()).toEqual(CF_KEYS.toSorted());
    expect(first.json().seiriken).toMatchObject({ room: "busy", state: "none", ticket: null });
    const issued = (await tallies(seiriken, "busy"))["issued"];

    const second = await app.get("/busy", { accept: "application/json" });
    expectQueued(second, "busy");
    expect(second.json().seiriken).toMatchObject({ state: "waiting", ahead: 0 });
    expect((await tallies(seiriken, "busy"))["issued"]).toBe((issued ?? 0) + 1);
    const third = await app.get("/busy", { accept: "application/json" });
    expect(third.json().seiriken.number).toBe(second.json().seiriken.number);
    await app.leave();
  });

  test("[WHOLE-6] a JSON app that only repeats its GET gets through when it is its turn", async () => {
    const inside = await visitorInside(seiriken, "polled");
    const app = seiriken.visitor({ room: "polled" });
    const repeat = () => app.get("/polled/seats?row=3", { accept: "application/json" });
    expect((await repeat()).status).toBe(503);
    expect((await repeat()).json().seiriken).toMatchObject({ state: "waiting" });
    await inside.release();
    const answer = await eventually(async () => {
      const again = await repeat();
      expect(again.status).toBe(200);
      return again;
    });
    expect(answer.headers["seiriken-status"]).toBe("admitted; room=polled");
    expect(reached()).toEqual(["GET /polled/seats?row=3"]);
    await app.release();
  });

  test("[WHOLE-7] pictures, scripts, styles and fonts never take a place", async () => {
    const kinds = ["image", "script", "style", "font"];
    for (const kind of kinds) {
      const asks = { "sec-fetch-dest": kind };
      const open = seiriken.visitor({ room: "open" });
      expect((await open.get(`/open/${kind}`, asks)).status).toBe(200);
      expect(open.cookies.size).toBe(0);
    }
    expect(reached()).toEqual(kinds.map((kind) => `GET /open/${kind}`));
    seiriken.origin.reset();
    const known = seiriken.visitor({ room: "busy" });
    await known.get("/busy");
    const { issued } = await tallies(seiriken, "busy");
    for (const kind of kinds) {
      const answer = await known.get("/busy/part", { "sec-fetch-dest": kind });
      expectQueued(answer, "busy");
      expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
      expect(answer.text.length).toBeLessThan(200);
      expect(answer.setCookies).toEqual([]);
    }
    expect((await tallies(seiriken, "busy"))["issued"]).toBe(issued);
  });

  test("[WHOLE-8] a form: sent through the open door, and told that it was not before a line", async () => {
    const form = { method: "POST", headers: FORM, body: "seat=A1&name=%E6%95%B4" };
    await seiriken.visitor({ room: "open" }).ask("/open/order", form);
    expect(seiriken.origin.requests.map(({ body }) => body.toString())).toEqual([form.body]);

    seiriken.origin.reset();
    const queued = seiriken.visitor({ room: "busy" });
    const page = await queued.ask("/busy/order", form);
    expectQueued(page, "busy");
    expect(page.text).toContain("Your form has not been sent");
    expect(queued.token("ticket")).toBeNull();
  });

  test("[WHOLE-9] a true preflight passes, whatever else is asked with OPTIONS does not", async () => {
    const preflight = {
      origin: "https://app.example",
      "access-control-request-method": "PUT",
    };
    for (const room of ["open", "busy"])
      await seiriken.visitor().ask(`/${room}/api`, { method: "OPTIONS", headers: preflight });
    expect(reached()).toEqual(["OPTIONS /open/api", "OPTIONS /busy/api"]);
    seiriken.origin.reset();
    for (const name of Object.keys(preflight)) {
      const lacking = { ...preflight, [name]: undefined };
      const headers = Object.fromEntries(
        Object.entries(lacking).filter((entry): entry is [string, string] => !!entry[1]),
      );
      const answer = await seiriken.visitor().ask("/busy/api", { method: "OPTIONS", headers });
      expectQueued(answer, "busy");
    }
  });

  test("[WHOLE-10] what the operator exempts passes, and only that", async () => {
    const free = [
      ["POST", "/busy/hook/paid"],
      ["GET", "/open/hook"],
      ["GET", "/busy/../.well-known/acme"],
    ] as const;
    for (const [method, path] of free) {
      const answer = await seiriken.visitor().ask(path, { method });
      expect(answer.headers["seiriken-status"]).toMatch(/^(exempt; room=|unprotected)/);
    }
    expect(reached()).toEqual(["POST /busy/hook/paid", "GET /open/hook", "GET /.well-known/acme"]);
    seiriken.origin.reset();
    for (const [method, path] of [
      ["GET", "/busy/hook/paid"],
      ["POST", "/busy/hooks"],
      ["POST", "/busy/hook/..%2fpay"],
      ["POST", "/busy/hook/../pay"],
      ["POST", "/busy/hook;/../pay"],
      ["POST", "/busy/hook%2f..%2fpay"],
    ] as const) {
      const answer = await seiriken.visitor().ask(path, { method });
      expect([400, 503], path).toContain(answer.status);
    }
    expect(reached()).toEqual([]);
  });

  test("[WHOLE-11] HEAD, prefetches and prerenders take no place and no permit for long", async () => {
    const { issued: before = 0, waiting_max: _ } = await tallies(seiriken, "busy");
    const head = await seiriken.visitor().ask("/busy", { method: "HEAD", headers: DOCUMENT });
    expectQueued(head, "busy");
    expect(head.text).toBe("");
    const known = seiriken.visitor({ room: "busy" });
    await known.get("/busy");
    for (const purpose of ["prefetch", "prefetch;prerender"])
      expectQueued(await known.get("/busy", { ...DOCUMENT, "sec-purpose": purpose }), "busy");
    expect((await tallies(seiriken, "busy"))["issued"]).toBe(before);

    const open = seiriken.visitor({ room: "open" });
    expect((await open.ask("/open", { method: "HEAD", headers: DOCUMENT })).status).toBe(200);
    expect(open.token("pass")).toBeNull();
  });

  test("[WHOLE-12] a live pass gets the origin's answer, whatever the room does", async () => {
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const answer = await holder.ask("/busy/any", { method });
      expect(answer.status, method).toBe(200);
      expect(answer.headers["seiriken-status"]).toBe("admitted; room=busy");
    }
    for (const headers of [IMAGE, SCRIPT, { accept: "*/*" }])
      expect((await holder.get("/busy/any", headers)).status).toBe(200);
    expect(reached()).toHaveLength(10);
  });

  test("[WHOLE-13] other sites read our answers only where the room allows it", async () => {
    const ask = (origin: string) =>
      seiriken.visitor().get("/busy", { ...SCRIPT, "sec-fetch-site": "cross-site", origin });
    const allowed = await ask("https://app.example");
    expect(allowed.headers["access-control-allow-origin"]).toBe("https://app.example");
    expect(allowed.headers["access-control-allow-credentials"]).toBe("true");
    expect(allowed.headers["access-control-expose-headers"]).toBe(
      "Retry-After, Seiriken-Ticket, Seiriken-Pass, Seiriken-Status",
    );
    const foreign = await ask("https://evil.example");
    expect(foreign.headers["access-control-allow-origin"]).toBeUndefined();
    expect(reached()).toEqual([]);
  });
});
