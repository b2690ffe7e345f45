import { describe, expect, test } from "vitest";
import { catalogs } from "../../src/worker/page/assets.gen.ts";
import { renderQueuePage } from "../../src/worker/page/index.ts";
import { chooseLanguage } from "../../src/worker/page/language.ts";
import { contrast, palettesOf } from "../../src/worker/page/palette.ts";
import { createWords } from "../../src/page/words.ts";
import type { Message } from "../../src/page/words.ts";
import { catalogsWithPseudo } from "../support/pseudo-locale.ts";
import { pageInput } from "./page-input.ts";

const wordsOf = (language: string) => createWords(language, catalogs[language]!.page);

describe("languages", () => {
  test.each([
    ["ja", "ja"],
    ["de-AT, en;q=0.5", "de"],
    ["fr, ja;q=0.8, en;q=0.9", "en"],
    ["en;q=0, de;q=0.1", "de"],
    ["fr, *;q=0.5", "en"],
    ["JA-jp", "ja"],
    ["", "en"],
    [";;;,,q=1", "en"],
    ["de;q=nonsense, ja;q=0.2", "ja"],
  ])("[PAGE-16] for %j the page speaks %s", (header, expected) => {
    expect(chooseLanguage(header, ["en", "de", "ja"]).language).toBe(expected);
    expect(renderQueuePage(pageInput({ languages: header })).html).toContain(
      `<html lang="${expected}" dir="ltr">`,
    );
  });

  test.each([
    ["", "de-DE", "de"],
    ["fr", "ja-JP", "ja"],
    ["fr, en;q=0.1", "ja-JP", "en"],
    ["fr", "tl-PH", "en"],
  ])("[PAGE-16] for %j, in a room that has %s, it speaks %s", (languages, defaultLanguage, is) => {
    const { html } = renderQueuePage(pageInput({ languages, defaultLanguage }));
    expect(html).toContain(`<html lang="${is}" dir="ltr">`);
    const spoken = chooseLanguage(languages, ["en", "de", "ja"], defaultLanguage);
    expect(spoken.language).toBe(is);
  });

  test.each([
    ["en-GB, en;q=0.8", "en-GB"],
    ["de-ch", "de-CH"],
    ["ja", "ja"],
    ["de-a", "de"],
    ["en-" + "x".repeat(50), "en"],
    ["fr", "en"],
  ])("[PAGE-16] for %j it writes numbers and times as in %s", (header, expected) => {
    expect(chooseLanguage(header, ["en", "de", "ja"]).locale).toBe(expected);
  });

  test("[PAGE-16] a language from right to left turns the page", () => {
    const { html } = renderQueuePage(pageInput({ languages: "ar" }), catalogsWithPseudo);
    expect(html).toContain('<html lang="ar" dir="rtl">');
  });

  const holes = (message: Message): string[] =>
    [...(typeof message === "string" ? message : message["other"]!).matchAll(/\{\w+\}/g)]
      .map(([hole]) => hole)
      .toSorted();

  test.each(Object.keys(catalogs))("[PAGE-17] %s says everything that English says", (language) => {
    for (const part of ["page", "server", "lost", "event", "error"] as const) {
      const english = catalogs["en"]![part] as Record<string, Message>;
      const theirs = catalogs[language]![part] as Record<string, Message>;
      expect(Object.keys(theirs)).toEqual(Object.keys(english));
      for (const key of Object.keys(english)) {
        expect({ [key]: holes(theirs[key]!) }).toEqual({ [key]: holes(english[key]!) });
      }
    }
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
    expect(rendered("no-ends")).toContain(
      `<dd id="wait">Not known yet</dd><dd id="why">${why}</dd>`,
    );
    expect(rendered("paused")).toContain('<dd id="wait">Not known yet</dd><dd id="why"></dd>');
    expect(rendered("long")).toContain('<dd id="wait">More than a day</dd><dd id="why"></dd>');
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
