import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { browserStage } from "../support/browser-stage.ts";
import { eventually } from "../support/eventually.ts";
import { phaseIs } from "../support/browser-visit.ts";
import type { BrowserVisit } from "../support/browser-visit.ts";
import { ask } from "../support/http.ts";
import { claimVisit, takeNumber } from "../support/journey.ts";
import { roomOver } from "../support/rooms.ts";

/** Long enough for a busy machine to load two pages in, and take a number. */
const SHORT = { max_visit_seconds: 10 };
const stage = browserStage({
  rooms: [
    ...["time-up", "scriptless", "sprachlos", "reference"].map((name) =>
      roomOver(name, { total_active_users: 1, seiriken: SHORT }),
    ),
    roomOver("idle", { total_active_users: 1, session_duration: 1 }),
    roomOver("revoked", { total_active_users: 1 }),
  ],
});

/** Inside by the open door, with somebody waiting who then takes the permit. */
const insideWithARival = async (room: string, options: Parameters<typeof stage.visit>[1] = {}) => {
  const here = await stage.visit(`/${room}/first`, options);
  await here.page.locator("#origin").waitFor();
  // The second request brings the pass back: the visit is confirmed.
  await here.page.goto(`${stage.seiriken.url}/${room}/second`);
  const rival = stage.seiriken.visitor({ room });
  expect(await takeNumber(rival)).toBe(2);
  // From now on visits last: the rival stays until it goes.
  await stage.change(room, { seiriken: { max_visit_seconds: null } });
  return { here, rival };
};

const notices = (here: BrowserVisit): Promise<string[]> =>
  here.page.locator("#notices li").allTextContents();

const timesIn = (timeZone: string, ...instants: number[]): string[] =>
  instants.map((at) =>
    new Intl.DateTimeFormat("en-GB", { hour: "numeric", minute: "2-digit", timeZone }).format(at),
  );

test.concurrent("[BROWSER-20] who stayed to the last moment reads so, in the time of the visitor's own zone", async () => {
  const timezoneId = "Asia/Kathmandu";
  const before = Date.now();
  const { here, rival } = await insideWithARival("time-up", { timezoneId });
  await using closing = here;
  await claimVisit(rival);
  const ended = Date.now();
  await closing.page.goto(`${stage.seiriken.url}/time-up/third`);
  await phaseIs(here.page, "waiting");
  const times = timesIn(timezoneId, before + 10_000, ended).map(
    (time) => `Your visit ended at ${time}. It had lasted 10 seconds, as long as a visit may.`,
  );
  const [notice, ...others] = await notices(here);
  expect(times).toContain(notice);
  expect(others).toEqual([]);
  // It is still told after a reload, and no more when it is this visitor's turn again.
  await here.page.reload();
  await phaseIs(here.page, "waiting");
  expect(times).toContain((await notices(here))[0]);
  await rival.release();
  await here.page.locator("#origin").waitFor({ timeout: 45_000 });
});

/** Its pages stay until they are read, however slow the machine: they do not load themselves again. */
const withoutRefresh = (tab: Page): Promise<unknown> =>
  tab.route("**/third", async (route) => {
    const response = await route.fetch();
    const { "content-length": _, "content-encoding": __, ...headers } = response.headers();
    const page = await response.text();
    const body = page.replace(/<meta http-equiv="refresh"[^>]*>/, "");
    await route.fulfill({ response, headers, body });
  });

test.concurrent.each([
  ["scriptless", "en-GB", /^Your visit ended \d+ seconds? ago\. It had lasted 10 seconds,/],
  ["sprachlos", "ja-JP", /^ご利用時間の上限（10秒）に達したため、ご利用は\d+秒前に終了しました。$/],
])("[BROWSER-20] %s: told without scripts in %s", async (room, locale, text) => {
  const { here, rival } = await insideWithARival(room, {
    javaScriptEnabled: false,
    locale,
    prepare: withoutRefresh,
  });
  await using closing = here;
  await claimVisit(rival);
  await closing.page.goto(`${stage.seiriken.url}/${room}/third`);
  expect((await notices(here))[0]).toMatch(text);
  expect(await here.phase()).toBe("taking");
  await closing.page.goto(`${stage.seiriken.url}/${room}/third`);
  expect(await here.phase()).toBe("waiting");
  expect((await notices(here))[0]).toMatch(text);
});

/** The shortest session there is lasts a minute. */
const LAPSE = { timeout: 180_000 };

test.concurrent(
  "[BROWSER-20] a minute without activity: the visit is lost, and its visitor reads why",
  LAPSE,
  async () => {
    const { here, rival } = await insideWithARival("idle");
    await using closing = here;
    await claimVisit(rival, { within: 120_000 });
    await closing.page.goto(`${stage.seiriken.url}/idle/third`);
    await phaseIs(here.page, "waiting");
    expect((await notices(here))[0]).toMatch(
      /^Your visit ended at \d+:\d\d after (60 seconds|1 minute) without activity\.$/,
    );
  },
);

test.concurrent("[BROWSER-20] whom the operator sends out with all others", async () => {
  const { here, rival } = await insideWithARival("revoked");
  await using closing = here;
  const { url, adminToken } = stage.seiriken;
  const headers = { authorization: `Bearer ${adminToken}` };
  const path = "/.seiriken/api/rooms/revoked/revoke";
  expect((await ask(url + path, { method: "POST", headers })).status).toBe(200);
  await claimVisit(rival);
  await eventually(async () => {
    await closing.page.goto(`${stage.seiriken.url}/revoked/third`);
    expect(await here.page.locator("#origin").count()).toBe(0);
  });
  await phaseIs(here.page, "waiting");
  expect((await notices(here))[0]).toMatch(
    /^All visits were ended at \d+:\d\d by the people who run this site\.$/,
  );
});

test.concurrent("[BROWSER-21] one reference for the whole wait: over reloads, in two tabs, and in the log", async () => {
  const { here, rival } = await insideWithARival("reference");
  await using closing = here;
  await claimVisit(rival);
  await closing.page.goto(`${stage.seiriken.url}/reference/third`);
  await phaseIs(here.page, "waiting");
  const referenceOn = async (page: typeof here.page): Promise<string | undefined> =>
    /[2-9A-HJ-NP-Z]{8}/.exec((await page.locator("p:has(#taken)").textContent()) ?? "")?.[0];
  const reference = await referenceOn(here.page);
  expect(reference).toBeDefined();
  await here.page.reload();
  await phaseIs(here.page, "waiting");
  expect(await referenceOn(here.page)).toBe(reference);
  const second = await here.tab(`${stage.seiriken.url}/reference/fourth`);
  await phaseIs(second, "waiting");
  expect(await referenceOn(second)).toBe(reference);
});
