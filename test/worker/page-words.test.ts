import { describe, expect, test } from "vitest";
import { catalogOf } from "../../src/worker/page/catalogs.ts";
import { renderQueuePage } from "../../src/worker/page/index.ts";
import { chooseLanguage, spokenAs } from "../../src/worker/page/language.ts";
import { contrast, palettesOf } from "../../src/worker/page/palette.ts";
import { createWords } from "../../src/page/words.ts";
import { pageInput } from "./page-input.ts";

const wordsOf = (language: string) => createWords(language, catalogOf(language).page);

describe("languages", () => {
  test.each([
    ["ja", "ja"],
    ["de-AT, en;q=0.5", "de"],
    ["eo, ja;q=0.8, en;q=0.9", "en"],
    ["en;q=0, de;q=0.1", "de"],
    ["eo, *;q=0.5", "en"],
    ["JA-jp", "ja"],
    ["", "en"],
    [";;;,,q=1", "en"],
    ["de;q=nonsense, ja;q=0.2", "ja"],
  ])("[PAGE-16] for %j the page speaks %s", (header, expected) => {
    expect(chooseLanguage(header).language).toBe(expected);
    expect(renderQueuePage(pageInput({ languages: header })).html).toContain(
      `<html lang="${expected}" dir="ltr">`,
    );
  });

  test.each([
    ["", "de-DE", "de"],
    ["eo", "ja-JP", "ja"],
    ["eo, en;q=0.1", "ja-JP", "en"],
    ["eo", "eo", "en"],
  ])("[PAGE-16] for %j, in a room that has %s, it speaks %s", (languages, defaultLanguage, is) => {
    const { html } = renderQueuePage(pageInput({ languages, defaultLanguage }));
    expect(html).toContain(`<html lang="${is}" dir="ltr">`);
    expect(chooseLanguage(languages, defaultLanguage).language).toBe(is);
  });

  test.each([
    ["en-GB, en;q=0.8", "en-GB"],
    ["de-ch", "de-CH"],
    ["ja", "ja"],
    ["de-a", "de"],
    ["en-" + "x".repeat(50), "en"],
    ["eo", "en"],
    ["yue", "zh-TW"],
  ])("[PAGE-16] for %j it writes numbers and times as in %s", (header, expected) => {
    expect(chooseLanguage(header).locale).toBe(expected);
  });

  test.each([
    ["zh", "zh-CN"],
    ["zh-CN", "zh-CN"],
    ["zh-SG", "zh-CN"],
    ["zh-Hans-HK", "zh-CN"],
    ["zh-TW", "zh-TW"],
    ["zh-HK", "zh-TW"],
    ["zh-MO", "zh-TW"],
    ["zh-hant", "zh-TW"],
    ["yue-HK", "zh-TW"],
    ["zh-" + "x".repeat(50), "zh-CN"],
    ["pt-PT", "pt-BR"],
    ["no", "nb"],
    ["nn-NO", "nb"],
    ["fil-PH", "tl"],
    ["iw", "he"],
    ["in", "id"],
    ["sr-Cyrl-RS", "sr-Latn"],
    ["bs-BA", "sr-Latn"],
    ["es-419", "es"],
  ])("[LANG-3] %s means our %s", (tag, expected) => {
    expect(spokenAs(tag)).toBe(expected);
  });

  test("[LANG-4] [PAGE-16] a language from right to left turns the page", () => {
    const { html } = renderQueuePage(pageInput({ languages: "ar" }));
    expect(html).toContain('<html lang="ar" dir="rtl">');
  });

  test("[LANG-4] texts from elsewhere keep their own direction in a sentence from right to left", () => {
    const said = (languages: string) =>
      renderQueuePage(pageInput({ languages, message: "x" })).html;
    expect(said("ar")).toContain("\u2068Jazz Festival\u2069");
    expect(said("ar")).toContain("\u20687F3K-2QXM\u2069");
    expect(said("de")).not.toMatch(/[\u2066-\u2069]/);
  });

  test("[LANG-5] fonts of a script are in its own pages only, and Chinese has its own two", () => {
    const style = (languages: string) =>
      /<style[^>]*>(.*?)<\/style>/s.exec(renderQueuePage(pageInput({ languages })).html)![1]!;
    expect(style("zh-TW")).toMatch(/PingFang TC(?!.*PingFang SC)/);
    expect(style("zh-TW")).not.toContain("Hiragino");
    expect(style("ja")).toContain("Hiragino");
    expect(style("en")).not.toMatch(/--letters:/);
  });
});

describe("spans and estimates", () => {
  test.each([
    [1, "1 second"],
    [60, "60 seconds"],
    [119, "119 seconds"],
    [120, "2 minutes"],
    [121, "2 minutes 1 second"],
    [300, "5 minutes"],
    [3_600, "60 minutes"],
    [7_199, "119 minutes 59 seconds"],
    [7_200, "2 hours"],
    [7_260, "2 hours 1 minute"],
    [86_400, "24 hours"],
  ])("[PAGE-8] %i seconds that hold are told as %s", (seconds, text) => {
    expect(wordsOf("en").span(seconds)).toBe(text);
  });

  test.each([
    [{ known: false }, "Not known yet"],
    [null, "Not known yet"],
    [{ known: false, reason: "no-ends" }, "Not known yet"],
    [{ known: false, reason: "long" }, "More than a day"],
    [{ known: false, reason: "paused" }, "Not known yet"],
    [{ known: true, low: 0, high: 49 }, "Under a minute"],
    [{ known: true, low: 0, high: 50 }, "Up to 1 minute"],
    [{ known: true, low: 0, high: 60 }, "Up to 1 minute"],
    [{ known: true, low: 59, high: 61 }, "Up to 2 minutes"],
    [{ known: true, low: 60, high: 60 }, "About 1 minute"],
    [{ known: true, low: 480, high: 700 }, "8–12 minutes"],
    [{ known: true, low: 1_000, high: 1_800 }, "15–30 minutes"],
    [{ known: true, low: 3_599, high: 5_400 }, "0.5–1.5 hours"],
    [{ known: true, low: 90_000, high: 100_000 }, "25–28 hours"],
    [{ known: true, seconds: 150 }, "2–3 minutes"],
    [{ known: true, low: 600, high: 60 }, "About 10 minutes"],
  ])("[PAGE-7] the wait %j reads %s: its ends are rounded outwards", (eta, text) => {
    expect(wordsOf("en").wait(eta)).toBe(text);
  });

  test("[PAGE-7] why it is not known is said below, where the page can say it", () => {
    const rendered = (reason: "no-ends" | "paused" | "long") => {
      const { ticket } = pageInput();
      const eta = { known: false, seconds: null, low: null, high: null, reason };
      return renderQueuePage(pageInput({ ticket: { ...ticket!, eta } })).html;
    };
    const why = "It will be once the first visitors have left.";
    expect(rendered("no-ends")).toContain(`<dd id="wait">Not known yet<dd id="why">${why}</div>`);
    expect(rendered("paused")).toContain('<dd id="wait">Not known yet<dd id="why"></div>');
    expect(rendered("long")).toContain('<dd id="wait">More than a day<dd id="why"></div>');
  });

  test("[PAGE-7] in Japanese and German as there", () => {
    const eta = { known: true, low: 480, high: 700 };
    expect(wordsOf("ja").wait(eta)).toBe("8〜12分");
    expect(wordsOf("de").wait({ known: true, low: 5_400, high: 9_000 })).toBe("1,5–2,5 Stunden");
    expect(wordsOf("de").number(1_204_337)).toBe("1.204.337");
  });
});

describe("colours", () => {
  const accents = ["#1d4e79", "#ffd400", "#e4572e", "#777777", "#000000", "#ffffff", "#00ff00"];

  test.each(accents)(
    "[PAGE-18] %s: text 7:1, shapes 3:1, labels 4.5:1, by day and night",
    (accent) => {
      const { light, dark } = palettesOf(accent);
      for (const { bg, paper, ink, soft, tint, accent: fill, on } of [light, dark]) {
        for (const ground of [bg, paper]) {
          for (const text of [ink, soft, tint]) {
            expect(contrast(text, ground)).toBeGreaterThanOrEqual(7);
          }
          expect(contrast(fill, ground)).toBeGreaterThanOrEqual(3);
        }
        expect(contrast(on, fill)).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  test("[PAGE-18] an accent that stands out by itself is left as it is", () => {
    expect(palettesOf("#c8102e").light.accent).toBe("#c8102e");
  });
});
