import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../src/worker/page/catalogs.ts";
import { withoutOurCookies } from "../../src/worker/tokens/cookies.ts";
import { DOCUMENT, roomOf, World } from "./fakes.ts";
import type { RoomChange } from "./fakes.ts";

const PAGE = "/.seiriken/rooms/shop/languages";

const ask = (query: string, headers: Record<string, string> = {}, change: RoomChange = {}) =>
  new World({ rooms: [roomOf(change)] }).fetch(`${PAGE}?${query}`, {
    headers: { ...DOCUMENT, ...headers },
    redirect: "manual",
  });

const choosing = (to: string, language = "ar"): string =>
  new URLSearchParams({ to, language }).toString();

describe("the page of languages", () => {
  test("[LANG-6] the queue page links to it, and it back", async () => {
    const world = new World();
    world.say({ mode: "queues" });
    const page = await (await world.fetch("/tickets?day=2&x=/y", { headers: DOCUMENT })).text();
    const link = /<footer><a href="([^"]+)">Language<\/a>/.exec(page)![1]!.replaceAll("&amp;", "&");
    expect(link).toMatch(/^\/\.seiriken\/rooms\/\w+\/languages\?to=/);
    const answer = await world.fetch(link, { headers: DOCUMENT });
    expect(answer.status).toBe(200);
    const list = await answer.text();
    expect(list).toContain('<a href="/tickets?day=2&amp;x=/y">');
    expect(list).not.toContain("<script");
    const arabic = { headers: { ...DOCUMENT, "Accept-Language": "ar" } };
    expect(await (await world.fetch("/tickets", arabic)).text()).toContain(
      '>اللغة · <span lang="en">Language</span></a>',
    );
  });

  test("[LANG-6] lists every language by its own name, and marks the one in use", async () => {
    const answer = await ask("to=/tickets", { "Accept-Language": "de" });
    const page = await answer.text();
    expect(page).toContain('<html lang="de" dir="ltr">');
    for (const language of LANGUAGES)
      expect(page).toContain(`value="${language}" lang="${language}"`);
    expect(page).toContain('lang="ar" dir="rtl">العربية<');
    expect(page.match(/aria-current/g)).toHaveLength(2);
    const names = [...page.matchAll(/<button [^>]*>([^<]+)</g)].map(([, name]) => name);
    expect(names.slice(0, 4)).toEqual(["Bahasa Indonesia", "Bahasa Melayu", "Čeština", "Dansk"]);
    expect(page).toContain('lang="de" dir="ltr" aria-current="true">Deutsch<');
    expect(answer.headers.get("Cache-Control")).toBe("no-store, no-transform");
  });
});

describe("a choice", () => {
  test("[LANG-7] is kept in a cookie, and leads back", async () => {
    const answer = await ask(choosing("/tickets?day=2"));
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toBe("/tickets?day=2");
    expect(answer.headers.getSetCookie()).toEqual([
      "seiriken-language=ar; Path=/; Max-Age=34560000; HttpOnly; Secure; SameSite=Lax",
    ]);
  });

  test("[LANG-7] counts before what the browser asks for, in queue and errors", async () => {
    const world = new World({ origin: () => Promise.reject(new Error("socket hang up")) });
    const Cookie = "a=b; seiriken-language=ar";
    const headers = { ...DOCUMENT, Cookie, "Accept-Language": "de" };
    world.say({ mode: "queues" });
    expect(await (await world.fetch("/tickets", { headers })).text()).toContain('lang="ar"');
    const lost = await world.fetch("/.seiriken/rooms/nothing", { headers });
    expect(await lost.text()).toContain('lang="ar"');
  });

  test.each(["", "xx", 'en"><b>', "de; q=1", "a".repeat(2_000), "__proto__"])(
    "[LANG-7] %j in the cookie counts for nothing",
    async (value) => {
      const Cookie = `seiriken-language=${value}`;
      const page = await (await ask("to=/", { Cookie, "Accept-Language": "ja" })).text();
      expect(page).toMatch(value.startsWith("de") ? 'lang="de"' : 'lang="ja" dir="ltr">\n');
    },
  );

  test("[LANG-7] the origin does not get it, and keeps its own cookies of like names", () => {
    expect(withoutOurCookies("a=1; seiriken-language=ar; b=2")).toBe("a=1; b=2");
    expect(withoutOurCookies("seiriken-language=ar")).toBe(null);
    expect(withoutOurCookies("seiriken-languages=1; x-seiriken-language=2")).toBe(
      "seiriken-languages=1; x-seiriken-language=2",
    );
  });

  test.each(["", "xx", "EN", "ar,de", "__proto__", "toString"])(
    "[LANG-8] %j is no language of ours: the list again, and no cookie",
    async (language) => {
      const answer = await ask(choosing("/tickets", language));
      expect(answer.status).toBe(200);
      expect(answer.headers.getSetCookie()).toEqual([]);
    },
  );

  test.each([
    ["//elsewhere.example/", "/tickets"],
    ["https://elsewhere.example/", "/tickets"],
    ["/\\elsewhere.example", "/tickets"],
    ["javascript:alert(1)", "/tickets"],
    ["https://u:p@shop.example/tickets", "/tickets"],
    ["/.seiriken/api/rooms", "/tickets"],
    ["", "/tickets"],
    ["https://shop.example/tickets/2", "/tickets/2"],
    ["/a//b?c=//d", "/a//b?c=//d"],
  ])("[LANG-8] from %s back to %s", async (to, expected) => {
    expect((await ask(choosing(to))).headers.get("Location")).toBe(expected);
    expect(await (await ask(`to=${encodeURIComponent(to)}`)).text()).toContain(
      `<a href="${expected}">`,
    );
  });

  test.each([{ "Sec-Fetch-Site": "cross-site" }, { "Sec-Purpose": "prefetch" }])(
    "[LANG-8] %j chooses nothing",
    async (headers) => {
      const answer = await ask(choosing("/tickets"), headers);
      expect(answer.status).toBe(200);
      expect(answer.headers.getSetCookie()).toEqual([]);
    },
  );
});
