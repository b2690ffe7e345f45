import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { openVisit, phaseIs } from "../support/browser-visit.ts";
import { fakeTurnstile } from "../support/fake-turnstile.ts";
import type { FakeTurnstile } from "../support/fake-turnstile.ts";
import { ask } from "../support/http.ts";
import { roomOver } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";
import { createPuzzleSolver } from "../../src/core/strangers/puzzle.ts";

const HELD = { queue_all: true };
const WORK = { seiriken: { proof_of_work: { bits: 14, bits_max: 14 } } };
const TURNSTILE = { turnstile_mode: "visible_managed", turnstile_action: "infinite_queue" };

let turnstile: FakeTurnstile;
let seiriken: Seiriken;
let browser: Browser;
beforeAll(async () => {
  turnstile = await fakeTurnstile();
  seiriken = await startSeiriken({
    env: turnstile.env,
    rooms: [
      roomOver("work", { ...HELD, ...WORK }),
      roomOver("slices", { ...HELD, ...WORK }),
      roomOver("apps", { ...HELD, ...WORK }),
      roomOver("check", { ...HELD, ...TURNSTILE }),
      roomOver("both", { ...HELD, ...TURNSTILE, ...WORK }),
    ],
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await seiriken?.stop();
  await turnstile?.close();
});

const release = (room: string) =>
  seiriken.manage("PATCH", `/waiting_rooms/${room}`, { queue_all: false });

describe.concurrent("strangers", () => {
  test("[WORK-11] a browser works for its number, stays responsive, and goes in at its turn", async () => {
    await using here = await openVisit(browser, `${seiriken.url}/work/a?b=1`, {
      prepare: (page) =>
        page.addInitScript(() => {
          const seen: string[] = ((window as { said?: string[] }).said = []);
          new MutationObserver(() => {
            const said = document.getElementById("proof")?.textContent;
            if (said && seen.at(-1) !== said) seen.push(said);
          }).observe(document, { subtree: true, childList: true, characterData: true });
        }),
    });
    const { page } = here;
    await page.locator("body[data-ticket]").waitFor();
    expect(await here.text("number")).toBe("1");
    const said = await page.evaluate(() => (window as { said?: string[] }).said);
    expect(said).toEqual([expect.stringContaining("short check")]);
    expect(await page.locator("#proof").textContent()).toBe("");
    expect(await page.locator("#proof").getAttribute("role")).toBe("status");
    await release("work");
    await page.waitForFunction(() => !document.body.hasAttribute("data-phase"));
    expect(page.url()).toBe(`${seiriken.url}/work/a?b=1`);
  });

  test("[WORK-11] without workers the page itself does the work, in slices", async () => {
    await using here = await openVisit(browser, `${seiriken.url}/slices/a`, {
      prepare: (page) =>
        page.addInitScript(() => void delete (window as { Worker?: unknown }).Worker),
    });
    await here.page.locator("body[data-ticket]").waitFor();
  });

  test("[WORK-7] attackers get nothing, and an app that works gets its place", async () => {
    const url = `${seiriken.url}/.seiriken/rooms/apps/tickets`;
    const post = (proof: string) =>
      ask(url, { method: "POST", headers: { "seiriken-proof": proof } });
    const first = await post("none");
    expect(first.status).toBe(403);
    const { puzzle } = first.json() as {
      puzzle: { token: string; seed: string; bits: number };
    };
    const solution = createPuzzleSolver(puzzle).tryNext(Number.MAX_SAFE_INTEGER) ?? "";
    const bad = [
      `work ${puzzle.token} ${"0".repeat(128)}`,
      `work ${puzzle.token} ${solution.slice(1)}`,
      `work ${puzzle.token.slice(0, -1)} ${solution}`,
      `work ${puzzle.token} ${"0".repeat(8_000)}`,
      `turnstile ${solution}`,
    ];
    for (const proof of bad) expect((await post(proof)).status, proof).toBe(403);
    const elsewhere = await ask(url.replace("apps", "work"), {
      method: "POST",
      headers: { "seiriken-proof": `work ${puzzle.token} ${solution}` },
    });
    expect(elsewhere.status).toBe(403);
    const good = await post(`work ${puzzle.token} ${solution}`);
    expect(good.status).toBe(201);
    expect(good.json()).toMatchObject({ number: 1 });
    const again = await post(`work ${puzzle.token} ${solution}`);
    expect(again.json()).toMatchObject({ number: 1 });
  });

  test("[TURNSTILE-1] [TURNSTILE-2] [TURNSTILE-4] Turnstile good, bad and down", async () => {
    await using good = await openVisit(browser, `${seiriken.url}/check/good`);
    await using bad = await openVisit(browser, `${seiriken.url}/check/bad`);
    await good.page.locator("body[data-ticket]").waitFor();
    await bad.page.locator("#notices li").waitFor();
    await phaseIs(bad.page, "taking");
    expect(await bad.text("notices")).toContain("tries again by itself");
    await using down = await openVisit(browser, `${seiriken.url}/check/down`);
    await down.page.locator("body[data-ticket]").waitFor();
    expect(await good.text("number")).toBe("1");
    expect(await down.text("number")).toBe("2");
    for (const asked of turnstile.verified) {
      expect(asked.get("secret")).toBe("secret-key");
      expect(asked.get("remoteip")).toBe("127.0.0.1");
    }
  });

  test("[TURNSTILE-6] where both are asked for, who does not pass works", async () => {
    await using bad = await openVisit(browser, `${seiriken.url}/both/bad`);
    await bad.page.locator("body[data-ticket]").waitFor();
    expect(await bad.text("number")).toBe("1");
  });
});
