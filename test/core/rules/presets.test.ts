import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Steps } from "../../../src/core/patterns/steps.ts";
import { compileExpression } from "../../../src/core/rules/compile.ts";
import { parseExpression } from "../../../src/core/rules/parse.ts";
import { requestOf, type Told } from "./requests.ts";

const SECRET = "change-me-to-a-long-random-text";
const at = (path: string) => `https://shop.example${path}`;
const CRAWLER = { verifiedBotCategory: "Search Engine Crawler" };

interface Preset {
  readonly matches: readonly Told[];
  readonly not: readonly Told[];
}

/** In the order of docs/rules.md. */
const PRESETS: readonly Preset[] = [
  {
    matches: [
      { method: "POST", url: at("/webhooks/stripe"), headers: { "Stripe-Signature": "t=1" } },
    ],
    not: [
      { method: "POST", url: at("/webhooks/stripe") },
      { url: at("/webhooks/stripe"), headers: { "Stripe-Signature": "t=1" } },
      { method: "POST", url: at("/checkout"), headers: { "Stripe-Signature": "t=1" } },
    ],
  },
  {
    matches: ["198.51.100.9", "203.0.113.31", "2001:db8:77:1::5"].map((address) => ({
      method: "POST",
      url: at("/payments/notify"),
      address,
    })),
    not: [
      { method: "POST", url: at("/payments/notify"), address: "203.0.113.32" },
      { method: "POST", url: at("/payments/notify/x"), address: "198.51.100.9" },
      { method: "POST", url: at("/payments/notify"), address: null },
    ],
  },
  {
    matches: [{ method: "HEAD", url: at("/health?full=1"), headers: { "X-Monitor-Key": SECRET } }],
    not: [
      { url: at("/health"), headers: { "X-Monitor-Key": "guess" } },
      { url: at("/health") },
      { url: at("/tickets"), headers: { "X-Monitor-Key": SECRET } },
    ],
  },
  {
    matches: [{ edge: CRAWLER }],
    not: [
      { headers: { "User-Agent": "Googlebot/2.1" } },
      { edge: { verifiedBotCategory: "AI Crawler" } },
      { edge: { ...CRAWLER, botManagement: { verifiedBot: false } } },
      { edge: CRAWLER, method: "POST" },
    ],
  },
  {
    matches: [{ address: "192.0.2.15" }, { headers: { Cookie: `a=b; staff=${SECRET}` } }],
    not: [{ address: "192.0.2.16" }, { headers: { Cookie: "staff=1" } }, {}],
  },
  {
    matches: ["/assets/a.css", "/assets/fonts/x.WOFF2", "/Assets/p.jpg?v=2"].map((path) => ({
      url: at(path),
    })),
    not: ["/assets/", "/assets/a.php", "/assets.js", "/x/assets/a.js"].map((path) => ({
      url: at(path),
    })),
  },
];

const texts = [
  ...readFileSync("docs/rules.md", "utf8").matchAll(/^```expression\n(.*?)^```$/gms),
].map(([, text]) => text ?? "");

describe("[BYPASS-12] the ready-made expressions of docs/rules.md", () => {
  test("are all held to requests here", () => {
    expect(texts).toHaveLength(PRESETS.length);
  });

  test.each(texts.map((text, index) => [text, PRESETS[index]!] as const))("%s", (text, preset) => {
    const parsed = parseExpression(text);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problem));
    const decides = compileExpression(parsed.expression);
    const holds = (told: Told) => decides(requestOf(told), new Steps(100_000));
    expect(preset.matches.filter((told) => !holds(told))).toEqual([]);
    expect(preset.not.filter(holds)).toEqual([]);
  });
});
