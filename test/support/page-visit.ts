import type { BrowserContextOptions, Page } from "playwright-core";
import { openVisit } from "./browser-visit.ts";
import type { BrowserVisit, Profiles } from "./browser-visit.ts";
import { startPageMock } from "./page-mock.ts";
import type { PageMock } from "./page-mock.ts";

export { phaseIs } from "./browser-visit.ts";

export interface PageVisit extends BrowserVisit {
  readonly mock: PageMock;
  /** Another tab of the same visitor. */
  tab(path?: string): Promise<Page>;
}

export interface VisitOptions extends BrowserContextOptions {
  readonly path?: string;
  /** Before anything is loaded. */
  readonly prepare?: (mock: PageMock, page: Page) => void | Promise<void>;
}

/** One visitor in front of one mocked room. */
export const visitPage = async (
  browser: Profiles,
  { path = "/tickets", prepare, ...options }: VisitOptions = {},
): Promise<PageVisit> => {
  const mock = await startPageMock();
  const visit = await openVisit(browser, mock.url + path, {
    ...options,
    prepare: (page) => prepare?.(mock, page),
  });
  return {
    ...visit,
    mock,
    tab: (other = path) => visit.tab(mock.url + other),
    async [Symbol.asyncDispose]() {
      try {
        await visit[Symbol.asyncDispose]();
      } finally {
        await mock.close();
      }
    },
  };
};
