import type { Page } from "playwright-core";

const BEGAN_AT = Date.UTC(2026, 10, 21);

/**
 * Before a page is loaded: its time stands still but for what `page.clock.runFor` lets pass. Without
 * it a busy machine's own time passes as well, and timers fire before the test comes to them.
 */
export const stopClock = async (page: Page): Promise<void> => {
  await page.clock.install({ time: BEGAN_AT });
  await page.clock.pauseAt(BEGAN_AT + 1_000);
};

/** Enough for the tabs to find out who leads, and for a first socket. */
export const BEGINNING_MS = 3_000;
