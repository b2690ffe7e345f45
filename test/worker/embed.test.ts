import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { counter, createCounter } from "../../src/embed/index.ts";
import type { Access, CounterOptions } from "../../src/embed/index.ts";
import { counterId } from "../../src/embed/settings.ts";
import { eventually } from "../support/eventually.ts";
import { objects } from "../durable/objects.ts";
import { moment } from "../durable/moment.ts";

const SECRET = "a secret of the app, for tests";

let counters = 0;
/** A counter of its own for each test. */
const fresh = (options: Partial<CounterOptions> = {}) => {
  counters += 1;
  const name = `counter-${counters}`;
  const given = {
    room: objects.ROOM,
    lobby: objects.LOBBY,
    secret: SECRET,
    name,
    limit: 1,
    ...options,
  } as unknown as CounterOptions;
  return { name, given, counter: createCounter(given) };
};

/** The counter's line has so many in it, as the Room knows. */
const untilWaiting = async (name: string, count: number): Promise<void> => {
  const room = objects.ROOM.getByName(await counterId(name));
  await eventually(async () => expect((await room.snapshot(null)).waiting).toBe(count));
};

/** Work that goes on until the test ends it. */
const task = () => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { ended, end: () => end() };
};

const notYet = (access: Access<unknown>) => {
  if (access.kind !== "not-yet") throw new Error(JSON.stringify(access));
  return access;
};

describe("access()", () => {
  test("[EMBED-1] at most so many work at once, in the order of their numbers", async () => {
    const { counter } = fresh({ limit: 3 });
    // Calls to objects that only start may overtake each other on the way.
    await counter.access(null, () => Promise.resolve());
    let on = 0;
    let most = 0;
    const started: number[] = [];
    const done = await Promise.all(
      Array.from({ length: 12 }, async (_, at) => {
        await scheduler.wait(at * 5);
        return counter.access(null, async () => {
          on += 1;
          most = Math.max(most, on);
          started.push(at);
          await scheduler.wait(30);
          on -= 1;
          return at;
        });
      }),
    );
    expect(most).toBe(3);
    expect(started).toEqual(started.toSorted((a, b) => a - b));
    expect(done.map((access) => access.kind === "done" && [access.number, access.value])).toEqual(
      Array.from({ length: 12 }, (_, at) => [at + 2, at]),
    );
  });

  test.each([
    [
      "throws",
      () => {
        throw new RangeError("mine");
      },
    ],
    ["rejects", () => Promise.reject(new RangeError("mine"))],
  ])(
    "[EMBED-2] work that %s: the caller gets its error, the next one its turn",
    async (_, work) => {
      const { counter } = fresh();
      await expect(counter.access(null, work)).rejects.toThrow(new RangeError("mine"));
      expect(await counter.access(null, () => "next")).toMatchObject({
        kind: "done",
        value: "next",
      });
    },
  );

  test("[EMBED-3] when the time is up the caller leaves with a ticket, and stands there when it comes back", async () => {
    const { counter, name } = fresh({ holdSeconds: 0 });
    const { counter: patient } = fresh({ name, holdSeconds: 20 });
    const [inside, begun] = [task(), task()];
    const first = patient.access(null, () => {
      begun.end();
      return inside.ended;
    });
    await begun.ended;
    const turned = notYet(await counter.access(null, () => "not me"));
    expect(turned).toMatchObject({ number: 2, ahead: 0, retryAfterMs: expect.any(Number) });
    const order: string[] = [];
    const later = patient.access(null, () => order.push("third"));
    await untilWaiting(name, 1);
    const back = patient.access(turned.ticket, () => order.push("second"));
    await untilWaiting(name, 2);
    inside.end();
    expect(await Promise.all([first, back, later])).toMatchObject([
      { number: 1 },
      { kind: "done", number: 2 },
      { kind: "done", number: 3 },
    ]);
    expect(order).toEqual(["second", "third"]);
  });

  test("[EMBED-4] a ticket that is forged, or another counter's, is none", async () => {
    const one = fresh({ holdSeconds: 0 });
    const other = fresh({ holdSeconds: 0 });
    const inside = task();
    const working = [one, other].map(({ counter }) => counter.access(null, () => inside.ended));
    await moment(50);
    const { ticket } = notYet(await one.counter.access(null, () => null));
    expect(notYet(await one.counter.access(ticket, () => null)).number).toBe(2);
    expect(notYet(await other.counter.access(ticket, () => null)).number).toBe(2);
    expect(notYet(await one.counter.access(`${ticket}x`, () => null)).number).toBe(3);
    inside.end();
    await Promise.all(working);
  });

  test("[EMBED-5] a full line refuses", async () => {
    const { counter } = fresh({ holdSeconds: 2, lineMax: 1 });
    const inside = task();
    const first = counter.access(null, () => inside.ended);
    await moment(50);
    const second = counter.access(null, () => "second");
    await moment(50);
    expect(await counter.access(null, () => null)).toEqual({
      kind: "refused",
      refusal: "line-full",
      retryAfterMs: 30_000,
    });
    inside.end();
    expect(await second).toMatchObject({ value: "second" });
    await first;
  });

  test("[EMBED-6] work that outlasts its lease keeps its permit", async () => {
    const { counter } = fresh({ leaseSeconds: 3, holdSeconds: 20 });
    const inside = task();
    const first = counter.access(null, () => inside.ended);
    await moment(50);
    let isIn = false;
    const second = counter.access(null, () => {
      isIn = true;
    });
    await scheduler.wait(4_500);
    expect(isIn).toBe(false);
    inside.end();
    await Promise.all([first, second]);
    expect(isIn).toBe(true);
  });

  test("[EMBED-6] work whose permit was taken back is told", async () => {
    const { counter, name } = fresh({ leaseSeconds: 1 });
    const begun = task();
    const work = counter.access(null, (signal) => {
      begun.end();
      return new Promise<string>((resolve) =>
        signal.addEventListener("abort", () => resolve("told")),
      );
    });
    await begun.ended;
    await objects.ROOM.getByName(await counterId(name)).revokeAll();
    expect(await work).toMatchObject({ kind: "done", value: "told" });
  });

  test("[EMBED-7] so many start in a second", async () => {
    const { counter } = fresh({ limit: 100, startsPerSecond: 3, ring: "sliding" });
    const at: number[] = [];
    await Promise.all(
      Array.from({ length: 7 }, () => counter.access(null, () => at.push(Date.now()))),
    );
    expect(at[3]! - at[0]!).toBeGreaterThan(950);
    expect(at[6]! - at[0]!).toBeGreaterThan(1_950);
  });

  test("[EMBED-8] limits are those of the highest version, and must be limits", async () => {
    const { counter, given } = fresh({ limit: 2, version: 2 });
    const inside = task();
    const working = [
      counter.access(null, () => inside.ended),
      counter.access(null, () => inside.ended),
    ];
    await moment(50);
    const older = createCounter({ ...given, limit: 5, version: 1, holdSeconds: 0 });
    expect((await older.access(null, () => null)).kind).toBe("not-yet");
    inside.end();
    await Promise.all(working);
    await expect(fresh({ limit: 0 }).counter.access(null, () => 0)).rejects.toThrow(
      "limit is whole",
    );
    await expect(fresh({ secret: "short" }).counter.access(null, () => 0)).rejects.toThrow(
      "secret",
    );
  });
});

describe("the middleware", () => {
  const env = { ROOM: objects.ROOM, LOBBY: objects.LOBBY, COUNTER_SECRET: SECRET };
  const ask = (app: Hono, path: string, headers: Record<string, string> = {}) =>
    app.request(path, { headers }, env) as Promise<Response>;

  test("[EMBED-9] lets so many requests at once through to the handler", async () => {
    const app = new Hono();
    let on = 0;
    let most = 0;
    app.use("/m1", counter({ limit: 2 }));
    app.get("/m1", async (c) => {
      on += 1;
      most = Math.max(most, on);
      await scheduler.wait(30);
      on -= 1;
      return c.text("report", 200, { "X-Mine": "1" });
    });
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const answer = await ask(app, "/m1");
        return [answer.status, answer.headers.get("X-Mine"), await answer.text()];
      }),
    );
    expect(answers).toEqual(new Array(8).fill([200, "1", "report"]));
    expect(most).toBe(2);
  });

  test("[EMBED-9] each path is a counter of its own, unless they share a name", async () => {
    const app = new Hono();
    const inside = task();
    for (const path of ["/m2a", "/m2b"]) {
      app.use(path, counter({ limit: 1, holdSeconds: 0 }));
      app.get(path, async (c) => {
        await inside.ended;
        return c.text(path);
      });
    }
    const first = [ask(app, "/m2a"), ask(app, "/m2b")];
    await moment(100);
    expect((await ask(app, "/m2a")).status).toBe(503);
    inside.end();
    expect(await Promise.all(first.map(async (one) => (await one).text()))).toEqual([
      "/m2a",
      "/m2b",
    ]);
  });

  test("[EMBED-10] whoever is turned away has its ticket in header, cookie and body, and comes back with it", async () => {
    const app = new Hono();
    let inside = task();
    app.use("/m3", counter({ limit: 1, holdSeconds: 0 }));
    app.get("/m3", async (c) => {
      await inside.ended;
      return c.text("report");
    });
    const first = ask(app, "/m3");
    await moment(100);
    const away = await ask(app, "/m3", { Accept: "text/html" });
    expect(away.status).toBe(503);
    expect([away.headers.get("Retry-After"), away.headers.get("Refresh")]).toEqual(["1", "1"]);
    const body = (await away.json()) as { ticket: string; number: number; detail: string };
    expect(body).toMatchObject({ code: "not-yet", number: 2, ahead: 0 });
    expect(away.headers.get("Seiriken-Ticket")).toBe(body.ticket);
    const [cookie] = away.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-seiriken-ticket-m3=.*Secure; SameSite=Lax$/);
    const again = await ask(app, "/m3", { Cookie: cookie!.split(";")[0]! });
    expect(((await again.json()) as { number: number }).number).toBe(2);
    inside.end();
    await (await first).text();
    inside = task();
    inside.end();
    await moment(50);
    const back = await ask(app, "/m3", { "Seiriken-Ticket": body.ticket });
    expect([back.status, await back.text()]).toEqual([200, "report"]);
    expect(back.headers.getSetCookie().join()).toContain("Max-Age=0");
  });

  test("[EMBED-11] the permit lasts until the answer has been read to its end", async () => {
    const app = new Hono();
    app.use("/m4", counter({ limit: 1, holdSeconds: 0 }));
    const body = new TransformStream<Uint8Array, Uint8Array>();
    const bodies: BodyInit[] = [body.readable, "short"];
    app.get("/m4", () => new Response(bodies.shift() ?? null));
    const streaming = await ask(app, "/m4");
    expect((await ask(app, "/m4")).status).toBe(503);
    const writer = body.writable.getWriter();
    void writer.write(new TextEncoder().encode("the end")).then(() => writer.close());
    expect(await streaming.text()).toBe("the end");
    await moment(50);
    expect(await (await ask(app, "/m4")).text()).toBe("short");
  });

  test("[EMBED-12] errors of the handler pass as they are, and free the permit", async () => {
    const app = new Hono();
    app.use("/m5", counter({ limit: 1, holdSeconds: 1 }));
    app.get("/m5", () => {
      throw new RangeError("mine");
    });
    app.onError((error, c) => c.text(`${error.name}: ${error.message}`, 500));
    for (const _ of [1, 2, 3]) {
      const answer = await ask(app, "/m5");
      expect([answer.status, await answer.text()]).toEqual([500, "RangeError: mine"]);
    }
  });

  test("[EMBED-12] says which binding is missing", async () => {
    const app = new Hono();
    app.use("/m6", counter({ limit: 1, bindings: { secret: "MISSING" } }));
    app.onError((error, c) => c.text(error.message, 500));
    expect(await (await ask(app, "/m6")).text()).toBe("counter() needs the binding MISSING");
  });
});
