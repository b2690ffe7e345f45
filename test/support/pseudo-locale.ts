import { catalogs } from "../../src/worker/page/assets.gen.ts";
import type { Catalog } from "../../src/page/words.ts";

const LATIN = "abcdefghijklmnopqrstuvwxyz";
const ARABIC = "ابتثجحخدذرزسشصضطظعغفقكلمنه";

const turned = (text: string): string =>
  text.replace(/\{\w+\}|[a-z]/gi, (part) =>
    part.length > 1 ? part : (ARABIC[LATIN.indexOf(part.toLowerCase())] ?? part),
  );

const turnAll = (texts: object): object =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      typeof text === "string" ? turned(text) : turnAll(text as object),
    ]),
  );

/** English in Arabic letters, from right to left: for tests of direction, not for reading. */
export const rightToLeft = {
  ...turnAll(catalogs["en"] as Catalog),
  dir: "rtl",
} as Catalog;

export const catalogsWithPseudo: Readonly<Record<string, Catalog>> = {
  ...catalogs,
  ar: rightToLeft,
};
