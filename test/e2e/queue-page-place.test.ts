import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { BEGINNING_MS, stopClock } from "../support/page-clock.ts";
import { phaseIs, visitPage } from "../support/page-visit.ts";
import type { VisitOptions } from "../support/page-visit.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const visit = (options?: VisitOptions) => visitPage(browser, options);
const asks = (requests: readonly string[]) =>
  requests.filter((request) => request === "GET /tickets/mine").length;

describe("taking a ticket", () => {
  test("[PAGE-20] the page takes one ticket, and a reload goes on with it", async () => {
    await using here = await visit();
    await phaseIs(here.page, "waiting");
    expect(await here.text("number")).toBe("1,248");
    expect(await here.page.title()).toBe("12 ahead · Sendai Jazz Festival");
    await here.page.reload();
    await expect.poll(() => here.text("ahead")).toBe("12");
    expect(here.mock.requests.filter((request) => request === "POST /tickets")).toHaveLength(1);
  });

  test("[PAGE-20] a prerendered page takes none until it is shown", async () => {
    await using here = await visit({
      prepare: async (_, page) => {
        await page.addInitScript(() => {
          let isPrerendering = true;
          Object.defineProperty(document, "prerendering", { get: () => isPrerendering });
          addEventListener("shown", () => {
            isPrerendering = false;
            document.dispatchEvent(new Event("prerenderingchange"));
          });
        });
      },
    });
    await here.page.waitForTimeout(400);
    expect(here.mock.requests).toEqual([]);
    await here.page.evaluate(() => dispatchEvent(new Event("shown")));
    await phaseIs(here.page, "waiting");
  });

  test("[PAGE-12] an answer that asks for cookies ends the taking", async () => {
    await using here = await visit({
      prepare: (mock) => {
        mock.controls.api = "cookies";
      },
    });
    await phaseIs(here.page, "cookies");
    expect(here.mock.requests).toEqual(["POST /tickets"]);
  });

  test("[PAGE-12] a browser that refuses cookies is told so without a request", async () => {
    await using here = await visit({
      prepare: async (_, page) => {
        await page.addInitScript(() => {
          Object.defineProperty(navigator, "cookieEnabled", { get: () => false });
        });
      },
    });
    await phaseIs(here.page, "cookies");
    await here.page.waitForTimeout(300);
    expect(here.mock.requests).toEqual([]);
  });

  test.each([
    ["busy", "It is very busy here."],
    ["line-full", "The line is full at the moment."],
  ] as const)("[PAGE-21] refused with %s it says so, and tries again", async (api, notice) => {
    await using here = await visit({
      prepare: (mock) => {
        mock.controls.api = api;
      },
    });
    await expect.poll(() => here.text("notices")).toContain(notice);
    here.mock.controls.api = "json";
    await phaseIs(here.page, "waiting");
    expect(await here.text("notices")).toBe("");
  });

  test("[PAGE-9] a lost form is told, and the page goes on", async () => {
    await using here = await visit({
      prepare: (mock) => {
        mock.controls.input = { formLost: true };
      },
    });
    await phaseIs(here.page, "waiting");
    expect(await here.text("notices")).toContain("Your form has not been sent.");
  });
});

describe("listening", () => {
  test("[PAGE-22] with sockets the page polls no more; it answers ready? and pings", async () => {
    await using here = await visit({
      prepare: async (mock, page) => {
        mock.controls.pollAfterSeconds = 20;
        await stopClock(page);
      },
    });
    await here.page.clock.runFor(BEGINNING_MS);
    await expect.poll(() => here.mock.openSockets()).toBe(1);
    await phaseIs(here.page, "waiting");
    here.mock.send({ type: "ready?" });
    await expect.poll(() => here.mock.heard).toContain('{"type":"ready"}');
    await here.page.clock.runFor(35_000);
    await expect.poll(() => here.mock.heard).toContain("ping");
    expect(asks(here.mock.requests)).toBe(0);
  });

  test("[PAGE-22] on the socket it still asks each quarter of the return window", async () => {
    await using here = await visit({
      prepare: async (mock, page) => {
        mock.controls.input = { returnWindowSeconds: 100 };
        mock.controls.pollAfterSeconds = 60;
        await stopClock(page);
      },
    });
    await here.page.clock.runFor(BEGINNING_MS);
    await expect.poll(() => here.mock.openSockets()).toBe(1);
    here.mock.advance(1);
    await expect.poll(() => here.text("ahead")).toBe("11");
    await here.page.clock.runFor(21_000 - BEGINNING_MS);
    expect(asks(here.mock.requests)).toBe(0);
    await here.page.clock.runFor(8_000);
    await expect.poll(() => asks(here.mock.requests)).toBe(1);
  });

  test("[MOMENT-1] looked at again, it opens no second socket beside one that is being opened", async () => {
    await using here = await visit({
      prepare: async (mock, page) => {
        mock.controls.sockets = "hold";
        mock.controls.pollAfterSeconds = 60;
        await page.clock.install();
      },
    });
    await phaseIs(here.page, "waiting");
    await expect.poll(() => here.mock.upgrades()).toBe(1);
    const look = () =>
      here.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await here.page.clock.fastForward(9_000);
    await look();
    await expect.poll(() => asks(here.mock.requests)).toBeGreaterThan(0);
    expect(here.mock.upgrades()).toBe(1);
    await here.page.clock.fastForward(4_000);
    await look();
    await expect.poll(() => here.mock.upgrades()).toBe(2);
  });

  test.each([["refuse"], [4429], [1013]] as const)(
    "[PAGE-23] where sockets fail (%s) it polls",
    async (sockets) => {
      await using here = await visit({
        prepare: (mock) => {
          mock.controls.sockets = sockets;
          mock.controls.pollAfterSeconds = 1;
        },
      });
      await phaseIs(here.page, "waiting");
      here.mock.advance(4);
      await expect.poll(() => here.text("ahead")).toBe("8");
      expect(asks(here.mock.requests)).toBeGreaterThan(0);
    },
  );

  test("[PAGE-23] a dropped socket comes back, with the place it had", async () => {
    await using here = await visit();
    await expect.poll(() => here.mock.openSockets()).toBe(1);
    const before = here.mock.socketsEver();
    here.mock.dropSockets(1012);
    await expect.poll(() => here.mock.socketsEver()).toBeGreaterThan(before);
    await expect.poll(() => here.mock.openSockets()).toBe(1);
    expect(await here.text("number")).toBe("1,248");
  });

  test("[PAGE-24] looked at again, the page asks at once", async () => {
    await using here = await visit({
      prepare: async (mock, page) => {
        mock.controls.pollAfterSeconds = 60;
        await stopClock(page);
      },
    });
    await here.page.clock.runFor(BEGINNING_MS);
    await expect.poll(() => here.mock.openSockets()).toBe(1);
    await here.page.clock.runFor(5_000);
    expect(asks(here.mock.requests)).toBe(0);
    await here.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await expect.poll(() => asks(here.mock.requests)).toBe(1);
  });

  test("[PAGE-25] offline it says so, and until when the place is kept", async () => {
    await using here = await visit();
    await phaseIs(here.page, "waiting");
    await here.page.context().setOffline(true);
    await expect
      .poll(() => here.text("notices"))
      .toMatch(/You are offline.*Your place is kept until \d{1,2}:\d\d\./);
    await here.page.context().setOffline(false);
    await expect.poll(() => here.text("notices")).toBe("");
  });

  test("[PAGE-26] an error page never replaces this one; the page goes on trying", async () => {
    await using here = await visit({
      prepare: (mock) => {
        mock.controls.sockets = "refuse";
        mock.controls.pollAfterSeconds = 1;
      },
    });
    await phaseIs(here.page, "waiting");
    here.mock.controls.api = "error-page";
    await expect.poll(() => here.text("notices")).toContain("The connection is interrupted.");
    here.mock.controls.api = "json";
    await expect.poll(() => here.text("notices")).toBe("");
    expect(here.mock.pages()).toBe(1);
  });

  test("[PAGE-26] a challenge makes it load again, with longer pauses", async () => {
    await using here = await visit({
      prepare: async (mock, page) => {
        mock.controls.api = "html";
        await stopClock(page);
      },
    });
    const { page, mock } = here;
    const isInterrupted = async () => {
      await page.clock.runFor(BEGINNING_MS);
      await expect.poll(() => here.text("notices")).toContain("The connection is interrupted.");
    };
    /** The page that is shown then is another one: what is asked of it is not asked of this one. */
    const loadsWithin = async (ms: number) => {
      const loaded = page.waitForEvent("load");
      await page.clock.runFor(ms);
      await loaded;
    };
    await isInterrupted();
    await page.clock.runFor(6_800 - BEGINNING_MS);
    expect(mock.pages()).toBe(1);
    await loadsWithin(9_201 - 6_800 + BEGINNING_MS);
    expect(mock.pages()).toBe(2);
    await isInterrupted();
    await page.clock.runFor(13_600 - BEGINNING_MS);
    expect(mock.pages()).toBe(2);
    await loadsWithin(18_401 - 13_600 + BEGINNING_MS);
    expect(mock.pages()).toBe(3);
  });

  test("[PAGE-27] the operator's words reach the open page; a closing ends the waiting", async () => {
    await using here = await visit();
    await expect.poll(() => here.mock.openSockets()).toBe(1);
    await phaseIs(here.page, "waiting");
    here.mock.send({ type: "message", text: "<b>Two left</b>" });
    await expect.poll(() => here.text("message")).toBe("<b>Two left</b>");
    here.mock.send({ type: "closed", text: "Sold out. Good night." });
    await phaseIs(here.page, "closed");
    expect(await here.text("lead")).toMatch(/^Sold out\. Good night\./);
    here.mock.send({ type: "reload" });
    await expect.poll(() => here.mock.pages()).toBe(2);
  });

  test("[PAGE-39] a page that was made just before the room opened again goes on with its number", async () => {
    await using here = await visit();
    await expect.poll(() => here.mock.openSockets()).toBe(1);
    here.mock.send({ type: "closed", text: "Sold out. Good night." });
    await phaseIs(here.page, "closed");
    here.mock.send({ type: "position", number: 1248, state: "waiting", ahead: 12, closed: false });
    await expect.poll(() => here.mock.pages()).toBe(2);
    await phaseIs(here.page, "waiting");
    expect(await here.text("number")).toBe("1,248");
  });

  test("[PAGE-39] a page that missed the end of a pause and of a message learns of it from its next socket", async () => {
    await using here = await visit();
    await expect.poll(() => here.mock.openSockets()).toBe(1);
    await phaseIs(here.page, "waiting");
    here.mock.send({ type: "message", text: "Two left" });
    here.mock.send({ type: "paused", paused: true });
    const paused = here.page.locator("body[data-paused]");
    await expect.poll(() => paused.count()).toBe(1);
    const place = { type: "position", number: 1248, state: "waiting", ahead: 12, closed: false };
    here.mock.send({ ...place, paused: true, message: "One left" });
    await expect.poll(() => here.text("message")).toBe("One left");
    expect(await paused.count()).toBe(1);
    here.mock.send({ ...place, paused: false, message: null });
    await expect.poll(() => here.page.locator("#messageBox").isHidden()).toBe(true);
    expect(await paused.count()).toBe(0);
  });
});
