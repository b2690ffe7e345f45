import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readDraw } from "../../../cli/draws/read-draw.ts";
import { outcomeOf, rankLine, reportOf } from "../../../cli/draws/report.ts";
import { parseVerifyDrawCommand } from "../../../cli/verify-draw-command.ts";
import { drawResource, parseRecordText } from "../../../src/api/draws/record.ts";
import { DrawnOrder } from "../../../src/core/draw/drawn-order.ts";
import type { Finding } from "../../../src/core/draw/examine.ts";
import { bytesOfHex } from "../../../src/core/hex.ts";
import { ticketNumber } from "../../../src/core/ids.ts";
import { QUICKNET_657413 } from "../../support/drand-rounds.ts";
import { CLOSED, DRAWN, drawnWith, valueOf } from "../../support/draw-record.ts";

const folder = mkdtempSync(join(tmpdir(), "seiriken-draw-"));
afterAll(() => rmSync(folder, { recursive: true }));

const saved = (name: string, record: Parameters<typeof drawResource>[0]): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(drawResource(record)));
  return path;
};

const run = (...argv: readonly string[]) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const file = process.execPath;
    execFile(file, ["cli/verify-draw.ts", ...argv], (failed, out, err) => {
      resolve({ code: failed === null ? 0 : Number(failed.code), out, err });
    });
  });

const SEED = bytesOfHex(DRAWN.drawn!.seed)!;
const RANK = new DrawnOrder(SEED, CLOSED.closed).rankOf(ticketNumber(101))!;

describe("[DRAW-14] npm run verify-draw", () => {
  test("says what holds, and the number's rank", async () => {
    const before = saved("before.json", CLOSED);
    const { code, out, err } = await run(saved("drawn.json", DRAWN), "101", "--before", before);
    expect(err).toBe("");
    expect(code).toBe(0);
    const lines = out.trimEnd().split("\n");
    expect(lines[0]).toContain("numbers 101 to 4,100");
    expect(lines.slice(1, -1).every((line) => line.startsWith("ok  "))).toBe(true);
    expect(lines.at(-1)).toBe(`number 101 has rank ${RANK.toLocaleString("en-US")} of 4,000`);
  });

  test("ends with 1 and no rank where a part fails", async () => {
    const path = saved("forged.json", drawnWith(valueOf(QUICKNET_657413)));
    const { code, out, err } = await run(path, "101");
    expect(code).toBe(1);
    expect(out).toContain("FAIL  announced was round 1000, drawn was by round 657413");
    expect(out).not.toContain("has rank");
    expect(err).toContain("the draw does not hold: public-value");
  });

  test.each([
    [["draw.json"], null],
    [["draw.json", "4017"], 4_017],
    [["draw.json", "#4,017"], 4_017],
    [["draw.json", "4 017"], 4_017],
  ])("reads %j", (argv, number) => {
    expect(parseVerifyDrawCommand(argv)).toEqual({
      kind: "verify",
      source: "draw.json",
      number,
      before: null,
      chain: null,
    });
  });

  test.each([
    [[]],
    [["a", "1", "2"]],
    [["a", "b"]],
    [["a", "0"]],
    [["a", "1.5e3"]],
    [["a", "--trust"]],
  ])("called wrongly: %j", (argv) => {
    expect(() => parseVerifyDrawCommand(argv)).toThrow(expect.objectContaining({ exitCode: 2 }));
  });

  test("numbers before and after the draw have no rank", () => {
    expect(rankLine(DRAWN, ticketNumber(100))).toContain("it was in line before it");
    expect(rankLine(DRAWN, ticketNumber(4_101))).toContain("it came later");
  });

  test("one that is open still says so", () => {
    expect(reportOf({ ...CLOSED, closed: null }, [])).toEqual([
      'draw of "699d98642c564d2e855e9661899b7252" in the room "shop", which is open still',
    ]);
  });

  test("holds where nothing fails, also where the reader has to look", () => {
    const found: Finding = { of: "earlier", verdict: "look", says: "" };
    expect(outcomeOf([found])).toBeNull();
    expect(outcomeOf([found, { ...found, verdict: "fails" }])).toMatchObject({ exitCode: 1 });
  });
});

describe("[DRAW-14] a record from a URL", () => {
  const url = "https://shop.example/.seiriken/rooms/shop/draws/1";
  const answering =
    (body: string, status = 200): typeof fetch =>
    () =>
      Promise.resolve(new Response(body, { status }));

  test("is read as from a file", async () => {
    const json = JSON.stringify(drawResource(DRAWN));
    expect(await readDraw(url, parseRecordText, answering(json))).toEqual(DRAWN);
  });

  test.each([
    ["not-a-record", answering("<html>")],
    ["not-a-record", answering(" ".repeat(10_000_000))],
    ["unreadable", answering("{}", 404)],
    ["unreachable", () => Promise.reject(new TypeError("fetch failed"))],
  ])("otherwise it says %s", async (code, fetchWith) => {
    await expect(readDraw(url, parseRecordText, fetchWith)).rejects.toMatchObject({ code });
  });

  test("a file that is not there", async () => {
    await expect(readDraw(join(folder, "none"), parseRecordText)).rejects.toMatchObject({
      code: "unreadable",
    });
  });
});
