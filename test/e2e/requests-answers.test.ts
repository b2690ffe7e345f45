import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { ask } from "../support/http.ts";
import type { Answer } from "../support/http.ts";
import { Pulse } from "../support/pulse.ts";
import { requestRoom } from "../support/requests.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";
import { DOCUMENT } from "../support/visitor.ts";

const run = promisify(execFile);
const APP = { accept: "application/json" };
const IMAGE = { accept: "image/avif,image/*,*/*;q=0.8", "sec-fetch-dest": "image" };

let seiriken: Seiriken;
let pulse: Pulse;
/** Ends the request that was to run until it is told to end (`?ms=told`). */
let answerWhenTold = (): unknown => undefined;
/** One permit, held for a second. */
const report = (query = ""): string => `${seiriken.url}/report${query}`;

beforeAll(async () => {
  const one = { total_active_users: 1 };
  seiriken = await startSeiriken({
    runtime: "workerd",
    rooms: [
      requestRoom({ ...one, seiriken: { hold_seconds: 1, starts_per_second: 50 } }),
      requestRoom({ ...one, seiriken: { hold_seconds: 5, line_max: 1 } }, "full"),
      requestRoom({ ...one, seiriken: { hold_seconds: 1, return_window_seconds: 2 } }, "short"),
      requestRoom({ ...one, seiriken: { hold_seconds: 5, closed: "Sold out." } }, "closed"),
    ],
  });
  seiriken.origin.handle(({ url, headers }, response) => {
    const wanted = new URL(url, "http://origin").searchParams.get("ms") ?? 0;
    const page = `<!doctype html><title>report</title><p id="origin">${String(headers["seiriken-visit"])}</p>`;
    const answer = () => response.writeHead(200, { "content-type": "text/html" }).end(page);
    if (wanted === "told") answerWhenTold = answer;
    else setTimeout(answer, Number(wanted));
  });
  pulse = new Pulse(seiriken.url);
});
afterAll(async () => {
  await pulse?.stop();
  await seiriken?.stop();
});
beforeEach(() => eventually(() => seiriken.origin.running === 0));

/** Somebody has the only permit for so long. */
const taken = async (ms: number | "told", room = "report"): Promise<() => Promise<Answer>> => {
  const inside = ask(`${seiriken.url}/${room}?ms=${ms}`);
  await eventually(() => seiriken.origin.running === 1);
  return () => inside;
};

const ticketOf = (answer: Answer): string => String(answer.headers["seiriken-ticket"]);

describe("a request whose time is up", () => {
  test("[HOLD-20] leaves with 503, its number, Retry-After, and the ticket in cookie and header", async () => {
    const inside = await taken(1_500);
    const answer = await ask(report(), { headers: APP });
    await inside();
    expect(answer.status).toBe(503);
    expect(answer.headers).toMatchObject({
      "retry-after": "1",
      "content-type": "application/json",
      "cache-control": "no-store, no-transform",
      "seiriken-status": "queued; room=report",
      "ratelimit-policy": '"starts";q=50;w=1',
      ratelimit: '"starts";r=0;t=1',
    });
    const { seiriken: place, cfWaitingRoom } = answer.json();
    expect(place).toMatchObject({ room: "report", state: "away", poll_after_seconds: 1 });
    expect(place.number).toBeGreaterThan(0);
    expect(place.ticket).toBe(ticketOf(answer));
    expect(place.detail).toContain(`number ${place.number} keeps its place`);
    expect(place.detail).toContain("Without it you start at the back");
    expect(cfWaitingRoom).toMatchObject({ inWaitingRoom: true, refreshIntervalSeconds: 1 });
    const [cookie] = answer.setCookies.filter((line) => line.includes("seiriken-ticket-"));
    expect(cookie).toContain(ticketOf(answer));
  });

  test("[HOLD-20] stands where its number stands with the ticket, and at the back without", async () => {
    const inside = await taken(1_800);
    const first = await ask(report(), { headers: APP });
    const { number } = first.json().seiriken;
    const without = ask(report("?ms=50"), { headers: APP });
    await sleep(200);
    const withTicket = ask(report("?ms=50"), {
      headers: { ...APP, "seiriken-ticket": ticketOf(first) },
    });
    await inside();
    const [back, other] = await Promise.all([withTicket, without]);
    expect(back.text).toContain(`<p id="origin">${number}</p>`);
    expect(back.setCookies.join()).toMatch(/seiriken-ticket-report=; .*Max-Age=0/);
    const otherNumber = Number(
      /origin">(\d+)/.exec(other.text)?.[1] ?? other.json().seiriken.number,
    );
    expect(otherNumber).toBeGreaterThan(number);
  });

  test("[HOLD-21] keeps its number within the return window, and gets a new one later", async () => {
    const inside = await taken(8_000, "short");
    const url = `${seiriken.url}/short`;
    const ticketed = (from: Answer) => ({ headers: { ...APP, "seiriken-ticket": ticketOf(from) } });
    const first = await ask(url, { headers: APP });
    const again = await ask(url, ticketed(first));
    expect(again.json().seiriken.number).toBe(first.json().seiriken.number);
    await sleep(2_100);
    const late = await ask(url, ticketed(again));
    expect(late.json().seiriken.number).toBeGreaterThan(first.json().seiriken.number);
    await inside();
  });

  test("[HOLD-22] a picture gets a short text and no ticket", async () => {
    const inside = await taken(1_500);
    const answer = await ask(report(), { headers: IMAGE });
    expect(answer.status).toBe(503);
    expect(answer.headers["content-type"]).toMatch(/^text\/plain/);
    expect(answer.headers["retry-after"]).toBe("1");
    expect([answer.setCookies, answer.headers["seiriken-ticket"]]).toEqual([[], undefined]);
    await inside();
    expect((await ask(report(), { headers: IMAGE })).status).toBe(200);
  });

  test("[HOLD-22] what is fetched in advance waits for nobody", async () => {
    const inside = await taken(1_200);
    const askedAt = performance.now();
    const answer = await ask(report(), { headers: { ...DOCUMENT, "sec-purpose": "prefetch" } });
    expect(performance.now() - askedAt).toBeLessThan(800 + pulse.slackSince(askedAt));
    expect([answer.status, answer.setCookies]).toEqual([503, []]);
    await inside();
  });
});

const roomState = async (room = "report") =>
  (await ask(`${seiriken.url}/.seiriken/rooms/${room}`)).json();

describe("refusals", () => {
  test("[HOLD-23] a full line says so at once, and takes whoever brings a ticket", async () => {
    const inside = await taken("told", "full");
    const url = `${seiriken.url}/full`;
    const first = await ask(url, { headers: APP });
    const waiting = ask(url, { headers: APP });
    await eventually(async () => (await roomState("full")).waiting === 1);
    const full = await ask(url, { headers: APP });
    expect([full.status, full.headers["retry-after"]]).toEqual([503, "30"]);
    expect(full.headers["seiriken-ticket"]).toBeUndefined();
    expect(full.json().cfWaitingRoom.queueIsFull).toBe(true);
    expect(full.json().seiriken).toMatchObject({ number: null, state: "none" });
    expect(full.json().seiriken.detail).toContain("Come back after");
    const page = await ask(url, { headers: DOCUMENT });
    expect(page.text).toContain("The line is full at the moment");
    const back = ask(url, { headers: { ...APP, "seiriken-ticket": ticketOf(first) } });
    await sleep(300);
    answerWhenTold();
    expect((await back).status).toBe(200);
    await Promise.all([inside(), waiting]);
  });

  test("[HOLD-24] a closed room answers at once, with its text", async () => {
    const askedAt = performance.now();
    const answer = await ask(`${seiriken.url}/closed`, { headers: DOCUMENT });
    expect(performance.now() - askedAt).toBeLessThan(1_000 + pulse.slackSince(askedAt));
    expect(answer.status).toBe(503);
    expect(answer.text).toContain("Sold out.");
  });
});

describe("clients", () => {
  test("[HOLD-25] curl gets through by repeating itself with its cookies, under its first number", async () => {
    const inside = await taken(3_300);
    const folder = mkdtempSync(join(tmpdir(), "seiriken-curl-"));
    try {
      const jar = join(folder, "jar");
      const { stdout } = await run("curl", [
        ...["-s", "-b", "", "-c", jar, "--retry", "10", "--fail", report()],
      ]);
      const first = await inside();
      const numberIn = (page: string): number => Number(/origin">(\d+)/.exec(page)?.[1]);
      expect(numberIn(stdout)).toBe(numberIn(first.text) + 1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.each([true, false])(
    "[HOLD-26] a browser gets through by itself, with scripts: %s",
    async (javaScriptEnabled) => {
      const browser = await openBrowser();
      try {
        const inside = await taken("told");
        const context = await browser.newContext({ javaScriptEnabled });
        const page = await context.newPage();
        const response = await page.goto(report());
        expect(response?.status()).toBe(503);
        const number = await page.textContent("#number");
        answerWhenTold();
        await page.locator("#origin").waitFor({ timeout: 60_000 });
        expect(await page.textContent("#origin")).toBe(number);
        await inside();
      } finally {
        await browser.close();
      }
    },
  );
});

describe("what can be seen", () => {
  test("[HOLD-27] the room tells what is in flight, what waits, and the starts of the last minute", async () => {
    const inside = await taken("told");
    // The state is up to 2 s old, and each of these waits for one.
    let isSeen = false;
    const oneWaits = async () => {
      while (!isSeen) await ask(report(), { headers: APP });
    };
    const waiting = oneWaits();
    await eventually(async () =>
      expect(await roomState()).toMatchObject({ visiting: 1, waiting: 1, permits: 1 }),
    );
    isSeen = true;
    answerWhenTold();
    const { starts_last_minute: starts } = await roomState();
    expect(starts).toHaveLength(60);
    expect(starts.reduce((sum: number, count: number) => sum + count, 0)).toBeGreaterThan(0);
    await Promise.all([inside(), waiting]);
  });

  test("[HOLD-28] one line of the log for each request, with number, time and outcome, and no secrets", async () => {
    const lines = () =>
      seiriken.events.flatMap((event) =>
        event.event === "log" && event.message.includes('"event":"request"')
          ? [JSON.parse(event.message)]
          : [],
      );
    const lineOf = (number: number) =>
      eventually(() => lines().findLast((line) => line.number === number) ?? false);
    const inside = await taken(1_500);
    const headers = { ...APP, "x-forwarded-for": "192.0.2.7" };
    const { number } = (await ask(report("?secret=1"), { headers })).json().seiriken;
    await inside();
    const [second, first] = [await lineOf(number - 1), await lineOf(number)];
    expect(first).toEqual({
      level: "info",
      event: "request",
      reference: expect.stringMatching(/^[2-9A-Z]{8}$/),
      room: "report",
      number,
      waited_ms: expect.any(Number),
      ran_ms: expect.any(Number),
      outcome: "not-yet",
    });
    expect(first.waited_ms).toBeGreaterThanOrEqual(950);
    expect(second).toMatchObject({ outcome: "answered", room: "report" });
    expect(second.ran_ms).toBeGreaterThanOrEqual(1_400);
    expect(JSON.stringify(lines())).not.toMatch(/secret|192\.0\.2\.7|eyJ/);
  });
});
