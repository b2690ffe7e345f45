import { expect, test } from "vitest";
import { NAMES_MAX, SentHeaders } from "../../src/worker/arrival/sent-headers.ts";

const read = (values: Record<string, string>) => new SentHeaders(new Headers(values));

test("headers are found by their names, whatever was sent before", () => {
  for (const host of ["one.example", "two.example"]) {
    const sent = read({ Host: host, Accept: "*/*", "X-Own": host });
    expect([...sent.names].toSorted()).toEqual(["accept", "host", "x-own"]);
    expect([sent.get("host"), sent.get("x-own"), sent.get("accept")]).toEqual([host, host, "*/*"]);
    expect(sent.get("cookie")).toBeNull();
  }
  const fewer = read({ Host: "one.example", "X-Own": "1" });
  expect([...fewer.names].toSorted()).toEqual(["host", "x-own"]);
  expect([fewer.get("accept"), fewer.get("x-own")]).toEqual([null, "1"]);
  expect([read({}).names, read({}).get("host")]).toEqual([[], null]);
});

test("the same names are the same list, but not those that are too long to be kept", () => {
  expect(read({ Accept: "a", Host: "b" }).names).toBe(read({ Accept: "c", Host: "d" }).names);
  const long = `x-${"y".repeat(100)}`;
  expect(read({ [long]: "1" }).names).toEqual([long]);
  expect(read({ [long]: "1" }).names).not.toBe(read({ [long]: "1" }).names);
});

test("a list of more names than any client sends is read, and not kept", () => {
  const headersOf = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, String(at)]));
  expect(read(headersOf(NAMES_MAX)).names).toBe(read(headersOf(NAMES_MAX)).names);
  const sent = read(headersOf(NAMES_MAX + 2));
  expect(sent.names).not.toBe(read(headersOf(NAMES_MAX + 2)).names);
  expect(sent.names).toHaveLength(NAMES_MAX + 2);
  expect(sent.get(`x-${NAMES_MAX + 1}`)).toBe(String(NAMES_MAX + 1));
});

test("ever new names are forgotten again, and read rightly all the while", () => {
  const before = read({ Accept: "a" }).names;
  for (let at = 0; at < 4_500; at += 1) {
    const sent = read({ [`x-new-${at}`]: String(at), "x-too": "1" });
    expect(sent.get(`x-new-${at}`)).toBe(String(at));
  }
  expect(read({ Accept: "a" }).names).toEqual(before);
  expect(read({ Accept: "a" }).names).not.toBe(before);
});
