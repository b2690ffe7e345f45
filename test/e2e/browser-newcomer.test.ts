import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { openVisit, phaseIs } from "../support/browser-visit.ts";
import { Command } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { ask } from "../support/http.ts";

const CROWD = 200;
const PICTURES = "test-results/browser";

let data: string;
let browser: Browser;
const commands: Command[] = [];
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), "seiriken-newcomer-"));
  browser = await openBrowser();
});
afterEach(async () => {
  await browser.close();
  // The crowd first: it gives its places back.
  for (const command of commands.splice(0).toReversed()) await command.end();
  rmSync(data, { recursive: true, force: true });
});

const run = (script: string, ...args: string[]): Command => {
  const command = new Command(script, [...args, "--json"]);
  commands.push(command);
  return command;
};

test(
  `[BROWSER-12] npm start, a crowd of ${CROWD}, and a browser in the middle of it: it waits its turn, gets in and buys`,
  { timeout: 300_000 },
  async () => {
    const start = run("cli/start.ts", "--port", "0", "--data", data);
    const { url } = await start.event("ready", { within: 60_000 });
    const times = ["--arrive", "4s", "--stay", "500ms..2s", "--timeout", "4m"];
    const crowd = run("cli/crowd.ts", "--server", url, "--visitors", String(CROWD), ...times);
    await eventually(
      async () => {
        const state = (await ask(`${url}/.seiriken/rooms/shop`)).json();
        expect(state.waiting).toBeGreaterThan(CROWD / 4);
      },
      { within: 60_000, every: 100 },
    );

    await using here = await openVisit(browser, `${url}/`);
    const { page } = here;
    await page.click("text=Get tickets");
    await phaseIs(page, "waiting", { within: 30_000 });
    const number = await here.text("number");
    const ahead = Number(await here.text("ahead"));
    expect(Number(number)).toBeGreaterThan(CROWD / 4);
    expect(ahead).toBeGreaterThan(0);
    expect(crowd.events.map(({ event }) => event)).not.toContain("summary");
    await page.waitForFunction(() => document.getAnimations().length === 0);
    await page.screenshot({ path: `${PICTURES}/newcomer-waiting.png` });
    await eventually(async () => expect(Number(await here.text("ahead"))).toBeLessThan(ahead), {
      within: 60_000,
    });

    await page.locator("text=Choose your seats").waitFor({ timeout: 150_000 });
    expect(page.url()).toBe(`${url}/tickets`);
    const gate = page.locator("aside.gate dd");
    expect(await gate.nth(0).textContent()).toBe("shop");
    expect(await gate.nth(1).textContent()).toBe(number);
    await page.locator("text=The live connection answers").waitFor();
    await page.screenshot({ path: `${PICTURES}/newcomer-inside.png` });
    await page.click("text=Buy now");
    await page.locator("text=Thank you, see you there").waitFor();
    expect(page.url()).toMatch(/\/checkout\/thanks\?order=/);

    expect(await crowd.ended()).toBe(0);
    expect(await crowd.event("summary")).toMatchObject({ ending: "through", errors: 0 });
  },
);
