import { describe, expect, test } from "vitest";
import {
  bareAddress,
  clientNetwork,
  clientNetworkText,
  isInNetwork,
  parseAddress,
  parseNetwork,
} from "../../../src/core/address/ip-address.ts";

describe("an address", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    [" 192.0.2.7:4711 ", "192.0.2.7"],
    ['"[2001:DB8::1]:4711"', "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["::ffff:192.0.2.7", "::ffff:192.0.2.7"],
  ])("[TRUST-4] %s is %s, without what proxies write around it", (text, bare) => {
    expect(bareAddress(text)).toBe(bare);
    expect(parseAddress(text)).toEqual(parseAddress(bare));
    expect(parseAddress(text)).not.toBeNull();
  });

  test.each([
    ["2001:db8::1", "2001:0db8:0:0:0:0:0:1"],
    ["::", "0:0:0:0:0:0:0:0"],
    ["1::", "1:0:0:0:0:0:0:0"],
    ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::ffff:c000:207", "192.0.2.7"],
    ["0:0:0:0:0:FFFF:192.0.2.7", "192.0.2.7"],
    ["64:ff9b::192.0.2.7", "64:ff9b::c000:207"],
  ])("[TRUST-4] %s and %s are one address", (one, other) => {
    expect(parseAddress(one)).toEqual(parseAddress(other));
    expect(parseAddress(one)).not.toBeNull();
  });

  const none = [
    ...[
      "",
      "unknown",
      "_hidden",
      "localhost",
      "192.0.2",
      "192.0.2.7.1",
      "192.0.2.256",
      "192.0.2.07",
    ],
    ...["192.0.2.-1", "0x7f.1", "192.0.2.7/8", "192.0.2.7:port", "192.0.2.7:123456", "1.2.3.4:5:6"],
    ...[
      ":",
      ":::",
      "1::2::3",
      "1:2:3:4:5:6:7",
      "1:2:3:4:5:6:7:8:9",
      "1:2:3:4:5:6:7:8::",
      "12345::",
    ],
    ...["g::1", "::1.2.3", "::1.2.3.4:5", "1.2.3.4::", "[::1", "::1]", "[::1]x", "[::1]:", "%eth0"],
    ...["٣.0.2.1", "192.0.2.7\u0000", "1e3.0.0.1", `192.0.2.7${" ".repeat(70)}x`],
  ];
  test.each(none)("[TRUST-4] %j is none", (text) => {
    expect(parseAddress(text)).toBeNull();
  });
});

describe("a network", () => {
  test.each([
    ["10.0.0.0/8", "10.255.255.255", "11.0.0.0"],
    ["10.0.0.0/8", "::ffff:10.0.0.1", "::a00:1"],
    ["::ffff:10.0.0.0/104", "10.9.9.9", "11.0.0.0"],
    ["192.0.2.7", "192.0.2.7", "192.0.2.8"],
    ["0.0.0.0/0", "198.51.100.1", "2001:db8::1"],
    ["::/0", "2001:db8::1", "198.51.100.1"],
    ["2001:db8::/33", "2001:db8:7fff::1", "2001:db8:8000::1"],
    ["2001:db8::1/128", "2001:db8::1", "2001:db8::2"],
  ])("[TRUST-4] %s holds %s and not %s", (network, inside, outside) => {
    const parsed = parseNetwork(network)!;
    expect(isInNetwork(parseAddress(inside)!, parsed)).toBe(true);
    expect(isInNetwork(parseAddress(outside)!, parsed)).toBe(false);
  });

  const none = ["", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.0/-1", "10.0.0.1/8"];
  test.each([...none, "2001:db8::/129", "::ffff:10.0.0.0/95", "10.0.0.0:80/8", "[::1]/128", "a/8"])(
    "[TRUST-4] %j is none",
    (text) => {
      expect(parseNetwork(text)).toBeNull();
    },
  );
});

test.each([
  ["192.0.2.7", "::ffff:192.0.2.7", true],
  ["192.0.2.7", "192.0.2.8", false],
  ["2001:db8:1:2::1", "2001:DB8:1:2:3:4:5:6", true],
  ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
  ["::1", "0.0.0.1", false],
  ["::ffff:192.0.2.7", "::ffff:192.0.2.8", false],
])("[VISITOR-6] %s and %s are one client: %s", (one, other, same) => {
  expect(clientNetwork(one) === clientNetwork(other)).toBe(same);
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["[2001:db8:0:1:9:9:9:9]:443", "2001:db8:0:1::/64"],
  ["", null],
  ["no address\nat all", null],
])("[OPLOG-1] for people the network of %j is %j", (address, shown) => {
  expect(clientNetworkText(address)).toBe(shown);
});
