import { describe, expect, test } from "vitest";
import { currentEvent } from "../../src/core/events/phases.ts";
import { parseTicketNumber } from "../../src/core/ids.ts";
import { instant } from "../../src/core/time.ts";
import { roomEvent } from "../support/events.ts";
import { cookieFor, DOCUMENT, JSON_APP, ROOM_START, roomOf, World } from "./fakes.ts";
import type { RoomChange } from "./fakes.ts";

const FORM = { ...DOCUMENT, "Content-Type": "application/x-www-form-urlencoded" };

const worldWith = (html: string, change: RoomChange = {}): World => {
  const world = new World({ rooms: [roomOf({ ...change, kept: { custom_page_html: html } })] });
  world.say({ mode: "queues" });
  return world;
};

const withTicket = async (world: World, headers: Record<string, string> = DOCUMENT) => {
  const ticket = cookieFor("ticket", await world.ticketToken());
  const visitor = cookieFor("visitor", await world.visitorToken());
  return { headers: { ...headers, Cookie: `${ticket}; ${visitor}` } };
};

/** Of a page that is ours. */
const isQueuePage = (html: string): boolean => html.includes('id="headline"');

const page = async (world: World, init: RequestInit): Promise<string> =>
  (await world.fetch("/tickets?day=2", init)).text();

describe("[OWNPAGE-1] a room's own page", () => {
  test("is shown with Cloudflare's variables, and a few more", async () => {
    const world = worldWith(
      "{{inWaitingRoom}} {{waitTimeKnown}} {{waitTime}}={{waitTimeHours}}:{{waitTimeHourMinutes}} " +
        "{{waitTimeFormatted}} {{queueIsFull}} {{queueAll}} {{queueingMethod}} {{isFIFOQueue}} " +
        "{{isEventActive}} {{shuffleAtEventStart}} [{{{turnstile}}}] {{infiniteQueue}} " +
        "{{refreshIntervalSeconds}} {{lastUpdated}}",
    );
    const eta = { known: true, seconds: 7_200 + 59, low: 60, high: 9_000 } as const;
    world.lobby.take = async () => ({
      kind: "ticket",
      view: world.view({ eta }),
      isNew: false,
    });
    expect(await page(world, await withTicket(world))).toBe(
      "true true 121=2:1 2 hours 1 minute false false fifo true false false [] false 9 " +
        "2026-11-20T09:00:00.000Z",
    );
  });

  test("shows name, place and texts of ours under `seiriken`, escaped unless the template says not to", async () => {
    const appearance = { name: "A & B", accent: null, logo: null };
    const world = worldWith(
      "{{seiriken.name}} {{{seiriken.name}}} {{seiriken.number}}/{{seiriken.ahead}} {{seiriken.message}} {{seiriken.closed}}",
      { appearance },
    );
    world.say({ message: "<b>soon</b>" });
    expect(await page(world, await withTicket(world))).toBe(
      "A &amp; B A & B 42/3 &lt;b&gt;soon&lt;&#x2F;b&gt; ",
    );
  });

  test("has nothing in it that a visitor sent", async () => {
    const names = ["inWaitingRoom", "lastUpdated", "seiriken.name", "seiriken.reference"];
    const world = worldWith(names.map((name) => `{{{${name}}}}`).join(" "));
    const answer = await world.fetch("/tickets?<script>alert(1)</script>", {
      headers: {
        ...DOCUMENT,
        "Accept-Language": "<script>",
        Referer: "https://a.example/<script>",
      },
    });
    expect(await answer.text()).not.toContain("script");
  });

  test("is what a program gets, too, where there is no JSON for it", async () => {
    const world = worldWith("own", { jsonResponseEnabled: false });
    expect(await page(world, { headers: JSON_APP })).toBe("own");
  });
});

describe("[OWNPAGE-5] it comes back by itself", () => {
  test("for a place soon, then as often as Retry-After says, and goes in when it is called", async () => {
    const world = worldWith("{{refreshIntervalSeconds}}");
    const first = await world.fetch("/tickets?day=2", { headers: DOCUMENT });
    expect(first.status).toBe(503);
    expect(first.headers.get("Refresh")).toBe("2;url=/tickets?day=2");
    expect(await first.text()).toBe(first.headers.get("Retry-After"));
    expect(world.asked).toEqual([]);

    const second = await world.fetch("/tickets?day=2", await withTicket(world));
    expect(second.headers.get("Refresh")).toBe(
      `${second.headers.get("Retry-After")};url=/tickets?day=2`,
    );
    expect(await second.text()).toBe(second.headers.get("Retry-After"));

    const called = await withTicket(world);
    world.callNumber(parseTicketNumber(42)!);
    const third = await world.fetch("/tickets?day=2", called);
    expect(await third.text()).toBe("from the origin");
  });

  test("the page on its own leads to where its visitor wants to go", async () => {
    const world = worldWith("own");
    const answer = await world.fetch("/.seiriken/rooms/shop/wait?to=/tickets/7", {
      headers: DOCUMENT,
    });
    expect(answer.headers.get("Refresh")).toBe("2;url=/tickets/7");
  });
});

test("[OWNPAGE-6] its policy says who may frame it, and no more; the queue page's is as strict as ever", async () => {
  const corsOrigins = ["https://partner.example"];
  const own = await worldWith("own", { corsOrigins }).fetch("/tickets", { headers: DOCUMENT });
  expect(own.headers.get("Content-Security-Policy")).toBe(
    "frame-ancestors 'self' https://partner.example",
  );
  expect(own.headers.get("X-Robots-Tag")).toBe("noindex");
  expect(own.headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(own.headers.get("Cache-Control")).toBe("no-store, no-transform");
  const ours = await worldWith("").fetch("/tickets", { headers: DOCUMENT });
  expect(ours.headers.get("Content-Security-Policy")).toMatch(/^default-src 'none'; script-src/);
  expect(ours.headers.get("Refresh")).toBeNull();
});

describe("[OWNPAGE-7] the queue page is shown in its place", () => {
  const closing = { mode: "closed", closed: "Sold out" } as const;

  test("where it is blank", async () => {
    expect(isQueuePage(await page(worldWith(" \n"), { headers: DOCUMENT }))).toBe(true);
  });

  test("where a form was not sent", async () => {
    const form = { method: "POST", headers: FORM, body: "a=1" };
    expect(isQueuePage(await page(worldWith("own"), form))).toBe(true);
  });

  test("where cookies do not come back", async () => {
    const headers = { ...DOCUMENT, Referer: "https://shop.example/tickets?day=2" };
    expect(isQueuePage(await page(worldWith("own"), { headers }))).toBe(true);
  });

  test("where the room cannot be reached", async () => {
    const world = worldWith("own");
    const headers = await withTicket(world);
    world.breakObjects();
    expect(isQueuePage(await page(world, headers))).toBe(true);
  });

  test("where the room is closed, unless it has a place for the words", async () => {
    const silent = worldWith("own");
    silent.say(closing);
    expect(isQueuePage(await page(silent, { headers: DOCUMENT }))).toBe(true);
    const speaks = worldWith("own{{#seiriken.closed}}: {{seiriken.closed}}{{/seiriken.closed}}");
    expect(await page(speaks, { headers: DOCUMENT })).toBe("own");
    speaks.say(closing);
    await speaks.advance(2_000);
    expect(await page(speaks, { headers: DOCUMENT })).toBe("own: Sold out");
  });
});

describe("[OWNPAGE-7] where a ticket costs work", () => {
  const proofOfWork = { bits: 12, bitsMax: 20 };

  test("a page without our script waits for the queue page to get one", async () => {
    const world = worldWith("own", { proofOfWork });
    expect(isQueuePage(await page(world, { headers: DOCUMENT }))).toBe(true);
    expect(await page(world, await withTicket(world))).toBe("own");
  });

  test("one with it gets the proof once the whole page stands", async () => {
    const world = worldWith("<head>{{{seirikenScript}}}</head>", { proofOfWork });
    expect(await page(world, { headers: DOCUMENT })).toContain(
      '<script defer src="&#x2F;.seiriken&#x2F;proof',
    );
  });
});

test("[OWNPAGE-8] a room that turns everybody away shows it, and it does not come back", async () => {
  const world = worldWith("{{#isRejectQueue}}full {{refreshIntervalSeconds}}{{/isRejectQueue}}", {
    queueingMethod: "reject",
  });
  const answer = await world.fetch("/tickets", { headers: DOCUMENT });
  expect(await answer.text()).toBe("full 0");
  expect(answer.headers.get("Refresh")).toBeNull();
});

describe("[OWNPAGE-9] one that cannot be shown", () => {
  test.each([
    ["does not parse", "{{#a}}", "it does not parse"],
    ["leads nowhere", "{{lastUpdated.constructor.raw}}", expect.stringContaining("TypeError")],
  ])("%s: the queue page, and one line of the log", async (_what, html, reason) => {
    const world = worldWith(html);
    for (let load = 0; load < 3; load++) {
      expect(isQueuePage(await page(world, { headers: DOCUMENT }))).toBe(true);
      await world.advance(2_000);
    }
    expect(world.log).toEqual([
      { level: "error", event: "own-page-unusable", room: "shop", reason },
    ]);
  });
});

describe("[OWNPAGE-10] `{{{seirikenScript}}}`", () => {
  const LINE = "<p>{{{seirikenScript}}}</p>";
  const bootIn = (html: string) =>
    JSON.parse(/id="seiriken-boot">(.*?)<\/script>/s.exec(html)?.[1] ?? "null") as {
      to: string;
      state: { phase: string };
    };

  test("brings state and script, and the page no longer comes back by itself but without scripts", async () => {
    const world = worldWith(LINE);
    const answer = await world.fetch("/tickets?a=<!--&b='", await withTicket(world));
    const html = await answer.text();
    expect(answer.headers.get("Refresh")).toBeNull();
    expect(html).toContain(
      '<noscript><meta http-equiv="refresh" content="9;url=&#x2F;tickets?a&#x3D;%3C!--&amp;b&#x3D;%27">',
    );
    expect(bootIn(html)).toMatchObject({
      to: "/tickets?a=%3C!--&b=%27",
      state: { phase: "waiting", ticket: { number: 42, ahead: 3 } },
    });
    expect(html).not.toContain(await world.ticketToken());
  });

  test("no text of an operator ends the script", async () => {
    const world = worldWith(LINE);
    world.say({ message: "</script><script>alert(1)</script><!--" });
    const html = await page(world, { headers: DOCUMENT });
    expect(html.match(/<script/g)).toHaveLength(3);
    expect(html).not.toContain("<!--");
  });

  test.each<[string, RoomChange]>([
    ["of requests", { holdMs: 0, limits: { permit: "request" } }],
    ["that turns everybody away", { queueingMethod: "reject" }],
  ])("is empty in a room %s", async (_which, change) => {
    const world = worldWith(LINE, change);
    expect(await page(world, { headers: DOCUMENT })).toBe("<p></p>");
  });
});

describe("[OWNPAGE-13] while an event is on", () => {
  const at = (minutes: number) => instant(ROOM_START + minutes * 60_000);
  const change = (customPageHtml: string | null) => {
    const sale = roomEvent(at(5), { prequeueAt: at(0), overrides: { customPageHtml } });
    return { sale, events: { changedAt: instant(1), list: [sale] } };
  };
  const TOLD =
    "{{isEventActive}} {{isEventPrequeueing}} {{timeUntilEventStart}} {{timeUntilEventEndFormatted}}";

  test("the room's page is told of it", async () => {
    const { sale, events } = change(null);
    const world = worldWith(`${TOLD}{{{seirikenScript}}}`, { events });
    world.say({ mode: "paused", event: currentEvent(sale, "prequeue") });
    const html = await page(world, { headers: DOCUMENT });
    expect(html).toMatch(/^true true 5 1 hour 5 minutes</);
    expect(html).toContain('"phase":"prequeue","opensInMs":300000');
  });

  test("the event's own page is shown, and the room's again after it", async () => {
    const { sale, events } = change("the event's");
    const world = worldWith("the room's", { events });
    world.say({ event: currentEvent(sale, "running") });
    expect(await page(world, { headers: DOCUMENT })).toBe("the event's");
    const { event: _over, ...after } = world.snapshot;
    world.snapshot = after;
    await world.advance(2_000);
    expect(await page(world, { headers: DOCUMENT })).toBe("the room's");
  });
});

describe("[TURNSTILE-10] an own page in a room that asks for a proof", () => {
  const KEYS = { TURNSTILE_SITE_KEY: "site-key", TURNSTILE_SECRET_KEY: "secret-key" };
  const SCRIPT = /<script defer src="[^"]*proof[^"]*script\.js[^"]*"><\/script>/g;
  const asking = async (html: string, action = "infinite_queue"): Promise<string> => {
    const kept = { turnstile_mode: "visible_managed", turnstile_action: action };
    const room = roomOf({ kept: { ...kept, custom_page_html: html } });
    const world = new World({ rooms: [room], env: KEYS });
    world.say({ mode: "queues" });
    return page(world, { headers: DOCUMENT });
  };

  test("has the widget where the template wants it, and the script that it needs, once", async () => {
    for (const more of ["", "{{{seirikenScript}}}"]) {
      const html = await asking(`<p>{{{turnstile}}}</p>${more}`);
      expect(html).toContain('<p><div id="seiriken-proof"></div>');
      expect(html.match(SCRIPT)).toHaveLength(1);
      expect(html.match(/id="seiriken-boot"/g)).toHaveLength(1);
      expect(html).toContain('"siteKey":"site-key"');
    }
  });

  test("that has no place for it is not shown, and with Turnstile off it is", async () => {
    expect(isQueuePage(await asking("<p>mine</p>"))).toBe(true);
    expect(isQueuePage(await asking("<p>{{{seirikenScript}}}</p>"))).toBe(false);
    const off = worldWith("<p>[{{{turnstile}}}]</p>");
    expect(await page(off, { headers: DOCUMENT })).toBe("<p>[]</p>");
  });

  test("works for the ticket where it has the script", async () => {
    const work = { proofOfWork: { bits: 8, bitsMax: 8 } };
    const scripted = await page(worldWith("{{{seirikenScript}}}", work), { headers: DOCUMENT });
    expect(scripted.match(SCRIPT)).toHaveLength(1);
  });
});

describe("previews", () => {
  const ADMIN_TOKEN = "an-admin-token-for-tests";
  const CALL = "/.seiriken/client/v4/zones/any/waiting_rooms/preview";
  const HEADERS = { Authorization: `Bearer ${ADMIN_TOKEN}`, "Content-Type": "application/json" };

  /** A world whose Registry keeps previews, and what its answer to one is. */
  const previewing = async (html: unknown) => {
    const world = new World({ env: { ADMIN_TOKEN } });
    const kept = new Map<string, string>();
    world.registry.keepPreview = async (id, page) => {
      kept.set(id, page);
      return world.now;
    };
    world.registry.preview = async (id) => {
      const page = kept.get(id);
      return page === undefined ? null : { html: page, endsAt: world.now };
    };
    const body = JSON.stringify({ custom_html: html });
    const answer = await world.fetch(CALL, { method: "POST", headers: HEADERS, body });
    return { world, kept, answer };
  };
  const linkIn = async (answer: Response): Promise<string> =>
    ((await answer.json()) as { result: { preview_url: string } }).result.preview_url;

  test("[PREVIEW-1] [PREVIEW-3] the link shows the page, out of the site's origin", async () => {
    const { world, answer } = await previewing("<p>{{waitTimeFormatted}}");
    const link = await linkIn(answer);
    expect(link).toMatch(/^https:\/\/shop\.example\/\.seiriken\/preview\/[0-9a-f]{64}$/);
    const page = await world.fetch(link, { headers: DOCUMENT });
    expect(await page.text()).toBe("<p>10 minutes");
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "content-security-policy": "sandbox allow-scripts; frame-ancestors 'self'",
      "cache-control": "no-store, no-transform",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex, nofollow",
    });
    expect(page.headers.getSetCookie()).toEqual([]);
  });

  test.each([
    ["{{#a}}", "must be a Mustache template: the tag at line 1, column 1 opens a section"],
    [7, "must be a text of at most 65536 characters"],
    [undefined, "is required"],
  ])("[PREVIEW-1] %j is refused", async (html, message) => {
    const { answer, kept } = await previewing(html);
    expect(answer.status).toBe(400);
    const { errors } = (await answer.json()) as { errors: { message: string; source: object }[] };
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toContain(message);
    expect(errors[0]?.source).toEqual({ pointer: "/custom_html" });
    expect(kept.size).toBe(0);
  });

  test("[OWNPAGE-14] names for which there is never anything are told", async () => {
    const messagesOf = async (html: string) => {
      const { answer } = await previewing(html);
      return ((await answer.json()) as { messages: object[] }).messages;
    };
    const known =
      "{{#waitTime}}{{.}}{{/waitTime}}{{{turnstile}}}{{infiniteQueue}}{{seiriken.among}}";
    expect(await messagesOf(known)).toEqual([]);
    expect(await messagesOf("{{data.x}}{{^b}}{{/b}}{{seiriken.c}}{{> d}}{{waitTime}}")).toEqual([
      {
        code: 48104,
        message:
          'custom_html looks up "data.x", "b", "seiriken.c" and 1 more: nothing is ever there.',
        source: { pointer: "/custom_html" },
      },
    ]);
  });

  test("[PREVIEW-2] a guess reaches no object, and what is over is not there", async () => {
    const { world, kept, answer } = await previewing("own");
    const link = await linkIn(answer);
    const last = link.endsWith("0") ? "1" : "0";
    const before = world.asked.length;
    for (const guess of [`${link.slice(0, -1)}${last}`, `${link}0`, link.slice(0, -64)])
      expect((await world.fetch(guess, { headers: DOCUMENT })).status, guess).toBe(404);
    expect(world.asked).toHaveLength(before);
    kept.clear();
    expect((await world.fetch(link, { headers: DOCUMENT })).status).toBe(404);
  });

  const TOLD =
    "{{waitTime}} {{waitTimeKnown}} {{queueAll}} {{queueIsFull}} {{queueingMethod}} " +
    "{{isEventPrequeueing}} {{shuffleAtEventStart}} {{timeUntilEventStart}} {{seiriken.number}} " +
    "{{#seiriken.closed}}closed{{/seiriken.closed}}";

  test.each([
    ["", "10 true false false fifo false false 0 1248 "],
    ["?waitTime=50", "50 true false false fifo false false 0 1248 "],
    ["?waitTime=-1&state=x", "10 true false false fifo false false 0 1248 "],
    ["?force_queue=true", "0 false true false fifo false false 0 1248 "],
    ["?queue_is_full=true", "0 false false true fifo false false 0 1248 "],
    ["?queueing_method=random", "10 true false false random false false 0 1248 "],
    ["?event=prequeueing", "0 false true false fifo true false 15 1248 "],
    ["?event=started&shuffle_at_event_start=true", "10 true false false fifo false true 0 1248 "],
    ["?state=taking", "10 true false false fifo false false 0  "],
    ["?state=closed", "0 false false false fifo false false 0  closed"],
    ["?queueing_method=passthrough", "Welcome"],
    ["?queueing_method=reject", "10 true false false reject false false 0  "],
  ])("[PREVIEW-4] %j", async (query, shown) => {
    const { world, answer } = await previewing(TOLD);
    const page = await world.fetch((await linkIn(answer)) + query, { headers: DOCUMENT });
    expect(await page.text()).toBe(shown);
  });

  test("[PREVIEW-3] its script shows one state, and has nowhere to ask", async () => {
    const { world, answer } = await previewing("{{{seirikenScript}}}");
    const page = await world.fetch(`${await linkIn(answer)}?state=called`, { headers: DOCUMENT });
    const html = await page.text();
    expect(html).toContain('"isPreview":true');
    expect(html).toContain('"phase":"called"');
    expect(html).not.toMatch(/http-equiv="refresh"/);
  });

  test("[OWNPAGE-9] one that cannot be rendered says why", async () => {
    const { world, answer } = await previewing("{{lastUpdated.constructor.raw}}");
    const page = await world.fetch(await linkIn(answer), { headers: DOCUMENT });
    expect(await page.text()).toContain("This page cannot be shown: TypeError");
  });
});
