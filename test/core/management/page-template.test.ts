import fc from "fast-check";
import Mustache from "mustache";
import { describe, expect, test } from "vitest";
import {
  DELIMITER_LENGTH_MAX,
  DEPTH_MAX,
  PAGE_LENGTH_MAX,
  readTemplate,
  TAG_LENGTH_MAX,
  TAGS_MAX,
} from "../../../src/api/rooms/page-template.ts";
import { parseRoom } from "../../../src/api/rooms/schema.ts";
import { ownTemplate } from "../../../src/worker/page/own-template.ts";
import type { PageVariables } from "../../../src/worker/page/own-template.ts";
import { fastestMs } from "../../support/fastest.ts";

const MINUTE_NAMES = ["waitTime", "waitTimeHours", "waitTimeHourMinutes", "timeUntilEventEnd"];
const FLAG_NAMES = ["waitTimeKnown", "queueIsFull", "queueAll", "isFIFOQueue", "isEventActive"];
const TEXT_NAMES = ["waitTimeFormatted", "lastUpdated", "turnstile", "queueingMethod"];
const NAMES = [...MINUTE_NAMES, ...FLAG_NAMES, ...TEXT_NAMES];
const STRANGE = ["seiriken.number", "waitTimeFormatted.length", ".", "nothing", "a b", "no.such"];

const recordOf = (names: readonly string[], value: fc.Arbitrary<unknown>) =>
  fc.record(Object.fromEntries(names.map((name) => [name, value])));

/** What a page may be told. */
const states = fc
  .tuple(
    recordOf(MINUTE_NAMES, fc.nat(3_000)),
    recordOf(FLAG_NAMES, fc.boolean()),
    recordOf(TEXT_NAMES, fc.constantFrom("", "5 minutes", "</script><b>'&\"`=/")),
    fc.option(fc.nat()),
  )
  .map(([minutes, flags, texts, number]): PageVariables => {
    return { ...minutes, ...flags, ...texts, seiriken: { number } } as PageVariables;
  });

const name = fc.constantFrom(...NAMES, ...STRANGE);
const words = fc.constantFrom(
  "<p>",
  "</p>\n",
  " \n\t",
  "{ ",
  "}}",
  "Wait",
  "<script>a = {b: 1}</script>",
  "",
);
/** Templates that nest as templates do, by whatever delimiters hold where they stand. */
const { template } = fc.letrec<{ template: string; part: string }>((tie) => ({
  part: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    words,
    name.map((of) => `{{${of}}}`),
    name.map((of) => `{{{ ${of} }}}`),
    name.map((of) => `{{& ${of}}}`),
    fc.constantFrom("{{! a remark }}\n", "{{> part}}", "{{=<% %>=}}<%waitTime%><%={{ }}=%>"),
    fc
      .tuple(fc.constantFrom("#", "^"), name, tie("template"))
      .map(([sign, of, inner]) => `{{${sign}${of}}}\n${inner}{{/${of}}}`),
  ),
  template: fc.array(tie("part"), { maxLength: 6 }).map((parts) => parts.join("")),
}));

/** The package's own verdict. */
const parses = (html: string): boolean => {
  try {
    new Mustache.Writer().parse(html);
    return true;
  } catch {
    return false;
  }
};

test("[OWNPAGE-2] 500 random templates and states look as the package itself renders them", () => {
  fc.assert(
    fc.property(template, states, (html, state) => {
      expect(ownTemplate(html)?.render(state)).toBe(Mustache.render(html, state));
    }),
    { numRuns: 500 },
  );
});

describe("[OWNPAGE-3] what the package does not parse is refused, and nothing else", () => {
  const piece = fc.oneof(
    fc.constantFrom("{{", "}}", "{{{", "}}}", "{{#", "{{/", "{{^", "{{=", "=}}", "<%", "%>", "="),
    fc.constantFrom("a", "b", " ", "\n", "{", "}", "<% %>", "{{ }}", "{{#a}}", "{{/a}}", "&", "!"),
  );
  test("of 5,000 texts made of what tags are made of", () => {
    const seen = { true: 0, false: 0 };
    const texts = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(texts, (html) => {
        const read = readTemplate(html);
        if (!read.ok && /more than/.test(read.problem)) return;
        expect(read.ok, JSON.stringify(html)).toBe(parses(html));
        seen[`${read.ok}`] += 1;
      }),
      { numRuns: 5_000 },
    );
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(500);
  });

  test.each([
    ["<p>\n  {{waitTime", "line 2, column 3 is never closed"],
    ["{{#a}}", "line 1, column 1 opens a section that is never closed"],
    ["{{#a}}\n{{#b}}\n{{/a}}", 'line 3, column 1 closes "a", but "b" is open'],
    ["x{{/a}}", 'line 1, column 2 closes "a", which is not open'],
    ["{{=<%=}}", "line 1, column 1 must name two delimiters, such as {{=<% %>=}}"],
    ["{{{a}}", "line 1, column 1 is never closed"],
  ])("%j: %s", (html, place) => {
    const room = { name: "a", host: "a.example", total_active_users: 1, new_users_per_minute: 0 };
    const read = parseRoom({ ...room, custom_page_html: html });
    const problems = [
      {
        keys: ["custom_page_html"],
        message: `must be a Mustache template: the tag at ${place}`,
      },
      expect.objectContaining({ keys: ["new_users_per_minute"] }),
    ];
    expect(read).toEqual({ ok: false, problems: expect.arrayContaining(problems) as unknown });
  });
});

describe("[OWNPAGE-4] a template has bounds", () => {
  const nested = (depth: number) => "{{#a}}".repeat(depth) + "{{/a}}".repeat(depth);
  const long = (length: number) => `{{!${"x".repeat(length - 5)}}}`;
  const delimited = (length: number) => `{{=${"<".repeat(length)} >=}}`;
  test.each<[string, string, string]>([
    ["tags", "{{a}}".repeat(TAGS_MAX), "{{a}}".repeat(TAGS_MAX + 1)],
    ["the length of one", long(TAG_LENGTH_MAX), long(TAG_LENGTH_MAX + 1)],
    ["depth", nested(DEPTH_MAX), nested(DEPTH_MAX + 1)],
    ["delimiters", delimited(DELIMITER_LENGTH_MAX), delimited(DELIMITER_LENGTH_MAX + 1)],
  ])("%s: so far, and no further", (_what, within, beyond) => {
    expect(readTemplate(within).ok).toBe(true);
    expect(readTemplate(beyond).ok).toBe(false);
    expect(parses(beyond)).toBe(true);
  });

  const full = (piece: string) => piece.repeat(Math.floor(PAGE_LENGTH_MAX / piece.length));
  test.each<[string, string]>([
    ["one tag of blanks", `{{a${" ".repeat(PAGE_LENGTH_MAX - 10)}b}}`],
    ["nothing but tags", full("{{a}}")],
    ["nothing but openings", full("{{")],
    ["nothing but sections", full("{{#a}}")],
    ["blanks that open a tag", full("{{ ")],
    ["changes of delimiters", full("{{=<< >>=}}<<={{ }}=>>")],
  ])("%s, as long as a page may be, is refused at once", async (_what, html) => {
    const took = await fastestMs(() => expect(readTemplate(html).ok).toBe(false));
    expect(took).toBeLessThan(200);
  });
});

test("[OWNPAGE-9] a name that leads to what cannot be shown throws, and reaches nothing of ours", () => {
  const shown = (html: string) => ownTemplate(html)?.render({ waitTimeFormatted: "5 minutes" });
  expect(shown("{{constructor}}{{valueOf}}{{constructor.constructor}}")).toBe("");
  expect(() => shown("{{waitTimeFormatted.constructor.raw}}")).toThrow("Cannot convert");
});
