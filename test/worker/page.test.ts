import { describe, expect, test } from "vitest";
import { script } from "../../src/worker/page/assets.gen.ts";
import { catalogOf, LANGUAGES } from "../../src/worker/page/catalogs.ts";
import { renderQueuePage, safeTarget } from "../../src/worker/page/index.ts";
import type { QueuePageInput } from "../../src/worker/page/index.ts";
import type { EventState } from "../../src/page/state.ts";
import { pageInput } from "./page-input.ts";

const eventOf = (phase: EventState["phase"], shuffle = true): EventState => ({
  told: { id: "e".repeat(32), phase, starts_at: "2026-11-22T19:00:00Z", shuffle },
  phase,
  opensInMs: 90_000,
  opensAt: null,
});

const html = (change: Partial<QueuePageInput> = {}): string =>
  renderQueuePage(pageInput(change)).html;

const bootOf = (page: string): string =>
  /<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(page)?.[1] ?? "";

/** The text that a reader sees, without style, scripts and markup. */
const textOf = (page: string): string =>
  page
    .replace(/<(style|script)[^>]*>.*?<\/\1>/gs, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

const gzipped = async (text: string): Promise<number> => {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).arrayBuffer()).byteLength;
};

describe("one light response", () => {
  test.each(LANGUAGES)("[PAGE-1] under 15 KB compressed in %s", async (language) => {
    const message = "Doors open at 19:00. ".repeat(10);
    expect(await gzipped(html({ languages: language, message }))).toBeLessThan(15_000);
  });

  test.each(LANGUAGES)(
    "[DOORS-7] under 17 KB in %s while there is an event, and nothing of it in other pages",
    async (language) => {
      const message = "Doors open at 19:00. ".repeat(10);
      const page = html({ languages: language, message, event: eventOf("prequeue") });
      expect(await gzipped(page)).toBeLessThan(17_000);
      const plain = html({ languages: language, message });
      for (const text of Object.values(catalogOf(language).event)) {
        expect(plain).not.toContain(text);
        expect(page).toContain(text);
      }
      expect(plain).not.toMatch(/prequeue"[^=]|fairBox|waitLabel/);
    },
  );

  test("[PAGE-2] nothing in it is loaded from anywhere", () => {
    const page = html({ message: "hello" });
    expect(page).not.toMatch(/<link(?![^>]*href="data:)/);
    expect(page).not.toMatch(/\ssrc="(?!data:)/);
    expect(page).not.toMatch(/@import|url\((?!#)/);
    expect(page).not.toMatch(/\sstyle="|\son\w+="/);
  });

  test.each([
    ["data:image/png;base64,AAAA", true],
    ["data:image/svg+xml,%3Csvg/%3E", true],
    ["https://elsewhere.example/logo.png", false],
    ["data:text/html,<script>1</script>", false],
    ["javascript:alert(1)", false],
  ])("[PAGE-2] the logo %s is shown: %s", (logo, isShown) => {
    expect(html({ appearance: { name: "A", accent: null, logo } }).includes("<img")).toBe(isShown);
  });

  test("[PAGE-3] the policy allows what carries the nonce, and our own host", () => {
    expect(renderQueuePage(pageInput()).csp).toBe(
      "default-src 'none'; script-src 'nonce-bm9uY2U'; style-src 'nonce-bm9uY2U'; " +
        "img-src data:; worker-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; " +
        "frame-ancestors 'self'",
    );
  });

  test.each([
    ["shop.example", "connect-src 'self' wss://shop.example;"],
    ["127.0.0.1:8787", "connect-src 'self' wss://127.0.0.1:8787;"],
    ["[::1]:8787", "connect-src 'self' wss://[::1]:8787;"],
    ["a; script-src *", "connect-src 'self';"],
  ])("[PAGE-3] the socket of host %s: %s", (host, expected) => {
    expect(renderQueuePage(pageInput({ host })).csp).toContain(expected);
  });

  test("[PAGE-3] every style and every script that runs carries the nonce", () => {
    const opened = html().match(/<(script|style)\b[^>]*>/g) ?? [];
    const run = opened.filter((tag) => !tag.includes("application/json"));
    expect(run).toHaveLength(3);
    for (const tag of run) expect(tag).toContain('nonce="bm9uY2U"');
  });
});

describe("texts of others", () => {
  const evil = `</script><script>alert("1")</script><img src=x onerror='1'>&lt;\u2028`;

  test("[PAGE-4] stay text, in markup as in the inlined JSON", () => {
    const appearance = { name: evil, accent: null, logo: null };
    const page = html({ appearance, message: evil, closed: evil, reference: evil, to: `/${evil}` });
    expect(page.match(/<script/g)).toHaveLength(3);
    expect(page).not.toContain("<img");
    expect(bootOf(page)).not.toMatch(/[<>&\u2028]/);
    const boot = JSON.parse(bootOf(page)) as { name: string; state: { message: string } };
    expect(boot.name).toBe(evil);
    expect(boot.state.message).toBe(evil);
  });

  test.each([`red;}*{display:none}`, "#12345", "#1234567", "#ggg000", "url(//a)"])(
    "[PAGE-4] the accent %s is ignored",
    (accent) => {
      const plain = html();
      expect(html({ appearance: { name: "Jazz Festival", accent, logo: null } })).toBe(plain);
    },
  );

  test.each([
    ["/a?b=1", "/a?b=1"],
    ["https://shop.example/a", "https://shop.example/a"],
    ["javascript:alert(1)", "/"],
    ["//elsewhere.example", "/"],
    ["/\\elsewhere.example", "/"],
    ["https:///", "/"],
    ["", "/"],
  ])("[PAGE-5] %s leads to %s", (to, expected) => {
    expect(safeTarget(to)).toBe(expected);
  });

  test("[PAGE-6] the ticket's token is not in the page", () => {
    const ticket = { ...pageInput().ticket!, ticket: "secret-token", page: "/x" };
    expect(html({ ticket })).not.toContain("secret-token");
  });
});

describe("what the page says", () => {
  test("[PAGE-7] number, people ahead and the wait as a range", () => {
    const text = textOf(html());
    expect(text).toContain("1,248");
    expect(text).toMatch(/Ahead of you\s+42\s/);
    expect(text).toContain("8–12 minutes");
  });

  test.each([
    ["en", /You are one of\s+4,000\s+Estimated wait\s+Drawn by lot/],
    ["de", /Das Los entscheidet unter\s+4\.000\s/],
    ["ja", /抽選をお待ちの方\s+4,000人\s/],
  ])("[RANDOM-8] where turns are drawn: among how many, and no line, in %s", (languages, said) => {
    const eta = { known: false, reason: "random" };
    const ticket = { ...pageInput().ticket!, ahead: null, among: 4_000, eta };
    const page = html({ ticket, languages, drawn: true });
    expect(textOf(page)).toMatch(said);
    expect(page).toMatch(/<figure class="\w" hidden>/);
    expect(html({ languages })).toMatch(/<figure class="\w">/);
    expect(html({ ticket, languages })).not.toMatch(/4[,.]000/);
    expect(JSON.parse(bootOf(page))).toMatchObject({ state: { ticket: { among: 4_000 } } });
  });

  test("[DOORS-1] without a script: how long until the doors open, and no place that may change", () => {
    const ticket = { ...pageInput().ticket!, ahead: null, among: 4_000 };
    const page = html({ ticket, event: eventOf("prequeue"), mode: "paused" });
    const text = textOf(page);
    expect(text).toMatch(/not open yet .* You are one of\s+4,000\s+The doors open in\s+90 seconds/);
    expect(page).toMatch(/<figure class="\w" hidden>/);
    expect(page).toContain("data-paused");
    expect(page).toContain('<p id="fairBox" hidden>');
  });

  test("[DOORS-3] without a script: the order is being drawn", () => {
    const page = textOf(html({ event: eventOf("drawing"), mode: "paused" }));
    expect(page).toContain("The order is being drawn");
    expect(page).toMatch(/Estimated wait\s+Not known yet/);
  });

  test("[DOORS-4] without a script: the draw's record, with the visitor's number", () => {
    const page = html({ event: eventOf("running") });
    expect(textOf(page)).toMatch(/drawn by lot\..* Check the draw/);
    const link = /<a id="check" href="([^"]+)"/.exec(page)?.[1];
    expect(link).toBe(`/.seiriken/rooms/shop/draws/${"e".repeat(32)}?number=1248`);
    expect(page).toMatch(/<figure class="\w">/);
  });

  test("[PAGE-8] what holds, with this room's own values", () => {
    const text = textOf(html({ returnWindowSeconds: 5_400, claimWithinSeconds: 45 }));
    expect(text).toContain("90 minutes You may close this page.");
    expect(text).toContain("45 seconds Once you are called");
    expect(text).toContain("5 minutes Inside");
  });

  test.each([
    ["en", "2 minutes"],
    ["de", "2 Minuten"],
    ["ja", "2分"],
  ])("[PAGE-8] two minutes are told as such in every sentence, in %s", (languages, twoMinutes) => {
    const called = { ...pageInput().ticket!, state: "called", ahead: 0 } as const;
    const spans = { refreshSeconds: 120, claimWithinSeconds: 120, sessionSeconds: 120 };
    for (const state of [{}, { ticket: called }, { ticket: null }, { reloads: true }]) {
      const text = textOf(html({ languages, ...spans, ...state }));
      expect(text).toContain(twoMinutes);
      expect(text).not.toContain("120");
    }
  });

  test("[PAGE-9] a lost form, and that it is to be sent again", () => {
    expect(textOf(html({ formLost: true }))).toContain("Your form has not been sent.");
    expect(textOf(html())).not.toContain("Your form has not been sent.");
  });

  test("[PAGE-10] doors that are shut, in line and before", () => {
    expect(textOf(html({ mode: "paused" }))).toContain("The doors are closed for the moment");
    expect(textOf(html({ mode: "paused" }))).toContain("Not known yet");
    expect(textOf(html({ mode: "paused", ticket: null }))).toContain("Your number is on its way");
  });

  test("[PAGE-11] the closing text of a closed room, and takes no ticket there", () => {
    const page = html({ mode: "closed", closed: "Sold out.", ticket: null });
    expect(textOf(page)).toContain("Sold out.");
    expect(page).toContain('data-phase="closed"');
    expect(page).not.toContain("http-equiv");
  });

  test("[PAGE-12] that cookies are needed, before it takes a place", () => {
    const page = html({ ticket: null, cookiesMissing: true });
    expect(page).toContain('data-phase="cookies"');
    expect(textOf(page)).toContain("This page needs cookies");
  });

  test.each(["none", "waiting", "away", "called", "visiting"] as const)(
    "[PAGE-13] a ticket that is %s has its phase",
    (state) => {
      const phase = /data-phase="([a-z-]+)"/.exec(
        html({ ticket: { ...pageInput().ticket!, state } }),
      )?.[1];
      const phases = { none: "taking", waiting: "waiting", away: "waiting" };
      expect(phase).toBe(state in phases ? phases[state as keyof typeof phases] : "called");
    },
  );

  test("[PAGE-13] a missed call is told as one", () => {
    const ticket = { ...pageInput().ticket!, state: "away" as const };
    expect(textOf(html({ ticket }))).toContain("You missed your call");
  });
});

describe("without scripts", () => {
  test("[PAGE-14] looks again by GET where the visitor wants to go, and has a link for it", () => {
    const page = html({ refreshSeconds: 17, formLost: true });
    expect(page).toContain(
      '<noscript><meta http-equiv="refresh" content="17;url=/tickets?day=2"></noscript>',
    );
    expect(page).toMatch(/<noscript>.*every 17 seconds.*href="\/tickets\?day=2"/s);
  });

  test("[HOLD-9] in a room of requests it loads itself again, with scripts and without", () => {
    const away = { ...pageInput().ticket!, number: 41, state: "away", ahead: 3 } as const;
    const page = html({ refreshSeconds: 17, reloads: true, ticket: away, problem: "line-full" });
    expect(page).toContain('\n<meta http-equiv="refresh" content="17;url=/tickets?day=2">\n');
    expect(page).not.toMatch(/<script|<noscript/);
    expect(page).toContain("You are in line");
    expect(page).toContain("asks again in 17 seconds, by itself");
    expect(page).toContain("The line is full at the moment.");
    expect(page).not.toContain("Once you are called");
  });

  test("[PAGE-14] at the turn there is a link to go in", () => {
    const page = html({ ticket: { ...pageInput().ticket!, state: "called", ahead: 0 } });
    expect(page).toContain('data-phase="called"');
    expect(page).toMatch(/id="go" href="\/tickets\?day=2">Go in</);
    expect(textOf(page)).toContain("You have 60 seconds.");
  });

  test("[PAGE-15] the watchdog knows nothing newer than ES5, the script than ES2017", () => {
    const page = html();
    const watchdog = />(window\.watchdog=.*?)<\/script>/s.exec(page)?.[1] ?? "";
    expect(watchdog).toContain("setTimeout");
    expect(watchdog).not.toMatch(/=>|\b(let|const|async|await|class)\b|`/);
    expect(script).not.toMatch(/\?\.[a-z[(]|\?\?|\.\.\.[a-z]+\}|catch\{|#[a-z]+[=;(]/i);
  });
});
