import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { startPageMock } from "./page-mock.ts";
import type { PageMock } from "./page-mock.ts";

export interface PageVisit extends AsyncDisposable {
  readonly mock: PageMock;
  readonly page: Page;
  /** Another tab of the same visitor. */
  tab(path?: string): Promise<Page>;
  text(id: string): Promise<string>;
  phase(): Promise<string | null>;
}

export interface VisitOptions extends BrowserContextOptions {
  readonly path?: string;
  /** Before anything is loaded. */
  readonly prepare?: (mock: PageMock, page: Page) => void | Promise<void>;
}

/** One visitor in front of one mocked room. Errors of the page's script fail the test. */
export const visitPage = async (
  browser: Browser,
  { path = "/tickets", prepare, ...options }: VisitOptions = {},
): Promise<PageVisit> => {
  const mock = await startPageMock();
  const context = await browser.newContext({ locale: "en-GB", ...options });
  const errors: string[] = [];
  context.on("weberror", (error) => errors.push(String(error.error())));
  const page = await context.newPage();
  await prepare?.(mock, page);
  await page.goto(mock.url + path);
  return {
    mock,
    page,
    async tab(other = path) {
      const tab = await context.newPage();
      await tab.goto(mock.url + other);
      return tab;
    },
    text: async (id) => (await page.locator(`#${id}`).textContent()) ?? "",
    phase: () => page.locator("body").getAttribute("data-phase"),
    async [Symbol.asyncDispose]() {
      await context.close();
      await mock.close();
      if (errors.length > 0) throw new Error(`the page's script threw: ${errors.join("; ")}`);
    },
  };
};

export const phaseIs = async (page: Page, phase: string): Promise<void> => {
  await page.locator(`body[data-phase="${phase}"]`).waitFor({ timeout: 10_000 });
};
