import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openWholeBrowser } from "../support/browser.ts";
import { browserStage } from "../support/browser-stage.ts";
import { phaseIs } from "../support/browser-visit.ts";
import { eventually } from "../support/eventually.ts";
import { claimVisit, takeNumber } from "../support/journey.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";

const CODES = [503, 200] as const;
const SOCKET = /\/\.seiriken\/rooms\/[^/]+\/socket$/;
/** A turn is told to a poller within 15 s, and everything takes longer on a busy machine. */
const IN_WITHIN = { timeout: 60_000 };

/** Ways in which sockets fail: something on the way cuts them, or the browser has none to give. */
const BLOCKED: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  cut: (page) => page.routeWebSocket(SOCKET, (socket) => socket.close({ code: 1013 })),
  forbidden: (page) =>
    page.addInitScript(() => {
      window.WebSocket = class {
        constructor() {
          throw new DOMException("no sockets here", "SecurityError");
        }
      } as unknown as typeof WebSocket;
    }),
};

const WAYS = ["scripts", "bare", "keys", ...Object.keys(BLOCKED)];
const ROOMS = WAYS.flatMap((way) =>
  CODES.map((code) =>
    roomOver(`${way}${code}`, { total_active_users: 1, queueing_status_code: code }),
  ),
);

const stage = browserStage({ rooms: ROOMS }, openWholeBrowser);

describe.concurrent.each(CODES)("a page with the status %i", (code) => {
  test("[BROWSER-1] with scripts: a number, the socket, the turn, and the page it came for", async () => {
    const room = `scripts${code}`;
    const wanted = `/${room}/seat?row=3&side=left`;
    const holder = await visitorInside(stage.seiriken, room);
    const before = stage.seiriken.visitor({ room });
    await takeNumber(before);
    const itsSocket = await before.socket();
    const sockets: string[] = [];
    let open = 0;
    let mostAtOnce = 0;
    const frames: string[] = [];
    await using here = await stage.visit(wanted, {
      prepare: (page) => {
        page.on("websocket", (socket) => {
          sockets.push(socket.url());
          mostAtOnce = Math.max(mostAtOnce, ++open);
          socket.on("close", () => {
            open -= 1;
          });
          socket.on("framereceived", ({ payload }) => frames.push(String(payload)));
        });
      },
    });
    const { page, titles } = here;
    expect(here.first.status()).toBe(code);
    await phaseIs(page, "waiting");
    expect(await here.text("number")).toBe("3");
    await eventually(() => expect(titles.at(-1)).toBe(`1 ahead · ${room}`));
    await eventually(() => expect(frames.join()).toContain('"position"'));
    await holder.release();
    await claimVisit(before);
    itsSocket.close();
    await eventually(() => expect(titles.at(-1)).toBe(`You are next · ${room}`));
    expect(stage.reached(room)).toEqual([]);
    await before.release();
    await page.locator("#origin").waitFor(IN_WITHIN);

    expect(page.url()).toBe(stage.seiriken.url + wanted);
    expect(stage.reached(room)).toEqual([`GET ${wanted}`]);
    await eventually(() => expect(titles.at(-1)).toBe("origin"));
    const ways = [
      "Taking your ticket",
      "1 ahead",
      "You are next",
      "It is your turn",
      "Here you go",
    ];
    expect(titles).toEqual([...ways.map((title) => `${title} · ${room}`), "origin"]);
    // A connection may be lost on the way: a later socket only after the one before was closed.
    expect(mostAtOnce).toBe(1);
    for (const url of sockets) expect(url).toMatch(SOCKET);
    expect(frames.join()).toContain('"called"');
    const cookies = await page.context().cookies();
    expect(cookies.map(({ name }) => name)).not.toContain(`__Host-seiriken-ticket-${room}`);
    expect(cookies.find(({ name }) => name === `__Host-seiriken-pass-${room}`)).toMatchObject({
      httpOnly: true,
      secure: true,
      sameSite: "None",
    });
  });

  test("[BROWSER-2] without scripts: one refresh brings the number, another one lets in", async () => {
    const room = `bare${code}`;
    const wanted = `/${room}/seat?row=3`;
    const holder = await visitorInside(stage.seiriken, room);
    let first = "";
    await using here = await stage.visit(wanted, {
      javaScriptEnabled: false,
      // The refresh comes after 2 s; on a slow machine that is before anybody can look at the page.
      prepare: (page) =>
        page.route(`**${wanted}`, async (route) => {
          if (first !== "") return route.continue();
          const answer = await route.fetch();
          first = await answer.text();
          return route.fulfill({ response: answer, body: first });
        }),
    });
    expect(here.first.status()).toBe(code);
    expect(first).toMatch(/<text id="number"[^>]*><\/text>/);
    expect(first).toMatch(/<noscript><section.*<a class="button"/s);
    await eventually(async () => expect(await here.text("number")).toBe("2"));
    await holder.release();
    await here.page.locator("#origin").waitFor(IN_WITHIN);
    expect(here.page.url()).toBe(stage.seiriken.url + wanted);
    expect(stage.reached(room)).toEqual([`GET ${wanted}`]);
  });

  test("[BROWSER-2] without scripts and mouse: who checks now is in as soon as it is their turn", async () => {
    const room = `keys${code}`;
    const holder = await visitorInside(stage.seiriken, room);
    await using here = await stage.visit(`/${room}/seat`, {
      javaScriptEnabled: false,
      // Nothing but the visitor's own hand brings the page back.
      prepare: (page) =>
        page.route(`**/${room}/seat`, async (route) => {
          const answer = await route.fetch();
          const html = await answer.text();
          await route.fulfill({ response: answer, body: html.replace(/http-equiv="refresh"/, "") });
        }),
    });
    // Answered before it is pressed again: a second press would ask the origin once more.
    const checkNow = async () => {
      const answered = here.page.waitForEvent("load");
      await here.page.keyboard.press("Tab");
      await here.page.keyboard.press("Enter");
      await answered;
    };
    await checkNow();
    await eventually(async () => expect(await here.text("number")).toBe("2"));
    await holder.release();
    await eventually(async () => {
      await checkNow();
      expect(await here.page.locator("#origin").count()).toBe(1);
    });
    expect(stage.reached(room)).toEqual([`GET /${room}/seat`]);
  });

  test.each(Object.keys(BLOCKED))("[BROWSER-3] sockets %s: polling gets in", async (kind) => {
    const room = `${kind}${code}`;
    const wanted = `/${room}/seat?row=3`;
    const holder = await visitorInside(stage.seiriken, room);
    const polls: string[] = [];
    await using here = await stage.visit(wanted, {
      prepare: async (page) => {
        page.on("request", (request) => {
          if (request.url().endsWith("/tickets/mine")) polls.push(request.method());
        });
        await BLOCKED[kind]?.(page);
      },
    });
    await phaseIs(here.page, "waiting");
    expect(await here.text("number")).toBe("2");
    await eventually(() => expect(polls).toContain("GET"));
    await holder.release();
    await here.page.locator("#origin").waitFor(IN_WITHIN);
    expect(here.page.url()).toBe(stage.seiriken.url + wanted);
    expect(stage.reached(room)).toEqual([`GET ${wanted}`]);
  });
});
