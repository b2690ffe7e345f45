import type { Browser } from "playwright-core";
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

describe("the turn", () => {
  test("[PAGE-28] is an alert, is in the title, and leads to the page that was asked for", async () => {
    await using here = await visit({ path: "/tickets?day=2" });
    await expect.poll(() => here.mock.openSockets()).toBe(1);
    await phaseIs(here.page, "waiting");
    here.mock.controls.claim = "not-yet";
    here.mock.call();
    await phaseIs(here.page, "called");
    expect(await here.text("alert")).toBe("It is your turn");
    expect(await here.page.title()).toBe("It is your turn · Sendai Jazz Festival");
    expect(await here.text("lead")).toMatch(/kept until \d{1,2}:\d\d:\d\d/);
    here.mock.controls.claim = "now";
    await expect.poll(() => here.page.title()).toBe("Inside");
    expect(await here.page.textContent("h1")).toBe("Inside /tickets?day=2");
    expect(await here.page.evaluate(() => history.length)).toBe(2);
  });

  test("[PAGE-28] a full second is waited out, and asked again", async () => {
    await using here = await visit();
    await expect.poll(() => here.mock.openSockets()).toBe(1);
    here.mock.controls.claim = "not-yet";
    here.mock.call();
    const claims = () => here.mock.requests.filter((request) => request === "POST /visits").length;
    await expect.poll(claims).toBeGreaterThan(2);
    here.mock.controls.claim = "now";
    await expect.poll(() => here.page.title()).toBe("Inside");
  });

  test("[PAGE-28] with a fragment in the address it still goes in", async () => {
    await using here = await visit({ path: "/tickets#row-3" });
    await expect.poll(() => here.mock.openSockets()).toBe(1);
    here.mock.call();
    await expect.poll(() => here.page.title()).toBe("Inside");
  });

  test("[PAGE-29] two tabs share one place and one socket; the one shown last goes in", async () => {
    await using here = await visit();
    await expect.poll(() => here.mock.openSockets()).toBe(1);
    const second = await here.tab("/tickets?second");
    await expect.poll(() => second.textContent("#number")).toBe("1,248");
    await expect.poll(() => here.mock.openSockets()).toBe(1);
    here.mock.advance(3);
    await expect.poll(() => here.text("ahead")).toBe("9");
    await expect.poll(() => second.textContent("#ahead")).toBe("9");
    here.mock.call();
    await phaseIs(here.page, "elsewhere");
    expect(await here.text("headline")).toBe("It is your turn, in your other tab");
    await expect.poll(() => second.title()).toBe("Inside");
    await here.page.waitForTimeout(600);
    expect(await here.phase()).toBe("elsewhere");
    const requests = here.mock.requests;
    expect(requests.filter((request) => request === "POST /visits")).toHaveLength(1);
    expect(requests.filter((request) => request === "POST /tickets")).toHaveLength(1);
  });

  test("[PAGE-29] when the leading tab closes, another one leads", async () => {
    await using here = await visit();
    const second = await here.tab();
    await expect.poll(() => second.textContent("#number")).toBe("1,248");
    await second.close({ runBeforeUnload: false });
    here.mock.call();
    await expect.poll(() => here.page.title()).toBe("Inside");
  });

  test("[PAGE-30] a pass that does not come back is told, instead of going round for ever", async () => {
    await using here = await visit({ path: "/always" });
    await expect.poll(() => here.mock.openSockets()).toBe(1);
    here.mock.call();
    await expect.poll(() => here.titles.join("; ")).toContain("Here you go");
    await phaseIs(here.page, "cookies");
    expect(here.mock.pages()).toBeLessThan(6);
  });
});

describe("the end of a place", () => {
  test("[PAGE-31] a place that ended is told, with one button for a new one", async () => {
    await using here = await visit({
      prepare: (mock) => {
        mock.controls.pollAfterSeconds = 1;
        mock.controls.sockets = "refuse";
      },
    });
    await phaseIs(here.page, "waiting");
    here.mock.end();
    await phaseIs(here.page, "ended");
    expect(await here.text("lead")).toContain("Number 1,248 is no longer in line");
    await here.page.click("#again");
    await phaseIs(here.page, "waiting");
    expect(await here.text("number")).toBe("1,249");
  });

  test("[PAGE-31] a tab that slept while another went in goes in as well", async () => {
    await using here = await visit({
      prepare: (mock) => {
        mock.controls.pollAfterSeconds = 1;
        mock.controls.sockets = "refuse";
      },
    });
    await phaseIs(here.page, "waiting");
    await here.page.evaluate(async () => {
      await fetch("/.seiriken/rooms/shop/visits", { method: "POST" });
    });
    here.mock.call();
    await here.page.evaluate(async () => {
      await fetch("/.seiriken/rooms/shop/visits", { method: "POST" });
    });
    await expect.poll(() => here.page.title()).toBe("Inside");
  });

  test("[PAGE-32] giving up is asked once more, and Escape takes it back", async () => {
    await using here = await visit();
    await phaseIs(here.page, "waiting");
    await here.page.click("#giveUp");
    expect(await here.text("giveUpAsk")).toContain("Give up number 1,248?");
    expect(await here.page.evaluate(() => document.activeElement?.id)).toBe("giveUpNo");
    expect(await here.page.getAttribute("#giveUp", "aria-expanded")).toBe("true");
    await here.page.keyboard.press("Escape");
    expect(await here.page.isVisible("#giveUpBox")).toBe(false);
    expect(await here.page.getAttribute("#giveUp", "aria-expanded")).toBe("false");
    expect(await here.page.evaluate(() => document.activeElement?.id)).toBe("giveUp");
    expect(here.mock.requests).not.toContain("DELETE /tickets/mine");
  });

  test("[PAGE-32] by keyboard alone: give up, and join again", async () => {
    await using here = await visit();
    await phaseIs(here.page, "waiting");
    const { keyboard } = here.page;
    const focused = () => here.page.evaluate(() => document.activeElement?.id ?? "");
    for (let i = 0; i < 6 && (await focused()) !== "giveUp"; i++) await keyboard.press("Tab");
    await keyboard.press("Enter");
    await keyboard.press("Tab");
    expect(await focused()).toBe("giveUpYes");
    await keyboard.press("Enter");
    await phaseIs(here.page, "given-up");
    expect(here.mock.requests).toContain("DELETE /tickets/mine");
    expect(await focused()).toBe("headline");
    await expect.poll(() => here.mock.openSockets()).toBe(0);
    await keyboard.press("Tab");
    expect(await focused()).toBe("again");
    await keyboard.press("Enter");
    await phaseIs(here.page, "waiting");
    expect(await here.text("number")).toBe("1,249");
  });
});
