import { describe, expect, test } from "vitest";
import type { Message } from "../../../src/page/words.ts";
import { LANGUAGES as OF_ROOMS } from "../../../src/api/rooms/schema.ts";
import { catalogOf, LANGUAGES } from "../../../src/worker/page/catalogs.ts";
import { spokenAs } from "../../../src/worker/page/language.ts";

const PARTS = ["page", "server", "lost", "event", "error"] as const;
const TO_DO =
  "static/queue/messages: every language says everything. Add the message to each file, in the order of " +
  "en.json; English text is no stand-in (CONTRIBUTING.md, Languages)";

const formsOf = (message: Message): Readonly<Record<string, string>> =>
  typeof message === "string" ? { other: message } : message;

const holesIn = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

const messagesOf = (language: string): readonly (readonly [string, Message])[] =>
  PARTS.flatMap((part) =>
    Object.entries(catalogOf(language)[part] as Record<string, Message>).map(
      ([key, message]) => [`${part}.${key}`, message] as const,
    ),
  );

const english = new Map(messagesOf("en"));

/** Which of the numbers that are counted has this form. */
const numbersOf = (language: string, form: string): number[] => {
  const rules = new Intl.PluralRules(language);
  return Array.from({ length: 1_001 }, (_, n) => n).filter((n) => rules.select(n) === form);
};

describe.each(LANGUAGES)("%s", (language) => {
  const messages = messagesOf(language);

  test("[LANG-2] says everything that English says, with its holes", () => {
    expect(
      messages.map(([key]) => key),
      TO_DO,
    ).toEqual([...english.keys()]);
    for (const [key, message] of messages) {
      const holes = holesIn(formsOf(english.get(key)!)["other"]!);
      expect({ [key]: holesIn(formsOf(message)["other"]!) }).toEqual({ [key]: holes });
    }
  });

  test("[LANG-2] in exactly the plural forms of its language, none without its number but where it is one", () => {
    const expected = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    for (const [key, message] of messages) {
      if (typeof message === "string") continue;
      expect({ [key]: Object.keys(message).toSorted() }).toEqual({ [key]: expected });
      for (const [form, text] of Object.entries(message)) {
        const saysHow = holesIn(text).join() === holesIn(message["other"]!).join();
        const isOne = numbersOf(language, form).length === 1;
        expect(saysHow || isOne, `${key}, ${form}: ${text}`).toBe(true);
      }
    }
  });

  test("[LANG-2] its texts are whole: nothing empty, no blanks around, no markup, no control characters", () => {
    for (const [key, message] of messages)
      for (const text of Object.values(formsOf(message)))
        expect(text, key).toMatch(/^(?!\s)[^<>\p{Cc}\u2028\u2029]+(?<!\s)$/u);
  });
});

test("[LANG-1] every language that a room may name is spoken, and no two are the same", () => {
  const spoken = OF_ROOMS.map((language) => spokenAs(language));
  expect(new Set(spoken)).toEqual(new Set(LANGUAGES));
  expect(spoken).toHaveLength(LANGUAGES.length);
  expect(new Set(LANGUAGES.map((language) => catalogOf(language).name)).size).toBe(39);
});

test("[LANG-2] where English counts, every language does", () => {
  const counted = [...english].filter(([, message]) => typeof message !== "string");
  for (const language of LANGUAGES) {
    const messages = new Map(messagesOf(language));
    for (const [key] of counted)
      expect(typeof messages.get(key), `${language} ${key}`).toBe("object");
  }
});
