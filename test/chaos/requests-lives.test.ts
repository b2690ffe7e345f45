import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { Connection } from "../support/connection.ts";
import type { Leaving } from "../support/connection.ts";
import { eventually } from "../support/eventually.ts";
import { makeFickle } from "../support/fickle-origin.ts";
import { ask } from "../support/http.ts";
import { Pulse } from "../support/pulse.ts";
import { requestRoom } from "../support/requests.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

/** The permit is back within a second of the end; half a second more for what we take ourselves. */
const BACK_WITHIN_MS = 1_500;
/** Longer than a lease of three seconds, which a machine that stands still for one does not lose. */
const OUTLASTS_THREE_MS = 4_200;
const LEAVINGS: readonly Leaving[] = ["fin", "rst"];

let seiriken: Seiriken;
let pulse: Pulse;
/** One permit each: while it is out, nobody else gets in. */
const one = (more: string): string => `${seiriken.url}/one?${more}`;
/** The same, with an origin that may take no longer than one second, or three. */
const brief = (more: string): string => `${seiriken.url}/brief?${more}`;
const three = (more: string): string => `${seiriken.url}/three?${more}`;

beforeAll(async () => {
  const room = (name: string, seconds: number) => {
    const limits = { origin_timeout_seconds: seconds, origin_silence_seconds: seconds };
    return requestRoom({ total_active_users: 1, seiriken: { hold_seconds: 30, ...limits } }, name);
  };
  seiriken = await startSeiriken({
    runtime: "workerd",
    rooms: [room("one", 30), room("brief", 1), room("three", 3)],
  });
  makeFickle(seiriken.origin);
  pulse = new Pulse(seiriken.url);
});
afterAll(async () => {
  await pulse?.stop();
  await seiriken?.stop();
});
beforeEach(async () => {
  await eventually(() => seiriken.origin.running === 0);
  seiriken.origin.reset();
});

/** Since `since`, by `performance.now()`; a machine that is slow just now gets what that costs. */
const expectBack = (since: number, withinMs = BACK_WITHIN_MS): void =>
  expect(performance.now() - since).toBeLessThan(withinMs + pulse.slackSince(since));

const expectPermitBack = async (at: (more: string) => string): Promise<void> => {
  const askedAt = performance.now();
  expect((await ask(at("ms=0"))).text).toBe("done");
  expectBack(askedAt);
};

const waiting = async (room: string): Promise<number> =>
  (await ask(`${seiriken.url}/.seiriken/rooms/${room}`)).json().waiting;

const onOrigin = (count: number) => eventually(() => seiriken.origin.running === count);

/** So much has come of the answer's body. */
const answering = (connection: Connection) =>
  connection.until(() => /\r\n\r\n[^]+/.test(connection.text));

describe("a client that goes away", () => {
  test("[HOLD-10] while it waits: broken off, it is not called; and nobody waits for it", async () => {
    const first = await Connection.ask(one("do=hang"));
    await onOrigin(1);
    const gone = await Connection.ask(one("ms=5000"));
    const next = await Connection.ask(one("ms=0"));
    await eventually(async () => (await waiting("one")) === 2);
    gone.leave("rst");
    // Long before its hold is over.
    await eventually(async () => (await waiting("one")) === 1, { within: 15_000 });
    first.leave("rst");
    const leftAt = performance.now();
    await answering(next);
    expect(next.text).toMatch(/done$/);
    expectBack(leftAt);
    expect(seiriken.origin.requests).toHaveLength(2);
    next.leave("fin");
  });

  test("[HOLD-10] while it waits: closed politely, which nobody can notice, it costs its turn at most", async () => {
    const first = await Connection.ask(one("do=drip&ms=600"));
    await onOrigin(1);
    const gone = await Connection.ask(one("ms=0"));
    await eventually(async () => (await waiting("one")) === 1);
    gone.leave("fin");
    await first.until(() => first.isWhole);
    await expectPermitBack(one);
    first.leave("fin");
  });

  test.each(LEAVINGS)("[HOLD-11] while its body uploads, by %s", async (how) => {
    const headers = { "Content-Length": "1000000" };
    const gone = await Connection.ask(one("do=digest"), { method: "POST", headers, body: "half" });
    await onOrigin(1);
    gone.leave(how);
    await expectPermitBack(one);
    expect(seiriken.origin.requests[0]).toMatchObject({ aborted: true });
  });

  test.each(LEAVINGS)("[HOLD-11] while the origin works, by %s", async (how) => {
    const gone = await Connection.ask(one("ms=400"));
    await onOrigin(1);
    gone.leave(how);
    await expectPermitBack(one);
  });

  test.each(LEAVINGS)("[HOLD-12] while the answer streams, by %s", async (how) => {
    const gone = await Connection.ask(one("do=drip"));
    await answering(gone);
    gone.leave(how);
    await expectPermitBack(one);
    await eventually(() => seiriken.origin.requests[0]?.aborted === true);
  });

  test.each(LEAVINGS)(
    "[HOLD-12] in the middle of a long answer that it did not read, by %s",
    async (how) => {
      const gone = await Connection.ask(one("do=big&bytes=300000000"));
      await answering(gone);
      gone.stall();
      await sleep(300);
      gone.leave(how);
      await expectPermitBack(one);
    },
  );

  test("[HOLD-13] one that takes nothing for as long as the origin may take is left", async () => {
    const stalled = await Connection.ask(brief("do=big&bytes=300000000"));
    await answering(stalled);
    stalled.stall();
    const stalledAt = performance.now();
    expect((await ask(brief("ms=0"))).text).toBe("done");
    expectBack(stalledAt, 1_000 + BACK_WITHIN_MS);
    stalled.leave("rst");
  });
});

describe("an origin that fails", () => {
  test.each(["reset", "truncate"])(
    "[HOLD-14] %s: the answer breaks off here as well",
    async (act) => {
      const broken = await Connection.ask(one(`do=${act}`));
      await broken.closed;
      expect(broken.text).toMatch(/content-length: 1000/i);
      expect(broken.text).toMatch(/half$/);
      await expectPermitBack(one);
    },
  );

  test("[HOLD-14] one that does not answer in time is a 504, and is let alone", async () => {
    const askedAt = performance.now();
    const answer = await ask(brief("do=hang"));
    expect(performance.now() - askedAt).toBeGreaterThan(950);
    expect(answer.status).toBe(504);
    expect(answer.json()).toMatchObject({ code: "origin-timeout" });
    await expectPermitBack(brief);
    expect(seiriken.origin.requests[0]).toMatchObject({ aborted: true });
  });

  test("[HOLD-32] one that falls silent within its answer for longer than the room allows is cut off, and looks so", async () => {
    const silent = await Connection.ask(brief("do=silence"));
    await answering(silent);
    const beganAt = performance.now();
    await silent.closed;
    expect(performance.now() - beganAt).toBeGreaterThan(900);
    expect(silent.isWhole).toBe(false);
    await expectPermitBack(brief);
  });

  test("[HOLD-15] a long answer that goes on keeps its permit beyond the timeout, and comes whole", async () => {
    const bytes = process.env["LONG"] === "1" ? 1_000_000_000 : 64_000_000;
    const big = await Connection.ask(three(`do=big&bytes=${bytes}&ms=1500`));
    await onOrigin(1);
    const drip = await Connection.ask(three("do=drip&ms=4500"));
    const last = await Connection.ask(three("ms=0"));
    await big.until(() => big.bytes > bytes);
    expect(big.closedByServer).toBe(false);
    await drip.until(() => drip.isWhole);
    expect(drip.text.match(/drip/g)!.length).toBeGreaterThan(40);
    await answering(last);
    expect(seiriken.origin.runningMax).toBe(1);
    for (const connection of [big, drip, last]) connection.leave("fin");
  });
});

describe("bodies and streams", () => {
  test("[HOLD-16] an upload of 50 MB is held for 5 s, unread, and then arrives byte for byte", async () => {
    const body = randomBytes(50_000_000);
    const blocker = ask(one("ms=5000"));
    await onOrigin(1);
    const upload = await Connection.ask(one("do=digest"), {
      method: "POST",
      headers: { "Content-Length": String(body.length) },
    });
    upload.send(body);
    await sleep(3_000);
    // It waits in the sockets' buffers, and for the most part in the client.
    expect(upload.unsent).toBeGreaterThan(40_000_000);
    await blocker;
    await answering(upload);
    const digest = createHash("sha256").update(body).digest("hex");
    expect(upload.text).toMatch(new RegExp(`${body.length} ${digest}$`));
    upload.leave("fin");
  });

  test.each(LEAVINGS)(
    "[HOLD-17] server-sent events hold the permit until they end, by %s",
    async (how) => {
      const events = await Connection.ask(three("do=drip&type=text/event-stream"));
      await answering(events);
      const next = ask(three("ms=0"));
      await sleep(OUTLASTS_THREE_MS);
      expect(seiriken.origin.requests).toHaveLength(1);
      events.leave(how);
      const leftAt = performance.now();
      expect((await next).text).toBe("done");
      expectBack(leftAt);
    },
  );

  test.each(["closes", "breaks off"])(
    "[HOLD-17] a WebSocket holds the permit until it %s",
    async (end) => {
      const socket = new WebSocket(three("").replace("http", "ws"));
      await new Promise((resolve, reject) => {
        socket.once("open", resolve);
        socket.once("error", reject);
      });
      const echo = new Promise((resolve) => {
        socket.once("message", (data: Buffer) => resolve(data.toString()));
      });
      socket.send("hello");
      expect(await echo).toBe("hello");
      const next = ask(three("ms=0"));
      await sleep(OUTLASTS_THREE_MS);
      await eventually(async () => (await waiting("three")) === 1);
      if (end === "closes") socket.close(1000, "bye");
      else socket.terminate();
      const leftAt = performance.now();
      expect((await next).text).toBe("done");
      expectBack(leftAt);
      await eventually(() => seiriken.origin.socketsOpen === 0);
    },
  );

  test("[HOLD-17] a WebSocket whose permit is taken back is closed", async () => {
    const socket = new WebSocket(brief("").replace("http", "ws"));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await new Promise((resolve) => socket.once("open", resolve));
    const revoked = await ask(`${seiriken.url}/.seiriken/api/rooms/brief/revoke`, {
      method: "POST",
      headers: { authorization: `Bearer ${seiriken.adminToken}` },
    });
    expect(revoked.json()).toMatchObject({ revoked: 1 });
    expect(await closed).toBe(1001);
    await expectPermitBack(brief);
  });
});
