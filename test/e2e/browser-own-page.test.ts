import { expect, test } from "vitest";
import { browserStage } from "../support/browser-stage.ts";
import { phaseIs } from "../support/browser-visit.ts";
import type { BrowserVisit } from "../support/browser-visit.ts";
import { eventually } from "../support/eventually.ts";
import { tallies } from "../support/history.ts";
import { takeNumber } from "../support/journey.ts";
import { stopClock } from "../support/page-clock.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";

/**
 * Built as Cloudflare's own template is (developers.cloudflare.com/waiting-room, "Customize a waiting
 * room"): the estimate in nested sections for browsers without scripts, and as values in a script of the page
 * that writes it for the others.
 */
const AS_CLOUDFLARE_HAS_IT = `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="UTF-8">
  <title>Waiting room</title>
  <style>
    :root { --tint: rgb(1, 2, 3); }
    h1 { color: var(--tint); }
  </style>
</head>
<body>
  <main>
    <h1>Many people are here today</h1>
    <h2 id="estimate">
      <noscript>
        {{#waitTimeKnown}}About {{waitTimeFormatted}} to go{{/waitTimeKnown}}
        {{^waitTimeKnown}}{{#queueIsFull}}The line is full{{/queueIsFull}}
        {{^queueIsFull}}No estimate yet{{/queueIsFull}}{{/waitTimeKnown}}
      </noscript>
    </h2>
    {{#isFIFOQueue}}<p id="kind">In order, number {{seiriken.number}}</p>{{/isFIFOQueue}}
    {{#isRandomQueue}}<p id="kind">By lot</p>{{/isRandomQueue}}
  </main>
  <script type="text/javascript">
    var known = {{waitTimeKnown}};
    var minutes = {{waitTime}};
    var text = known ? 'About ' + minutes + (minutes === 1 ? ' minute' : ' minutes') : 'No estimate yet';
    document.getElementById('estimate').innerText = text;
  </script>
</body>
</html>`;

const LIVE = `<!DOCTYPE html>
<html lang="de">
<head><title>Gleich geht es los</title>{{{seirikenScript}}}</head>
<body>
  <p>Nummer <b id="number" data-seiriken="number">{{seiriken.number}}</b></p>
  <p><b id="ahead" data-seiriken="ahead">{{seiriken.ahead}}</b> davor, <b id="wait" data-seiriken="wait"></b></p>
  <p id="opens" data-seiriken="opensIn"></p>
  <p id="message" data-seiriken="message">{{seiriken.message}}</p>
  <button data-seiriken-do="give-up"><i>Nicht mehr</i></button>
  <button data-seiriken-do="again">Noch einmal</button>
  <script>
    var told = [];
    document.addEventListener('seiriken', function (event) { told.push(event.detail); });
  </script>
</body>
</html>`;

const own = (name: string, custom_page_html: string) =>
  roomOver(name, { total_active_users: 1, custom_page_html });
const WORK = { bits: 10, bits_max: 10 };
const stage = browserStage({
  rooms: [
    ...["plain", "scriptless"].map((name) => own(name, AS_CLOUDFLARE_HAS_IT)),
    ...["live", "live-scriptless", "given-up", "old", "closing"].map((name) => own(name, LIVE)),
    { ...own("worked", LIVE), queue_all: true, seiriken: { proof_of_work: WORK } },
  ],
});
const IN_WITHIN = { timeout: 60_000 };

const phase = ({ page }: BrowserVisit, wanted: string): Promise<void> =>
  page.locator(`html[data-seiriken-phase="${wanted}"]`).waitFor({ state: "attached" });

test.concurrent.each([
  ["plain", true],
  ["scriptless", false],
])(
  "[OWNPAGE-5] [OWNPAGE-6] a template as Cloudflare has them, %s: its style and scripts work, and it goes in by coming back",
  async (room, javaScriptEnabled) => {
    const holder = await visitorInside(stage.seiriken, room);
    await using here = await stage.visit(`/${room}/seat?row=2`, { javaScriptEnabled });
    expect(here.first.status()).toBe(503);
    // The page may be on its way out when it is asked.
    const tint = () => here.page.locator("h1").evaluate((h1) => getComputedStyle(h1).color);
    await eventually(async () => expect(await tint()).toBe("rgb(1, 2, 3)"));
    const kind = here.page.locator("#kind");
    await eventually(async () => expect(await kind.textContent()).toBe("In order, number 2"));
    const estimate = async () => (await here.text("estimate")).trim();
    await eventually(async () =>
      expect(await estimate()).toMatch(/^(No estimate yet|About \d+ min)/),
    );
    await holder.release();
    await here.page.locator("#origin").waitFor(IN_WITHIN);
    expect(stage.reached(room)).toEqual([`GET /${room}/seat?row=2`]);
    expect(await tallies(stage.seiriken, room)).toMatchObject({ issued: 2 });
  },
);

test.concurrent("[OWNPAGE-10] [OWNPAGE-11] one line makes it live: place, texts and turn without another load", async () => {
  const holder = await visitorInside(stage.seiriken, "live");
  const before = stage.seiriken.visitor({ room: "live" });
  expect(await takeNumber(before)).toBe(2);
  const socket = await before.socket();
  await using here = await stage.visit("/live/seat");
  const loads: string[] = [];
  here.page.on("load", () => loads.push(here.page.url()));
  await phase(here, "waiting");
  await eventually(async () => expect(await here.text("ahead")).toBe("1"));
  expect(await here.text("number")).toBe("3");
  await stage.change("live", { seiriken: { message: "<b>Gleich</b>" } });
  await eventually(async () => expect(await here.text("message")).toBe("<b>Gleich</b>"));
  socket.close();
  await before.ask("/.seiriken/rooms/live/tickets/mine", { method: "DELETE" });
  await eventually(async () => expect(await here.text("ahead")).toBe("0"));
  expect(loads).toEqual([]);
  const told = await here.page.evaluate("told[told.length - 1]");
  expect(told).toMatchObject({
    phase: "waiting",
    number: 3,
    ahead: 0,
    message: "<b>Gleich</b>",
    closed: null,
    paused: false,
    event: null,
    opensInSeconds: null,
    link: "live",
  });
  expect(await here.page.evaluate("seiriken.facts()")).toEqual(told);
  await holder.release();
  await phase(here, "entering");
  await here.page.locator("#origin").waitFor(IN_WITHIN);
  expect(stage.reached("live")).toEqual(["GET /live/seat"]);
});

test.concurrent("[OWNPAGE-10] without scripts the live page comes back by itself", async () => {
  const holder = await visitorInside(stage.seiriken, "live-scriptless");
  await using here = await stage.visit("/live-scriptless", { javaScriptEnabled: false });
  await eventually(async () => expect(await here.text("number")).toBe("2"));
  await holder.release();
  await here.page.locator("#origin").waitFor(IN_WITHIN);
});

test.concurrent("[OWNPAGE-11] its buttons give the number back, and take a new one", async () => {
  const holder = await visitorInside(stage.seiriken, "given-up");
  await using here = await stage.visit("/given-up");
  await phase(here, "waiting");
  await here.page.click("text=Nicht mehr");
  await phase(here, "given-up");
  await here.page.click("text=Noch einmal");
  await phase(here, "waiting");
  expect(await here.text("number")).toBe("3");
  await holder.release();
  await here.page.locator("#origin").waitFor(IN_WITHIN);
});

test.concurrent("[OWNPAGE-11] where a number costs work it gets one, from the head of the page too", async () => {
  await using here = await stage.visit("/worked");
  await phase(here, "waiting");
  expect(await here.text("number")).toBe("1");
});

test.concurrent("[OWNPAGE-12] it has no words for a closing: the queue page comes and says it", async () => {
  await visitorInside(stage.seiriken, "closing");
  await using here = await stage.visit("/closing");
  await phase(here, "waiting");
  await stage.change("closing", { seiriken: { closed: "Ausverkauft" } });
  await phaseIs(here.page, "closed", { within: IN_WITHIN.timeout });
  expect(await here.text("lead")).toContain("Ausverkauft");
});

test.concurrent("[OWNPAGE-10] where its script never starts the page is loaded again after 20 s", async () => {
  await visitorInside(stage.seiriken, "old");
  await using here = await stage.visit("/old", {
    prepare: async (page) => {
      await stopClock(page);
      await page.route("**/old", async (route) => {
        const response = await route.fetch();
        const html = await response.text();
        await route.fulfill({
          response,
          body: html.replace(/(<script[^>]*>)\{let /, "$1all:{break all;let "),
        });
      });
    },
  });
  await here.page.clock.runFor(19_500);
  expect(await here.page.locator("html").getAttribute("data-seiriken-phase")).toBeNull();
  const loaded = here.page.waitForEvent("load");
  await here.page.clock.runFor(1_000);
  await loaded;
});

test.concurrent("[PREVIEW-3] a preview shows a live page in the state that is asked for, out of the site's reach", async () => {
  const custom_html = `${LIVE}<script>
    try { document.title = "read " + document.cookie; } catch (error) { document.title = error.name; }
  </script>`;
  const made = await stage.seiriken.manage("POST", "/waiting_rooms/preview", { custom_html });
  const link = new URL(made.json().result.preview_url);
  await using here = await stage.visit(`${link.pathname}?waitTime=61`);
  await phase(here, "waiting");
  expect(await here.page.title()).toBe("SecurityError");
  expect(await here.text("number")).toBe("1.248");
  expect(await here.text("wait")).toBe("1 Stunde 1 Minute");
  await here.page.goto(`${stage.seiriken.url}${link.pathname}?state=called`);
  await phase(here, "called");
  await here.page.goto(`${stage.seiriken.url}${link.pathname}?event=prequeueing`);
  await eventually(async () => expect(await here.text("opens")).toMatch(/^14:[0-5]\d$/));
  expect(await here.page.evaluate("self.origin")).toBe("null");
});
