import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { keepDownload } from "../support/apps/droppy/page.ts";
import { person, TAPE, useDroppy } from "../support/apps/droppy/workflow.ts";
import type { Observed } from "../support/apps/droppy/workflow.ts";
import { openBrowser } from "../support/browser.ts";
import { phaseIs } from "../support/page-visit.ts";
import { INSTALL_WITHIN_MS, installDroppy, startDroppy } from "../support/real-app.ts";
import type { RealApp } from "../support/real-app.ts";
import { startSeiriken } from "../support/seiriken.ts";

/** As docs/recipes.md has it, for two at a time. */
const roomOfTwo = (app: RealApp, more: object = {}) => ({
  name: "files",
  host: "*",
  path: "/",
  total_active_users: 2,
  new_users_per_minute: 100,
  session_duration: 30,
  seiriken: { origin: app.url, exempt: [{ path: "/!/res" }] },
  ...more,
});

let browser: Browser;
/** The measure of all: it runs while the others do. */
let straight: Promise<Observed>;
beforeAll(async () => {
  await installDroppy();
  browser = await openBrowser();
  straight = useDroppyStraight();
  straight.catch(() => undefined);
}, INSTALL_WITHIN_MS);
afterAll(async () => {
  await straight.catch(() => undefined);
  await browser.close();
});

const nothing = async () => undefined;

const useDroppyStraight = async (): Promise<Observed> => {
  await using app = await startDroppy();
  return await useDroppy(browser, { url: app.url, jiroHasCome: nothing, jiroIsIn: nothing }, app);
};

const useDroppyThroughARoom = async (): Promise<Observed> => {
  await using app = await startDroppy();
  const seiriken = await startSeiriken({ rooms: [roomOfTwo(app)] });
  try {
    return await useDroppy(
      browser,
      {
        url: seiriken.url,
        jiroHasCome: (page) => phaseIs(page, "waiting"),
        async jiroIsIn(hanako) {
          await hanako.reload();
          await phaseIs(hanako, "waiting");
        },
      },
      app,
    );
  } finally {
    await seiriken.stop();
  }
};

describe.concurrent("an application that nobody here wrote", { timeout: 120_000 }, () => {
  test("[APP-1] works behind a room as without one, to each header", async ({ expect }) => {
    const through = await useDroppyThroughARoom();
    expect(through.failures).toEqual([]);
    expect(through.saw).toMatchObject({
      "tape.bin comes back as": ["tape.bin", true],
      "整理券 №1.png comes back as": ["整理券 №1.png", true],
      "the letter that Taro reads": "The doors open at 18:30.",
      "the manifest, asked for without cookies": { isThere: true },
      "a message with a false token closes the socket with": 1011,
      "Hanako asks for a token": 401,
      "the shared link without a log-in": ["tape.bin", true],
      "Taro asks for a token": 401,
    });
    expect(through).toEqual(await straight);
  });

  test("[APP-2] [APP-3] who works only over a socket gives way in time, and a file waits its turn", async ({
    expect,
  }) => {
    await using app = await startDroppy();
    const rooms = [roomOfTwo(app, { total_active_users: 1, session_duration: 0.1 })];
    const seiriken = await startSeiriken({ rooms });
    try {
      await using hanako = await person(browser);
      await hanako.app.page.goto(`${seiriken.url}/`);
      await hanako.app.atLogIn();
      await hanako.app.fillIn(app.user, app.password);
      await hanako.app.atFolder("/");
      await hanako.app.upload(TAPE);
      const link = await hanako.app.share(TAPE.name);

      await using taro = await person(browser);
      await hanako.app.page.reload();
      await taro.app.page.goto(link);
      await phaseIs(taro.app.page, "waiting");
      const kept = await keepDownload(taro.app.page);
      expect([kept.name, kept.bytes.equals(TAPE.buffer)]).toEqual([TAPE.name, true]);

      await hanako.app.makeFolder("still-here");
      await hanako.app.page.reload();
      await phaseIs(hanako.app.page, "waiting");
    } finally {
      await seiriken.stop();
    }
  });
});
