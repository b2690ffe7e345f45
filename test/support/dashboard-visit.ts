import type { BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { axeFinds } from "./axe.ts";
import type { BrowserStage } from "./browser-stage.ts";

/** An operator before the dashboard, in a browser of their own. */
export interface DashboardVisit extends AsyncDisposable {
  readonly page: Page;
  /** What the browser complained of. */
  readonly complaints: readonly string[];
  signIn(token?: string): Promise<void>;
}

export const openDashboard = async (
  stage: BrowserStage,
  { hash = "", ...options }: BrowserContextOptions & { readonly hash?: string } = {},
): Promise<DashboardVisit> => {
  const context = await stage.browser.newContext({
    viewport: { width: 1280, height: 900 },
    timezoneId: "Europe/Berlin",
    ...options,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (said) => {
    if (said.type() === "error" && !said.text().includes("Failed to load resource"))
      complaints.push(said.text());
  });
  await page.goto(`${stage.seiriken.url}/.seiriken/dashboard${hash}`);
  return {
    page,
    complaints,
    async signIn(token = stage.seiriken.adminToken) {
      await page.getByLabel("Token").fill(token);
      await page.keyboard.press("Enter");
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
};

/** What axe-core finds wrong with the page as it stands. */
export const expectAccessible = async (page: Page): Promise<void> => {
  expect(await axeFinds(page)).toEqual([]);
};

export const expectNoSidewaysScroll = async (page: Page): Promise<void> => {
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0);
};
