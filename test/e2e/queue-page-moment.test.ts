import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWholeBrowser } from "../support/browser.ts";
import { phaseIs, visitPage } from "../support/page-visit.ts";
import type { VisitOptions } from "../support/page-visit.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openWholeBrowser();
});
afterAll(() => browser.close());

const visit = (options?: VisitOptions) => visitPage(browser, options);
const SOON = { timeout: 20_000 };

/**
 * playwright-core's pages are never hidden: here the page is only told so. test/e2e/hidden-tabs.test.ts
 * has tabs that really are.
 */
const fakeVisibility = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const told = window as { isHidden?: boolean };
    Object.defineProperty(document, "visibilityState", {
      get: () => (told.isHidden ? "hidden" : "visible"),
    });
  });
};
const setHidden = (page: Page, isHidden: boolean): Promise<void> =>
  page.evaluate((is) => {
    (window as { isHidden?: boolean }).isHidden = is;
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);

describe("a hidden page", () => {
  test("[MOMENT-2] that was refused for the moment claims no more, until it is shown", async () => {
    await using here = await visit({ prepare: (_, page) => fakeVisibility(page) });
    const claims = () => here.mock.requests.filter((request) => request === "POST /visits").length;
    await expect.poll(() => here.mock.openSockets(), SOON).toBe(1);
    here.mock.controls.claim = "not-yet";
    here.mock.call();
    await expect.poll(claims, SOON).toBeGreaterThan(1);
    await setHidden(here.page, true);
    await expect.poll(() => here.page.title(), SOON).toMatch(/^[●○] \d:\d\d It is your turn/);
    const before = claims();
    const titles = new Set<string>();
    await expect.poll(async () => titles.add(await here.page.title()).size, SOON).toBe(4);
    // At most one claim was on its way when the page was hidden.
    expect(claims()).toBeLessThanOrEqual(before + 1);
    here.mock.controls.claim = "now";
    await setHidden(here.page, false);
    await expect.poll(() => here.page.title(), SOON).toBe("Inside");
  });

  test("[MOMENT-5] without sockets sees by its clock that its turn is over, and then asks nothing", async () => {
    await using here = await visit({
      prepare: async (mock, page) => {
        mock.controls.sockets = "refuse";
        mock.controls.pollAfterSeconds = 1;
        await fakeVisibility(page);
        await page.clock.install();
      },
    });
    await phaseIs(here.page, "waiting");
    await setHidden(here.page, true);
    here.mock.call();
    await here.page.clock.fastForward(10_000);
    await expect.poll(() => here.page.title(), SOON).toMatch(/^[●○]/);
    await here.page.clock.fastForward(70_000);
    await expect.poll(() => here.page.title(), SOON).toMatch(/^You missed your call/);
    here.mock.miss();
    const { length } = here.mock.requests;
    await here.page.clock.fastForward(600_000);
    await here.page.clock.fastForward(600_000);
    expect(here.mock.requests).toHaveLength(length);
    await setHidden(here.page, false);
    await expect.poll(() => here.text("notices"), SOON).toContain("You keep number 1,248");
    expect(here.mock.requests.slice(length)).toContain("GET /tickets/mine");
  });

  test("[MOMENT-11] in a room that opens again does not load, and returns with its ticket", async () => {
    await using here = await visit({ prepare: (_, page) => fakeVisibility(page) });
    await expect.poll(() => here.mock.openSockets(), SOON).toBe(1);
    here.mock.send({ type: "closed", text: "Sold out." });
    await phaseIs(here.page, "closed");
    await setHidden(here.page, true);
    here.mock.send({ type: "reload" });
    await phaseIs(here.page, "waiting");
    expect(await here.text("number")).toBe("1,248");
    expect(here.mock.pages()).toBe(1);
  });
});

describe("the wish to be taken in", () => {
  test("[MOMENT-6] by keyboard alone; it says what it costs, and other tabs know it too", async () => {
    await using here = await visit();
    await phaseIs(here.page, "waiting");
    const { keyboard } = here.page;
    const focused = () => here.page.evaluate(() => document.activeElement?.id ?? "");
    for (let i = 0; i < 6 && (await focused()) !== "takeIn"; i++) await keyboard.press("Tab");
    expect(await here.page.isVisible("#hint")).toBe(false);
    await keyboard.press("Space");
    const takeIn = here.page.getByRole("button", { name: "Take me in even if I look elsewhere" });
    await expect.poll(() => takeIn.getAttribute("aria-pressed")).toBe("true");
    expect(await takeIn.getAttribute("aria-describedby")).toBe("hint");
    expect(await here.page.isVisible("#hint")).toBe(true);
    expect(await here.text("hint")).toContain("After 5 minutes without activity it ends");
    const second = await here.tab();
    await expect.poll(() => second.getAttribute("#takeIn", "aria-pressed"), SOON).toBe("true");
    await second.click("#takeIn");
    await expect.poll(() => takeIn.getAttribute("aria-pressed"), SOON).toBe("false");
  });

  test("[MOMENT-6] is of one number: a new one begins without it", async () => {
    await using here = await visit();
    await phaseIs(here.page, "waiting");
    await here.page.click("#takeIn");
    await here.page.click("#giveUp");
    await here.page.click("#giveUpYes");
    await phaseIs(here.page, "given-up");
    await here.page.click("#again");
    await phaseIs(here.page, "waiting");
    await expect.poll(() => here.text("number"), SOON).toBe("1,249");
    expect(await here.page.getAttribute("#takeIn", "aria-pressed")).toBe("false");
  });
});
