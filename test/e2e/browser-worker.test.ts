import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { openWholeBrowser } from "../support/browser.ts";
import { browserStage } from "../support/browser-stage.ts";
import { phaseIs } from "../support/browser-visit.ts";
import { eventually } from "../support/eventually.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";

const CODES = [503, 200] as const;
const WAYS = ["prefetch", "prerender"] as const;
const ROOMS = [
  ...CODES.map((code) =>
    roomOver(`worker${code}`, { total_active_users: 1, queueing_status_code: code }),
  ),
  ...WAYS.map((way) => roomOver(way, { total_active_users: 1 })),
];

const stage = browserStage({ rooms: ROOMS }, openWholeBrowser);

/** Keeps whatever it is answered, and answers with that from then on: the least careful there is. */
const KEEPS_ALL = `
addEventListener("install", (event) => event.waitUntil(skipWaiting()));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
const answer = async (request) => {
  const cache = await caches.open("all");
  const kept = await cache.match(request);
  if (kept) return kept;
  const fresh = await fetch(request);
  cache.put(request, fresh.clone()).catch(() => undefined);
  return fresh;
};
addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});`;

/** A site that installs it with its first page. */
const PAGE = `<!doctype html><title>origin</title><p id="origin">origin</p><script>
navigator.serviceWorker.register("sw.js").then(() => navigator.serviceWorker.ready)
  .then(() => { document.title = "ready"; });</script>`;

/** Beside the rooms: links that the browser follows before anybody clicks. */
const linksTo = (way: string): string => {
  const rules = JSON.stringify({ [way]: [{ urls: [`/${way}/page`], eagerness: "immediate" }] });
  return `<!doctype html><title>links</title><a href="/${way}/page">go</a>
<script type="speculationrules">${rules}</script>`;
};

beforeAll(() => {
  stage.seiriken.origin.handle(({ url }, response) => {
    const way = WAYS.find((name) => url === `/links/${name}`);
    if (way !== undefined) {
      response.writeHead(200, { "content-type": "text/html" }).end(linksTo(way));
      return;
    }
    const isScript = url.endsWith("/sw.js");
    const type = isScript ? "text/javascript" : "text/html";
    response.writeHead(200, { "content-type": type }).end(isScript ? KEEPS_ALL : PAGE);
  });
});

const atOrigin = (page: Page): Promise<void> => page.locator("#origin").waitFor();

describe.concurrent.each(CODES)(
  "a site with a service worker, and a page of the status %i",
  (code) => {
    test("[BROWSER-13] a navigation that it fetches gets the page, which it cannot keep", async () => {
      const room = `worker${code}`;
      await using here = await stage.visit(`/${room}/first`);
      const { page } = here;
      await eventually(async () => expect(await page.title()).toBe("ready"));

      await page.evaluate(
        (api) => fetch(api, { method: "DELETE" }).then(({ status }) => status),
        `/.seiriken/rooms/${room}/visits/mine`,
      );
      const holder = await visitorInside(stage.seiriken, room);

      await page.goto(`${stage.seiriken.url}/${room}/second`);
      await phaseIs(page, "waiting");
      await holder.release();
      await atOrigin(page);
      expect(page.url()).toBe(`${stage.seiriken.url}/${room}/second`);
      const kept = await page.evaluate(async () => {
        const requests = await (await caches.open("all")).keys();
        return requests.map(({ url }) => new URL(url).pathname);
      });
      expect(kept.filter((path) => path !== "/favicon.ico")).toEqual([`/${room}/second`]);
      expect(stage.reached(room).filter((line) => line.endsWith("second"))).toHaveLength(1);
    });
  },
);

test.concurrent.each(WAYS)(
  "[BROWSER-14] what is fetched in advance enters no open room, its click does: %s",
  async (way) => {
    const visiting = async (): Promise<number> => {
      const state = await stage.seiriken.visitor().get(`/.seiriken/rooms/${way}`);
      return state.json().visiting;
    };
    const asked: string[] = [];
    await using here = await stage.visit(`/links/${way}`, {
      prepare: (page) => {
        page.context().on("response", (answer) => {
          const { pathname } = new URL(answer.url());
          const purpose = answer.request().headers()["sec-purpose"] ?? "";
          if (pathname === `/${way}/page`) asked.push(`${answer.status()} ${purpose}`);
        });
      },
    });
    await eventually(() => expect(asked[0]).toMatch(/^503 prefetch/));
    expect([await visiting(), stage.reached(way)]).toEqual([0, []]);
    await here.page.locator("a").click();
    await atOrigin(here.page);
    const pages = stage.reached(way).filter((line) => line.endsWith("/page"));
    expect(pages).toEqual([`GET /${way}/page`]);
    await eventually(async () => expect(await visiting()).toBe(1));
  },
);
