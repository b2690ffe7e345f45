import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalHost, readingsOf } from "../../src/core/url/canonical.ts";
import { AskedUrl } from "../../src/worker/arrival/asked-url.ts";

/** What the parser makes of it, and nothing else. */
const byParser = (text: string) => {
  const url = new URL(text);
  return {
    protocol: url.protocol,
    host: url.host,
    canonicalHost: canonicalHost(url.hostname),
    pathname: url.pathname,
    search: url.search,
    readings: readingsOf(url.pathname),
    href: url.href,
  };
};

const asRead = (text: string) => {
  const { server, pathname, search, readings, whole } = new AskedUrl(text);
  return { ...server, pathname, search, readings, href: whole.href };
};

test.each([
  "http://shop.example/tickets/7?from=list",
  "https://SHOP.example.:443/Tickets/",
  "http://127.1/a",
  "http://0x7f.1:80/a?",
  "http://shop.example:8080",
  "http://shop.example?a=/b/c",
  "http://a@shop.example/b",
  "http://shop.example\\@evil.example/b",
  "http://shop.example/a/../b/./c",
  "http://shop.example/a/%2e%2e/b",
  "http://shop.example/a\\..\\b",
  "http://shop.example/a//b;c=d",
  "http://shop.example/a?b='c'&d=\"e\"#f",
  "http://shop.example/a#b?c",
  "http://shop.example/\u00fc?\u00fc=1",
  "http://[::1]:8080/a",
  "http://[0:0::1]/a",
  "http://xn--bcher-kva.example/a",
])("[PATH-10] %s is read as the parser reads it", (text) => {
  expect(asRead(text)).toEqual(byParser(text));
});

test("[PATH-10] whatever a URL is made of, it is read as the parser reads it", () => {
  const pieces = fc.constantFrom(
    ..."/ /a /B .. . %2e %41 ?x=1 ? & # ; ' @ : \\ ~ - _ \u00e4 | { [ ] + , \t".split(" "),
  );
  const hosts = fc.constantFrom(
    "shop.example",
    "Shop.Example",
    "127.0.0.1",
    "1.2",
    "h:80",
    "h:8080",
    "a.b.",
  );
  const texts = fc
    .tuple(fc.constantFrom("http://", "https://", "HTTP://"), hosts, fc.array(pieces))
    .map(([scheme, host, rest]) => `${scheme}${host}${rest.join("")}`);
  fc.assert(
    fc.property(texts, (text) => {
      fc.pre(URL.canParse(text));
      expect(asRead(text)).toEqual(byParser(text));
    }),
    { numRuns: 3_000 },
  );
});

test("[PATH-10] what is no URL is none here either", () => {
  expect(() => new AskedUrl("http://shop example/a")).toThrow(TypeError);
  expect(() => new AskedUrl("http://:80/a")).toThrow(TypeError);
});
