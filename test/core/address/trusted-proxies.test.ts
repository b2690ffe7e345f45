import { describe, expect, test } from "vitest";
import {
  clientBehind,
  isTrustedProxies,
  parseTrustedProxies,
  withoutPeer,
  type TrustedProxies,
} from "../../../src/core/address/trusted-proxies.ts";
import { fastestMs } from "../../support/fastest.ts";

const PROXY = "10.0.0.1";
const addressBehind = (trusted: TrustedProxies, peer: string | null, chain: string) =>
  clientBehind(trusted, peer, chain).address;

describe("so many proxies", () => {
  test.each<[number, string, string]>([
    [0, "192.0.2.1", PROXY],
    [1, "192.0.2.1", "192.0.2.1"],
    [1, "6.6.6.6, 192.0.2.1", "192.0.2.1"],
    [1, "6.6.6.6,192.0.2.1:4711", "192.0.2.1"],
    [2, "6.6.6.6, 192.0.2.1, 198.51.100.1", "192.0.2.1"],
    [2, "192.0.2.1", "192.0.2.1"],
    [1, "", PROXY],
    [1, "unknown", PROXY],
    [2, "192.0.2.1, unknown", PROXY],
    [1, "6.6.6.6, [2001:DB8::1]:99", "2001:db8::1"],
    [1, "192.0.2.1, , ", "192.0.2.1"],
  ])("[TRUST-2] behind %i, with the chain %j: %s", (hops, chain, address) => {
    expect(addressBehind(hops, PROXY, chain)).toBe(address);
  });

  test("[TRUST-2] where nobody knows who is connected, the chain alone tells", () => {
    expect(addressBehind(1, null, "6.6.6.6, 192.0.2.1")).toBe("192.0.2.1");
    expect(addressBehind(0, null, "6.6.6.6")).toBeNull();
  });
});

describe("the proxies of some networks", () => {
  const trusted = ["10.0.0.0/8", "2001:db8:f::/48"];
  test.each<[string, string, string]>([
    [PROXY, "192.0.2.1", "192.0.2.1"],
    [PROXY, "6.6.6.6, 192.0.2.1, 10.9.9.9", "192.0.2.1"],
    [PROXY, "10.6.6.6, 192.0.2.1", "192.0.2.1"],
    ["::ffff:10.0.0.1", "192.0.2.1", "192.0.2.1"],
    ["2001:db8:f::1", "192.0.2.1, 10.0.0.2", "192.0.2.1"],
    ["192.0.2.9", "6.6.6.6", "192.0.2.9"],
    [PROXY, "192.0.2.1, _hidden", PROXY],
    [PROXY, "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    [PROXY, "", PROXY],
  ])("[TRUST-3] connected from %s, with the chain %j: %s", (peer, chain, address) => {
    expect(addressBehind(trusted, peer, chain)).toBe(address);
  });

  test("[TRUST-3] nobody is believed where nobody knows who is connected", () => {
    expect(addressBehind(trusted, null, "192.0.2.1")).toBeNull();
  });
});

test("[TRUST-5] what the client itself sent of its way is told apart, and nothing right of it", () => {
  const client = clientBehind(2, PROXY, "6.6.6.6, 7.7.7.7,192.0.2.1, 198.51.100.1");
  expect(client).toEqual({ address: "192.0.2.1", before: "6.6.6.6, 7.7.7.7" });
  expect(clientBehind(1, PROXY, "192.0.2.1")).toEqual({ address: "192.0.2.1", before: "" });
});

test("[TRUST-5] an edge's chain is taken without whom the edge heard from", () => {
  expect(withoutPeer("6.6.6.6, 192.0.2.1, 10.0.0.1", PROXY)).toBe("6.6.6.6, 192.0.2.1");
  expect(withoutPeer("6.6.6.6, 192.0.2.1", PROXY)).toBe("6.6.6.6, 192.0.2.1");
  expect(withoutPeer("6.6.6.6", null)).toBe("6.6.6.6");
});

test("[TRUST-4] a chain of any length takes no more than 64 looks", async () => {
  const chain = "6.6.6.6, ".repeat(100_000) + ",".repeat(1_000);
  const took = await fastestMs(() => {
    expect(addressBehind(32, PROXY, chain)).toBe(PROXY);
    expect(addressBehind(["0.0.0.0/0"], PROXY, "6.6.6.6, ".repeat(100_000))).toBe("6.6.6.6");
  });
  expect(took).toBeLessThan(500);
});

test.each<[string, TrustedProxies | null]>([
  ["0", 0],
  [" 2 ", 2],
  ["32", 32],
  ["33", null],
  ["-1", null],
  ["1.5", null],
  ["10.0.0.0/8, 2001:db8::/32 ,192.0.2.1,", ["10.0.0.0/8", "2001:db8::/32", "192.0.2.1"]],
  ["10.0.0.0/8 192.0.2.1", null],
  ["10.0.0.1/8", null],
  ["proxy.example", null],
  ["true", null],
  [Array.from({ length: 65 }, () => "10.0.0.0/8").join(","), null],
])("[TRUST-1] the variable %j says %j", (text, trusted) => {
  expect(parseTrustedProxies(text)).toEqual(trusted);
});

test.each([
  null,
  undefined,
  "1",
  {},
  [1],
  ["10.0.0.0/8", "*"],
  [["10.0.0.0/8"]],
  1.5,
  33,
  Number.NaN,
])("[TRUST-1] %j is no such setting", (value) => {
  expect(isTrustedProxies(value)).toBe(false);
});
