import { expect, test } from "vitest";
import { axeFinds } from "../support/axe.ts";
import { browserStage } from "../support/browser-stage.ts";
import { phaseIs } from "../support/browser-visit.ts";
import type { BrowserVisit } from "../support/browser-visit.ts";
import { eventually } from "../support/eventually.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";

/** What the pages looked like, for people: git does not keep it. */
const PICTURES = "test-results/browser";

/** Nothing listens on the discard port. */
const DEAD = { origin: "http://127.0.0.1:9" };
const SIZES = {
  small: { width: 320, height: 568 },
  phone: { width: 375, height: 553 },
  desktop: { width: 1_280, height: 800 },
} as const;
const LOOKS = (["small", "phone", "desktop"] as const).flatMap((size) =>
  (["light", "dark"] as const).map((colorScheme) => ({ size, colorScheme })),
);

const stage = browserStage({
  rooms: [
    roomOver("dead", { seiriken: DEAD }),
    roomOver("again", { seiriken: DEAD }),
    roomOver("full", { queueing_method: "reject", total_active_users: 1 }),
    ...LOOKS.map(({ size, colorScheme }) =>
      roomOver(`closed-${size}-${colorScheme}`, { total_active_users: 1 }),
    ),
  ],
});

const looksRight = async ({ page }: BrowserVisit, name: string): Promise<void> => {
  await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
  expect(await axeFinds(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
};

test.concurrent.each(LOOKS)(
  "[BROWSER-22] $size, $colorScheme: the origin's failure, with the way on and the reference in sight",
  { timeout: 120_000 },
  async ({ size, colorScheme }) => {
    const viewport = SIZES[size];
    await using here = await stage.visit("/dead/seat", { viewport, colorScheme });
    expect(here.first.status()).toBe(502);
    await looksRight(here, `trouble-${size}-${colorScheme}`);
    for (const part of [".button", ".reference"]) {
      const box = await here.page.locator(part).boundingBox();
      expect(box!.y + box!.height, part).toBeLessThanOrEqual(viewport.height);
      expect(box!.x + box!.width, part).toBeLessThanOrEqual(viewport.width);
    }
    const headers = await here.first.allHeaders();
    expect(await here.page.locator(".reference").textContent()).toBe(headers["seiriken-reference"]);
  },
);

test.concurrent("[BROWSER-22] when the site is back, the button leads to it", async () => {
  await using here = await stage.visit("/again/seat?row=7");
  expect(here.first.status()).toBe(502);
  await stage.change("again", { seiriken: { origin: null } });
  await eventually(async () => {
    if ((await here.page.locator("#origin").count()) === 0) await here.page.click(".button");
    await here.page.locator("#origin").waitFor({ timeout: 2_000 });
  });
  expect(stage.reached("again")).toContain("GET /again/seat?row=7");
});

test.concurrent("[BROWSER-22] a room that takes no line says that it is full", async () => {
  await using first = await stage.visit("/full/seat");
  await first.page.locator("#origin").waitFor();
  await using here = await stage.visit("/full/seat");
  expect(await here.text("headline")).toBe("It is full right now");
  await looksRight(here, "trouble-full");
});

test.concurrent.each(LOOKS)(
  "[BROWSER-23] [PAGE-39] $size, $colorScheme: a closed room keeps the number in sight, and says what it is worth",
  { timeout: 120_000 },
  async ({ size, colorScheme }) => {
    const room = `closed-${size}-${colorScheme}`;
    await visitorInside(stage.seiriken, room);
    await using here = await stage.visit(`/${room}/seat`, { viewport: SIZES[size], colorScheme });
    await phaseIs(here.page, "waiting");
    const number = await here.text("number");
    await stage.change(room, { seiriken: { closed: "Sold out. Good night." } });
    await phaseIs(here.page, "closed");
    const kept = `Number ${number} stays yours`;
    expect(await here.text("lead")).toContain(kept);
    await here.page.reload();
    await phaseIs(here.page, "closed");
    expect(await here.text("lead")).toMatch(/^Sold out\. Good night\./);
    expect(await here.text("lead")).toContain(kept);
    expect(await here.page.locator("#number").isVisible()).toBe(true);
    expect(await here.text("number")).toBe(number);
    await looksRight(here, room);
    await stage.change(room, { seiriken: { closed: null } });
    await phaseIs(here.page, "waiting");
    expect(await here.text("number")).toBe(number);
  },
);
