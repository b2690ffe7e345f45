import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildPage } from "../../scripts/build-page.ts";
import type { PageEvent } from "../../src/page/state.ts";
import { axeFinds } from "../support/axe.ts";
import { openBrowser } from "../support/browser.ts";
import { stopClock } from "../support/page-clock.ts";
import { phaseIs, visitPage } from "../support/page-visit.ts";
import type { PageVisit, VisitOptions } from "../support/page-visit.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const visit = (options?: VisitOptions) => visitPage(browser, options);

const eventIn = (ms: number): PageEvent => ({
  id: "e".repeat(32),
  phase: "prequeue",
  starts_at: new Date(Date.now() + ms).toISOString(),
  shuffle: true,
});

const overflow = ({ page }: PageVisit): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

test("[PAGE-19] what the Worker serves is built from what static/queue says", async () => {
  const folder = new URL("../../src/worker/page/", import.meta.url);
  for (const [name, code] of Object.entries(await buildPage()))
    expect(await readFile(new URL(name, folder), "utf8")).toBe(code);
});

describe("at every size, in every direction", () => {
  const phone = { viewport: { width: 390, height: 844 } };
  const narrow = { viewport: { width: 320, height: 640 } };
  type View = VisitOptions & { readonly event?: PageEvent };
  const views: readonly (readonly [string, View])[] = [
    ["320 px, in German", { viewport: { width: 320, height: 640 }, locale: "de" }],
    ["a phone by night, in Japanese", { ...phone, colorScheme: "dark", locale: "ja" }],
    ["a desktop at 200 %", { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
    ["a desktop", { viewport: { width: 1_280, height: 800 } }],
    ["320 px, from right to left", { ...narrow, locale: "ar" }],
    ["320 px by night, in Thai", { ...narrow, locale: "th", colorScheme: "dark" }],
    [
      "320 px by night, in traditional Chinese",
      { ...narrow, locale: "zh-TW", colorScheme: "dark" },
    ],
    ["forced colours", { ...phone, forcedColors: "active" }],
    ["from right to left, days before an event", { ...phone, locale: "ar", event: eventIn(2e8) }],
  ];

  test.each(views)(
    "[PAGE-33] %s: nothing sticks out, and axe finds nothing",
    async (_, { event = null, ...options }) => {
      await using here = await visit({
        ...options,
        prepare: (mock) => {
          mock.controls.event = event;
          mock.controls.ahead = 118_230;
          mock.controls.waiting = 300_000;
          mock.controls.eta = { low: 8_000, high: 11_000 };
          mock.controls.input = { message: "Doors open at 19:00." };
        },
      });
      await phaseIs(here.page, "waiting");
      expect(await overflow(here)).toBeLessThanOrEqual(0);
      expect(await axeFinds(here.page)).toEqual([]);
    },
  );

  test("[PAGE-33] axe does find what is wrong: text too pale, and a picture without words", async () => {
    await using here = await visit(phone);
    await phaseIs(here.page, "waiting");
    expect(await axeFinds(here.page)).toEqual([]);
    await here.page.evaluate(() => {
      const pale = document.createElement("p");
      pale.textContent = "too pale";
      Object.assign(pale.style, { color: "#ccc", background: "#fff" });
      document.querySelector("main")!.append(pale, document.createElement("img"));
    });
    const rules = (await axeFinds(here.page)).map((found) => found.split(":")[0]);
    expect(rules.toSorted()).toEqual(["color-contrast", "image-alt"]);
  });

  test("[PAGE-33] letters twice as large: nothing sticks out", async () => {
    await using here = await visit(phone);
    await phaseIs(here.page, "waiting");
    await here.page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    expect(await overflow(here)).toBeLessThanOrEqual(0);
  });

  test("[PAGE-33] the longest number there can be stays on its ticket", async () => {
    await using here = await visit({
      viewport: { width: 320, height: 640 },
      prepare: (mock) => {
        mock.controls.api = "drop";
        const ticket = { state: "waiting", ahead: 1, eta: { known: false } } as const;
        mock.controls.input = { ticket: { ...ticket, number: 2 ** 48 } };
      },
    });
    const [number, ticket] = await Promise.all(
      ["#number", "div:has(> p > #face)"].map((part) => here.page.locator(part).boundingBox()),
    );
    expect(number!.x).toBeGreaterThanOrEqual(ticket!.x);
    expect(number!.x + number!.width).toBeLessThanOrEqual(ticket!.x + ticket!.width);
  });

  test.each(["called", "ended", "given-up", "closed", "cookies"])(
    "[PAGE-33] %s: axe finds nothing",
    async (phase) => {
      await using here = await visit({
        ...phone,
        prepare: (mock) => {
          if (phase === "closed") mock.controls.input = { mode: "closed", closed: "Sold out." };
          if (phase === "cookies") mock.controls.api = "cookies";
          mock.controls.claim = "not-yet";
        },
      });
      if (phase === "called" || phase === "ended") {
        await expect.poll(() => here.mock.openSockets()).toBe(1);
        if (phase === "ended") here.mock.end();
        here.mock.dropSockets(4401);
        here.mock.call();
      }
      if (phase === "given-up") {
        await phaseIs(here.page, "waiting");
        await here.page.click("#giveUp");
        await here.page.click("#giveUpYes");
      }
      await phaseIs(here.page, phase);
      expect(await axeFinds(here.page)).toEqual([]);
    },
  );
});

describe("calm", () => {
  const moving = ({ page }: PageVisit): Promise<number> =>
    page.evaluate(() => document.getAnimations().length);

  test("[PAGE-34] the line moves when somebody went in, and at no other time", async () => {
    await using here = await visit();
    await expect.poll(() => here.mock.openSockets()).toBe(1);
    await expect.poll(() => moving(here)).toBe(0);
    await here.page.waitForTimeout(1_500);
    expect(await moving(here)).toBe(0);
    // Asked for in the page, at each of its frames: from here a move could be missed.
    const moved = here.page.waitForFunction(() => document.getAnimations().length > 0);
    here.mock.advance(3);
    await moved;
  });

  test("[PAGE-34] nothing moves for those who asked for less motion", async () => {
    await using here = await visit({ reducedMotion: "reduce" });
    await expect.poll(() => here.mock.openSockets()).toBe(1);
    here.mock.advance(3);
    await expect.poll(() => here.text("ahead")).toBe("9");
    expect(await moving(here)).toBe(0);
  });

  test("[PAGE-35] speaks at milestones, at most once a minute, and never in numbers that tick", async () => {
    await using here = await visit({ prepare: (_, page) => page.clock.install() });
    await expect.poll(() => here.text("status")).toContain("12 people are ahead of you.");
    await expect.poll(() => here.mock.openSockets()).toBe(1);
    here.mock.advance(3);
    await expect.poll(() => here.text("ahead")).toBe("9");
    expect(await here.text("status")).toContain("12 people");
    await here.page.clock.fastForward(61_000);
    here.mock.advance(1);
    await expect.poll(() => here.text("status")).toContain("8 people are ahead of you.");
    await here.page.clock.fastForward(61_000);
    here.mock.advance(1);
    await expect.poll(() => here.text("ahead")).toBe("7");
    expect(await here.text("status")).toContain("8 people");
    const live = await here.page.locator("[role=status] *, [role=alert] *, [aria-live]").count();
    expect(live).toBe(0);
  });
});

describe("without the script", () => {
  test("[PAGE-14] the scriptless page comes back by itself", async () => {
    await using here = await visit({
      javaScriptEnabled: false,
      prepare: (mock) => {
        mock.controls.input = { refreshSeconds: 1 };
      },
    });
    await expect.poll(() => here.mock.pages()).toBeGreaterThan(1);
    // It may be between two of its pages.
    await expect.poll(() => here.page.isVisible("noscript a")).toBe(true);
    expect(await here.page.isVisible("#giveUp")).toBe(false);
  });

  test("[PAGE-15] a browser that cannot read the script looks again after 20 s", async () => {
    await using here = await visit({
      prepare: async (_, page) => {
        await stopClock(page);
        await page.route("**/tickets", async (route) => {
          const response = await route.fetch();
          const html = await response.text();
          await route.fulfill({
            response,
            body: html.replace(/(<script[^>]*>)\{let /, "$1all:{break all;let "),
          });
        });
      },
    });
    await here.page.clock.runFor(19_500);
    expect(here.mock.pages()).toBe(1);
    const loaded = here.page.waitForEvent("load");
    await here.page.clock.runFor(1_000);
    await loaded;
    expect(here.mock.pages()).toBe(2);
    expect(here.mock.requests).toEqual([]);
  });
});
