import { expect, test } from "vitest";
import {
  canonicalHost,
  canonicalPath,
  holdsPath,
  readingsOf,
} from "../../src/core/url/canonical.ts";
import { ownPathOf } from "../../src/worker/arrival/own-path.ts";
import { RouteTable } from "../../src/core/gate/route-table.ts";
import { DOCUMENT, roomOf, World } from "./fakes.ts";
import { fastestMs } from "../support/fastest.ts";

const canonical = (path: string): string | null =>
  readingsOf(new URL(path, "https://shop.example").pathname)?.[0] ?? null;

test.each([
  ["/tickets", "/tickets"],
  ["/tickets/", "/tickets"],
  ["/Tickets/VIP", "/tickets/vip"],
  ["/", "/"],
  ["", "/"],
  ["//tickets".replace("//", "/%2f"), "/tickets"],
  ["https://shop.example//tickets///vip", "/tickets/vip"],
  ["/a/../tickets", "/tickets"],
  ["/./tickets/.", "/tickets"],
  ["/a/%2e%2e/tickets", "/tickets"],
  ["/a/%2E./tickets", "/tickets"],
  ["/%74icke%74s", "/tickets"],
  ["/tickets%2Fvip", "/tickets/vip"],
  ["/tickets%5cvip", "/tickets/vip"],
  ["/tickets\\vip", "/tickets/vip"],
  ["/caf%C3%A9", "/café"],
  ["/cafe%CC%81", "/café"],
  ["/a%20b", "/a b"],
  ["/file%2Etxt", "/file.txt"],
])("[PATH-1] %s is spelled %s", (path, spelling) => {
  expect(canonical(path)).toBe(spelling);
});

test.each([
  ["a stray percent sign", "/100%"],
  ["half an escape", "/tickets%2"],
  ["another notation of escapes", "/%u0074ickets"],
  ["a zero byte", "/tickets%00"],
  ["a line break", "/tickets%0d%0a"],
  ["an overlong slash", "/a%c0%aftickets"],
  ["an overlong dot", "/%c0%ae%c0%ae/tickets"],
  ["a long overlong slash", "/a%e0%80%aftickets"],
  ["dots behind an encoded slash", "/a%2f..%2ftickets"],
  ["encoded dots behind an encoded slash", "/a%2f%2e%2e%2ftickets"],
  ["dots before parameters", "/a/..;/tickets"],
  ["dots encoded twice", "/a/%252e%252e/tickets"],
  ["dots encoded twice, with a slash", "/a%252f..%252ftickets"],
  ["four layers of escapes", "/%2525252574ickets"],
  ["dots and an encoded blank", "/a/..%20/tickets"],
  ["a blank between dots", "/a/.%20./tickets"],
  ["three dots", "/a/.../tickets"],
  ["three encoded dots", "/a/%2e%2e%2e/tickets"],
  ["a dot and a blank", "/a/.%20/tickets"],
  ["dots and a blank of another script", "/a/..%e3%80%80/tickets"],
  ["full-width dots", "/a/%ef%bc%8e%ef%bc%8e/tickets"],
  ["a two-dot leader", "/a/%e2%80%a5/tickets"],
  ["an ellipsis", "/a/%e2%80%a6/tickets"],
  ["dots with something invisible between them", "/a/.%e2%80%8b./tickets"],
  ["dots behind a full-width slash", "/a%ef%bc%8f..%ef%bc%8ftickets"],
  ["an escape behind a full-width percent sign", "/%ef%bc%8574ickets"],
])("[PATH-2] %s has no single meaning", (_what, path) => {
  expect(readingsOf(new URL(path, "https://shop.example").pathname)).toBeNull();
});

test.each([
  ["parameters", "/tickets;v=1/vip", "/tickets/vip"],
  ["a dot at the end", "/tickets./vip", "/tickets/vip"],
  ["a blank at the end", "/tickets%20", "/tickets"],
  ["double escapes", "/%2574ickets", "/tickets"],
  ["the spelling itself", "/a%2fb", "/a%2fb"],
  ["full-width letters", "/%ef%bd%94ickets", "/tickets"],
  ["a full-width slash", "/tickets%ef%bc%8fvip", "/tickets/vip"],
  ["a full-width question mark", "/tickets%ef%bc%9fx", "/tickets"],
  ["a full-width semicolon", "/tickets%ef%bc%9bx/vip", "/tickets/vip"],
  ["a long s", "/ticket%c5%bf", "/tickets"],
  ["the Kelvin sign", "/tic%e2%84%aaets", "/tickets"],
  ["a dotless i", "/t%c4%b1ckets", "/tickets"],
  ["a dotted capital I", "/t%c4%b0ckets", "/tickets"],
  ["a ligature", "/o%ef%ac%83ce", "/office"],
  ["a sharp s", "/stra%c3%9fe", "/strasse"],
  ["an invisible character", "/tick%c2%adets", "/tickets"],
  ["a blank of another script at the end", "/tickets%e2%80%83", "/tickets"],
  ["folded letters behind double escapes", "/%25ef%25bd%2594ickets", "/tickets"],
  ["letters of Latin-1", "/stra%DFe/x", "/straße/x"],
  ["folded letters of Latin-1", "/stra%dfe/x", "/strasse/x"],
  ["blanks of Latin-1 at an end", "/a%a0/b", "/a/b"],
  ["a line's end of Latin-1", "/a%85", "/a"],
])("[PATH-3] %s make a further reading: %s", (_what, path, reading) => {
  expect(readingsOf(path)).toContain(reading);
});

test("[PATH-3] a long path is read in no more than a moment, whatever it is made of", async () => {
  const long = 60_000;
  for (const part of [
    ".",
    "%20",
    "..x",
    ";",
    "%25",
    "%c2%ad",
    "%ef%bc%8e",
    "/.",
    "%c0%ae",
    "a;",
    "%a0",
    "%df",
  ]) {
    const path = `/${part.repeat(long / part.length)}x`;
    const took = await fastestMs(() => ownPathOf(path, readingsOf(path)));
    expect([part, took < 500]).toEqual([part, true]);
  }
});

test("[PATH-4] a plain path has one reading", () => {
  expect(readingsOf("/Tickets/a-b_c~d.html")).toEqual(["/tickets/a-b_c~d.html"]);
});

test("[PATH-5] a host has no port, no case and no trailing dot", () => {
  expect(canonicalHost(new URL("https://SHOP.example.:8443/").hostname)).toBe("shop.example");
});

test.each([
  ["/stra%c3%9fe", "/Straße"],
  ["/STRASSE", "/straße"],
  ["/%ef%bd%81", "/a"],
  ["/a", "/ａ"],
  ["/caf%C3%89", "/café"],
  ["/caf%E9", "/café"],
])("[PATH-6] %s is below a route on %s", (path, route) => {
  const room = roomOf({ routes: [{ host: "shop.example", path: route }] });
  expect(new RouteTable([room]).ownerOf("shop.example", readingsOf(path)!).kind).toBe("one");
});

test("[PATH-6] an operator's path is brought to the same spelling", () => {
  expect(canonicalPath("Tickets//Café/")).toBe("/tickets/café");
  expect(canonicalPath("/%")).toBeNull();
});

test.each([
  ["/a", "/a", true],
  ["/a", "/a/b", true],
  ["/a", "/ab", false],
  ["/", "/anything", true],
  ["/a/b", "/a", false],
])("[ROUTE-1] a route on %s and the path %s: %s", (route, path, holds) => {
  expect(holdsPath(route, path)).toBe(holds);
});

const SPELLINGS = [
  "/tickets",
  "/TICKETS",
  "//tickets",
  "/tickets/",
  "/a/../tickets",
  "/a/%2e%2e/tickets",
  "/%74ickets",
  "/tickets%2f1",
  "/tickets;a=b",
  "/tickets.",
  "/tickets%20",
  "/%2574ickets",
  "/tickets?x=/about",
  "/tickets%5c1",
  "/about%2f..%2ftickets",
  "/about/..;/tickets",
  "/tickets%00",
  "/%c0%aftickets",
  "/%ef%bd%94ickets",
  "/ticket%c5%bf",
  "/tic%e2%84%aaets",
  "/t%c4%b1ckets/",
  "/x/..%20/tickets",
  "/.%20./tickets",
  "/x/.../tickets",
  "/x%ef%bc%8f..%ef%bc%8ftickets",
];

test.each(SPELLINGS)(
  "[PATH-7] [GATE-1] nothing spelled %s reaches the origin without a pass",
  async (path) => {
    for (const method of ["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD"]) {
      for (const host of ["https://shop.example", "https://SHOP.example.:444"]) {
        const world = new World();
        world.say({ mode: "queues" });
        const answer = await world.fetch(`${host}${path}`, { method, headers: DOCUMENT });
        expect([503, 400]).toContain(answer.status);
        expect(world.seen).toEqual([]);
      }
    }
  },
);

test("[PATH-8] a host without rooms is none of our business, however its paths are spelled", async () => {
  const world = new World();
  const answer = await world.fetch("https://other.example/100%", { headers: DOCUMENT });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Seiriken-Status")).toBe("unprotected");
});

test("[PATH-9] a path without a single meaning is refused with 400 ambiguous-url", async () => {
  const answer = await new World().fetch("/about%00");
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: "ambiguous-url" });
  expect(answer.headers.get("Seiriken-Status")).toBe("error");
});

test("[PATH-10] the origin gets the path as the client spelled it, dot segments resolved", async () => {
  const world = new World();
  await world.fetch("/Tickets//a%2fb/../c;x=1?q=%2F", {
    headers: { Cookie: `__Host-seiriken-pass-shop=${await world.passToken()}` },
  });
  expect(world.seen[0]?.url).toBe("https://shop.example/Tickets//c;x=1?q=%2F");
});
