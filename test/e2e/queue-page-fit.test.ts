import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { QueuePageInput, PageTicket } from "../../src/worker/page/index.ts";
import { axeFinds } from "../support/axe.ts";
import { largePrintBrowsers, openBrowser } from "../support/browser.ts";
import type { EventState } from "../../src/page/state.ts";
import type { PageMock } from "../support/page-mock.ts";
import { phaseIs, visitPage } from "../support/page-visit.ts";
import type { PageVisit } from "../support/page-visit.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const LANGUAGES = ["en", "de", "ja"];
const HOUR = 3_600;

const ticketOf = (change: Partial<PageTicket> = {}): PageTicket => ({
  number: 1_248,
  state: "waiting",
  ahead: 42,
  eta: { known: true, seconds: 560, low: 480, high: 700 },
  claim_by: null,
  poll_after_seconds: 5,
  ...change,
});

/** As many in line, and as long a wait, as a page has to say. */
const A_MILLION = ticketOf({
  number: 1_000_000,
  ahead: 1_000_000,
  eta: { known: true, seconds: 24 * HOUR, low: 20.6 * HOUR, high: 27.2 * HOUR },
});
const LONG_NAME =
  "Donaudampfschifffahrtsgesellschaft und Söhne, Abfahrten stündlich ab Regensburg!";
const LONG_MESSAGE = "Die Rindfleischetikettierungsüberwachung beginnt um neunzehn Uhr. ".repeat(
  15,
);

/** Of an event that opens its doors after so long, and is drawn. */
const inEvent = (phase: EventState["phase"], opensInMs = 0): Partial<QueuePageInput> => ({
  ticket: ticketOf(phase === "running" ? {} : { ahead: null, among: 1_000_000 }),
  mode: phase === "running" ? "queues" : "paused",
  event: {
    told: {
      id: "e".repeat(32),
      phase,
      starts_at: new Date(Date.now() + opensInMs).toISOString(),
      shuffle: true,
    },
    phase,
    opensInMs,
    opensAt: null,
  },
});

const shows = (mock: PageMock, input: Partial<QueuePageInput>): void => {
  mock.controls.input = { waiting: 1_200_000, refreshSeconds: 600, ...input };
};

/** The page stays as it was sent: what its script asks is never answered. */
const still =
  (input: Partial<QueuePageInput>) =>
  async (mock: PageMock, page: Page): Promise<void> => {
    shows(mock, input);
    mock.controls.sockets = "refuse";
    await page.route("**/.seiriken/**", () => undefined);
  };

/** What leaves its box, or is broken where it may not be, under each of these styles; nothing if all fits. */
const misfits = (page: Page, styles: readonly string[] = [""]): Promise<readonly string[]> =>
  page.evaluate((all) => {
    const boxOf = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
    const linesOf = (selector: string) => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector(selector)!);
      return [...range.getClientRects()].filter(({ width }) => width > 0);
    };
    const measure = (): string[] => {
      const found: string[] = [];
      const stays = (name: string, inner: DOMRect, outer: DOMRect): void => {
        if (inner.left < outer.left - 0.5 || inner.right > outer.right + 0.5)
          found.push(`${name}: ${inner.left}–${inner.right} in ${outer.left}–${outer.right}`);
      };
      const face = boxOf("p:has(#face)");
      stays("the number", boxOf("#number"), boxOf("#face"));
      stays("its drawing", boxOf("#face"), face);
      if (boxOf("#face").top < face.top || boxOf("#face").bottom > face.bottom)
        found.push("the drawing is higher than the ticket's face");
      for (const fact of ["#ahead", "#wait"]) {
        for (const line of linesOf(fact)) stays(fact, line, boxOf("dl"));
      }
      if (linesOf("#ahead").length > 1) found.push("the number of those ahead is broken");
      const out = document.documentElement.scrollWidth - innerWidth;
      if (out > 0) found.push(`the page is ${out} px wider than the screen`);
      return found;
    };
    return all.flatMap((style) => {
      if (style === "") return measure();
      const sheet = document.head.appendChild(document.createElement("style"));
      sheet.textContent = style;
      const found = measure().map((misfit) => `${misfit}, ${style}`);
      sheet.remove();
      return found;
    });
  }, styles);

const bottomOf = async ({ page }: PageVisit, part: string): Promise<number> => {
  const box = await page.locator(part).boundingBox();
  return box === null ? Infinity : box.y + box.height;
};

describe("the number is set to fit", () => {
  /** With one digit to seven: a million in line. */
  const NUMBERS = [7, 42, 100, 1_248, 40_404, 888_888, 1_000_000];
  const WIDTHS = [320, 360, 375, 390, 768, 1_280];
  /**
   * Widths of many fonts, and none that a machine may not have: a typewriter's separators are as wide
   * as its digits, and the spaced letters are as wide as those of Verdana, or wider.
   */
  const FONTS = [
    "",
    "* { font-family: monospace !important }",
    "* { font-family: serif !important }",
    "* { letter-spacing: 0.15em !important }",
  ];
  const LETTERS = ["", "html { font-size: 212.5% !important }"];

  const STYLES = FONTS.flatMap((font) => LETTERS.map((letters) => font + letters));

  const measure = async (page: Page, name: string, width: number): Promise<void> =>
    expect(await misfits(page, STYLES), `${name}, ${width} px`).toEqual([]);

  test.each(LANGUAGES)(
    "[PAGE-37] with one digit to seven, in %s, at six widths, in four fonts, with letters twice as large",
    { timeout: 240_000 },
    async (locale) => {
      await using here = await visitPage(browser, {
        locale,
        bypassCSP: true,
        reducedMotion: "reduce",
      });
      await expect.poll(() => here.mock.openSockets()).toBe(1);
      const { state, eta } = A_MILLION;
      const shown = { type: "position", state, eta, waiting: 2_000_000 } as const;
      for (const width of WIDTHS) {
        await here.page.setViewportSize({ width, height: 700 });
        for (const number of NUMBERS) {
          here.mock.send({ ...shown, number, ahead: number });
          const text = number.toLocaleString(locale);
          await here.page.locator(`#number:text-is("${text}")`).waitFor();
          await measure(here.page, text, width);
        }
      }
    },
  );

  test("[PAGE-37] without scripts, and before they start", { timeout: 120_000 }, async () => {
    await using here = await visitPage(browser, {
      javaScriptEnabled: false,
      bypassCSP: true,
      prepare: (mock) => {
        mock.controls.input = { ticket: A_MILLION, refreshSeconds: 600 };
      },
    });
    for (const width of WIDTHS) {
      await here.page.setViewportSize({ width, height: 700 });
      await measure(here.page, "no scripts", width);
    }
  });

  test("[PAGE-37] in a browser whose owner reads large print", async () => {
    await using here = await visitPage(largePrintBrowsers, {
      viewport: { width: 320, height: 568 },
      locale: "de",
      prepare: still({ ticket: A_MILLION }),
    });
    const size = () => here.page.evaluate(() => getComputedStyle(document.body).fontSize);
    expect(await size()).toBe("34px");
    for (const [width, height] of [
      [320, 568],
      [375, 553],
      [667, 375],
      [768, 1_024],
      [1_280, 800],
    ] as const) {
      await here.page.setViewportSize({ width, height });
      expect(await misfits(here.page), `${width} px`).toEqual([]);
    }
  });
});

describe("what matters comes first", () => {
  const SCREENS = [
    { width: 375, height: 553 },
    { width: 320, height: 568 },
    { width: 667, height: 375 },
  ];
  const WORST: readonly (readonly [string, Partial<QueuePageInput>])[] = [
    ["a line of a million", { ticket: A_MILLION }],
    ["nobody let in", { ticket: ticketOf(), mode: "paused" }],
    ["a call that was missed", { ticket: ticketOf({ state: "away" }) }],
    ["a form that was lost", { ticket: ticketOf(), formLost: true }],
    ["a full line", { ticket: ticketOf(), problem: "line-full" }],
    ["an event, days ahead", inEvent("prequeue", 50 * HOUR * 1_000)],
    ["no estimate", { ticket: ticketOf({ eta: { known: false, reason: "no-ends" } }) }],
  ];

  test.each(LANGUAGES)(
    "[PAGE-36] in %s, on phones: how many are ahead and the wait are on the first screen",
    { timeout: 120_000 },
    async (locale) => {
      const long = {
        message: LONG_MESSAGE,
        appearance: { name: LONG_NAME, accent: null, logo: null },
      };
      await using here = await visitPage(browser, { locale, prepare: still(long) });
      for (const [state, input] of WORST) {
        shows(here.mock, { ...input, ...long });
        await here.page.reload();
        await phaseIs(here.page, "waiting");
        for (const screen of SCREENS) {
          await here.page.setViewportSize(screen);
          for (const part of ["#ahead", "#wait"]) {
            const where = `${part} with ${state}, ${screen.width} px`;
            expect(await bottomOf(here, part), where).toBeLessThanOrEqual(screen.height);
          }
          expect(await misfits(here.page), state).toEqual([]);
        }
      }
    },
  );

  test.each(["ar", "th", "zh-TW"])(
    "[PAGE-36] [LANG-5] in %s, at 320 px, in a line of a million and at a lost form",
    async (locale) => {
      await using here = await visitPage(browser, {
        locale,
        viewport: { width: 320, height: 568 },
        prepare: still({ ticket: A_MILLION, formLost: true, message: LONG_MESSAGE }),
      });
      await phaseIs(here.page, "waiting");
      for (const part of ["#ahead", "#wait"])
        expect(await bottomOf(here, part), part).toBeLessThanOrEqual(568);
      expect(await misfits(here.page)).toEqual([]);
    },
  );

  test.each(SCREENS)(
    "[PAGE-36] at $width × $height the ticket's number is, too",
    async (viewport) => {
      await using here = await visitPage(browser, {
        viewport,
        prepare: still({ ticket: A_MILLION, message: LONG_MESSAGE }),
      });
      await phaseIs(here.page, "waiting");
      expect(await bottomOf(here, "#number")).toBeLessThanOrEqual(viewport.height);
    },
  );

  test.each(SCREENS)("[PAGE-36] at $width × $height so is the way in", async (viewport) => {
    for (const javaScriptEnabled of [true, false]) {
      await using here = await visitPage(browser, {
        viewport,
        javaScriptEnabled,
        locale: "de",
        prepare: still({ ticket: ticketOf({ state: "called", ahead: 0 }), message: LONG_MESSAGE }),
      });
      await phaseIs(here.page, "called");
      expect(await bottomOf(here, "#go")).toBeLessThanOrEqual(viewport.height);
    }
  });
});

describe("for everybody", () => {
  const PHASES: readonly (readonly [string, string, Partial<QueuePageInput>])[] = [
    ["taking", "before the ticket", { ticket: null }],
    ["waiting", "in a line of a million", { ticket: A_MILLION, message: LONG_MESSAGE }],
    ["waiting", "while nobody is let in", { ticket: ticketOf(), mode: "paused", formLost: true }],
    ["called", "at the turn", { ticket: ticketOf({ state: "called", ahead: 0 }) }],
    ["waiting", "before the doors open", inEvent("prequeue", 5 * HOUR * 1_000)],
    ["waiting", "after the draw", inEvent("running")],
    ["closed", "in a closed room", { ticket: null, mode: "closed", closed: LONG_MESSAGE }],
  ];
  const SIZES = [
    { width: 375, height: 553 },
    { width: 667, height: 375 },
    { width: 768, height: 1_024 },
  ];

  test.each(PHASES)(
    "[PAGE-33] %s, %s: axe finds nothing on a phone, on its side and on a tablet",
    { timeout: 120_000 },
    async (phase, _, input) => {
      await using here = await visitPage(browser, {
        locale: "de",
        colorScheme: "dark",
        prepare: still(input),
      });
      await phaseIs(here.page, phase);
      for (const size of SIZES) {
        await here.page.setViewportSize(size);
        expect(await axeFinds(here.page)).toEqual([]);
      }
    },
  );

  test("[PAGE-37] the drawn number is text to those who listen", async () => {
    await using here = await visitPage(browser, { prepare: still({ ticket: A_MILLION }) });
    await phaseIs(here.page, "waiting");
    expect(await here.page.locator("div:has(> p > #face)").ariaSnapshot()).toContain("1,000,000");
  });

  /** Where the focus goes with each Tab, until it leaves the page. */
  const focused = async (page: Page): Promise<DOMRect[]> => {
    const places: DOMRect[] = [];
    for (let pressed = 0; pressed < 20; pressed += 1) {
      await page.keyboard.press("Tab");
      const place = await page.evaluate(() => {
        const { activeElement: active, body } = document;
        if (active === null || active === body) return null;
        const { left, top, width, height } = active.getBoundingClientRect();
        return { left, top: top + scrollY, width, height };
      });
      if (place === null) return places;
      places.push(place as DOMRect);
    }
    return places;
  };

  test.each(SIZES)(
    "[PAGE-32] at $width × $height the focus goes where the eyes go: down, and along a row",
    async (viewport) => {
      await using here = await visitPage(browser, { viewport });
      await expect.poll(() => here.mock.openSockets()).toBe(1);
      await here.page.click("#giveUp");
      await here.page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await here.page.locator("#headline").focus();
      const places = await focused(here.page);
      expect(places.length).toBeGreaterThanOrEqual(5);
      for (const [index, place] of places.entries()) {
        const before = places[index - 1];
        if (before === undefined) continue;
        const isBelow = place.top >= before.top + before.height - 1;
        const isBeside = place.left >= before.left + before.width - 1;
        expect(isBelow || isBeside, JSON.stringify([before, place])).toBe(true);
      }
    },
  );
});
