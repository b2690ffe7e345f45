import { expect, test } from "vitest";
import { Steps } from "../../../src/core/patterns/steps.ts";
import { compileExpression } from "../../../src/core/rules/compile.ts";
import { parseExpression } from "../../../src/core/rules/parse.ts";
import { requestOf } from "./requests.ts";

const REQUEST = requestOf({
  method: "POST",
  url: "https://shop.example/Tickets/list.HTML?a=1&b=two&a=3&say=%C3%A9+x",
  address: "203.0.113.77",
  headers: {
    Accept: "application/json",
    Cookie: "session=abc; theme=dark; theme=light",
    Referer: "https://search.example/?q=tickets",
    "User-Agent": "Mozilla/5.0 (X11; Linux) Probe/2.1",
    "X-Forwarded-For": "192.0.2.1, 192.0.2.2",
    "X-Quote": 'a"b\\c',
    "X-Empty": "",
  },
  edge: {
    country: "JP",
    continent: "AS",
    asn: 64500,
    city: "Tokyo",
    regionCode: "13",
    verifiedBotCategory: "Search Engine Crawler",
    botManagement: {
      score: 99,
      verifiedBot: true,
      staticResource: false,
      corporateProxy: false,
      ja4: "t13d1516h2",
      jsDetection: { passed: true },
    },
    tlsClientAuth: { certVerified: "NONE" },
  },
});
const BARE = requestOf({ url: "http://[2001:db8::1]/", address: "2001:db8::7" });
const NOBODY = requestOf({ address: null });

const holds = (text: string, request = REQUEST): boolean => {
  const parsed = parseExpression(text);
  if (!parsed.ok)
    throw new Error(`${text}: column ${parsed.problem.column} ${parsed.problem.message}`);
  return compileExpression(parsed.expression)(request, new Steps(1_000_000));
};

test.each<[string, boolean]>([
  ['http.host eq "shop.example"', true],
  ['http.host == "shop.example"', true],
  ['http.host eq "Shop.example"', false],
  ['http.host ne "shop.example"', false],
  ['http.host != "api.example"', true],
  ['http.host contains "example"', true],
  ['http.host in {"api.example" "shop.example"}', true],
  ['http.host in {"api.example"}', false],
  ['http.host lt "shop.examplf"', true],
  ['http.host ge "shop.example"', true],
  ['http.host > "shop.example"', false],
  ['http.host <= "a"', false],
  ['http.request.method eq "POST"', true],
  ['http.request.method in {"GET" "HEAD"}', false],
  ['http.request.uri.path eq "/Tickets/list.HTML"', true],
  ['http.request.uri.path eq "/tickets/list.html"', false],
  ['http.request.uri.path contains "/list"', true],
  ['http.request.uri.path.extension eq "html"', true],
  ['http.request.uri.query eq "a=1&b=two&a=3&say=%C3%A9+x"', true],
  ['http.request.uri.query contains "?"', false],
  ['http.request.uri eq "/Tickets/list.HTML?a=1&b=two&a=3&say=%C3%A9+x"', true],
  ['http.request.full_uri contains "https://shop.example/Tickets"', true],
  ['http.request.full_uri wildcard "http*://shop.example/*?a=1*"', true],
  ['http.user_agent contains "Probe/2"', true],
  ['http.referer contains "search.example"', true],
  ['http.cookie contains "session=abc"', true],
  ['http.x_forwarded_for contains "192.0.2.2"', true],
  ["ssl", true],
  ["not ssl", false],
  ["!ssl", false],
  ["!!ssl", true],
  ["true", true],
  ["not false", true],
])("[EXPR-1] %s: %s", (expression, expected) => {
  expect(holds(expression)).toBe(expected);
});

test.each<[string, boolean]>([
  ["ip.src eq 203.0.113.77", true],
  ["ip.src ne 203.0.113.77", false],
  ["ip.src == 203.0.113.78", false],
  ["ip.src in {203.0.113.0/24}", true],
  ["ip.src in {203.0.113.64/28}", true],
  ["ip.src in {203.0.113.80/28}", false],
  ["ip.src in {192.0.2.0/24 203.0.113.77 2001:db8::/32}", true],
  ["ip.src in {203.0.113.70..203.0.113.77}", true],
  ["ip.src in {203.0.113.78..203.0.113.99}", false],
  ["ip.src in {0.0.0.0/0}", true],
  ["ip.src in {::/0}", false],
  ["ip.src in {::ffff:203.0.113.77}", true],
  ["ip.src in {10.0.0.0/8 10.1.0.0/16 203.0.113.0/25 203.0.113.76/30}", true],
  ['ip.src.country eq "JP"', true],
  ['ip.geoip.country in {"US" "JP"}', true],
  ['ip.src.continent ne "AS"', false],
  ["ip.src.asnum eq 64500", true],
  ["ip.geoip.asnum in {64496..64511 65536}", true],
  ["ip.src.asnum in {1 2 3..64499}", false],
  ['ip.src.city eq "Tokyo"', true],
  ['ip.src.region_code eq "13"', true],
  ["ip.src.is_in_european_union", false],
  ["cf.bot_management.score gt 30", true],
  ["cf.bot_management.score lt 30", false],
  ["cf.bot_management.score ge 99", true],
  ["cf.bot_management.score <= 99", true],
  ["cf.bot_management.score == 0x63", true],
  ["cf.bot_management.score ne -99", true],
  ["cf.bot_management.verified_bot", true],
  ["cf.bot_management.static_resource or cf.bot_management.corporate_proxy", false],
  ["cf.bot_management.js_detection.passed", true],
  ['cf.bot_management.ja4 contains "h2"', true],
  ["cf.client.bot", true],
  ['cf.verified_bot_category eq "Search Engine Crawler"', true],
  ["cf.tls_client_auth.cert_verified", false],
])("[EXPR-2] %s: %s", (expression, expected) => {
  expect(holds(expression)).toBe(expected);
});

test.each<[string, boolean]>([
  ['http.request.headers["accept"][0] eq "application/json"', true],
  ['http.request.headers["accept"][1] eq "application/json"', false],
  ['any(http.request.headers["accept"][*] contains "json")', true],
  ['all(http.request.headers["accept"][*] contains "json")', true],
  ['any(http.request.headers["x-none"][*] contains "json")', false],
  ['all(http.request.headers["x-none"][*] contains "json")', false],
  ['not any(http.request.headers["x-none"][*] contains "json")', true],
  ['http.request.headers["x-empty"][0] eq ""', true],
  ['any(http.request.headers.names[*] == "x-quote")', true],
  ['any(http.request.headers.names[*] == "X-Quote")', false],
  ['any(http.request.headers.values[*] contains "Linux")', true],
  ['has_key(http.request.headers, "cookie")', true],
  ['has_key(http.request.headers, "authorization")', false],
  ['http.request.cookies["session"][0] eq "abc"', true],
  ['http.request.cookies["theme"][1] eq "light"', true],
  ['any(http.request.cookies["theme"][*] eq "light")', true],
  ['all(http.request.cookies["theme"][*] in {"light" "dark"})', true],
  ['all(http.request.cookies["theme"][*] eq "light")', false],
  ['http.request.uri.args["b"][0] eq "two"', true],
  ['http.request.uri.args["say"][0] eq "é x"', true],
  ['any(http.request.uri.args["a"][*] eq "3")', true],
  ['any(http.request.uri.args.names[*] == "b")', true],
  ['any(http.request.uri.args.values[*] == "two")', true],
  ['any(http.request.uri.args["a"][*] == "1" and http.request.uri.args["a"][*] == "3")', false],
  ['any(http.request.uri.args["a"][*] == "1" or http.request.uri.args["a"][*] == "9")', true],
  ['all(http.request.uri.args["a"][*] == "1" xor http.request.uri.args["a"][*] == "3")', true],
  ['all(not http.request.uri.args["a"][*] == "2")', true],
  ['has_value(http.request.uri.args["a"], "3")', true],
  ['any(lower(http.request.headers.names[*])[*] == "x-quote")', true],
  ['any(starts_with(http.request.headers.names[*], "x-q"))', true],
  ['all(len(http.request.uri.args["a"][*])[*] in {1 2})', true],
  ['lower(http.request.headers.values[*])[0] == "application/json"', true],
])("[EXPR-3] %s: %s", (expression, expected) => {
  expect(holds(expression)).toBe(expected);
});

test.each<[string, boolean]>([
  ['starts_with(http.request.uri.path, "/Tickets/")', true],
  ['starts_with(http.request.uri.path, "/tickets/")', false],
  ['starts_with(lower(http.request.uri.path), "/tickets/")', true],
  ['ends_with(http.request.uri.path, ".HTML")', true],
  ['ends_with(http.request.uri.path, ".html")', false],
  ['lower(http.request.uri.path) eq "/tickets/list.html"', true],
  ['upper(http.request.method) eq "POST"', true],
  ['lower(http.request.method) in {"post"}', true],
  ["len(http.request.uri.path) eq 18", true],
  ['len(http.request.uri.args["say"][0]) eq 4', true],
  ["len(http.request.uri.args) eq 3", true],
  ['len(http.request.uri.args["a"]) gt 1', true],
  ['len(http.request.uri.args["none"]) ge 0', false],
  ['not len(http.request.uri.args["none"]) ge 0', true],
  ['concat(http.host, http.request.uri.path) eq "shop.example/Tickets/list.HTML"', true],
  ['concat("as", ip.src.asnum) eq "as64500"', true],
  ['to_string(cf.bot_management.score) eq "99"', true],
  ['to_string(ssl) eq "true"', true],
  ['substring(http.request.uri.path, 1, 8) eq "Tickets"', true],
  ['substring(http.request.uri.path, -4) eq "HTML"', true],
  ['url_decode(http.request.uri.query) contains "say=é x"', true],
])("[EXPR-4] %s: %s", (expression, expected) => {
  expect(holds(expression)).toBe(expected);
});

test.each<[string, boolean]>([
  ['http.request.uri.path wildcard "/tickets/*"', true],
  ['http.request.uri.path strict wildcard "/tickets/*"', false],
  ['http.request.uri.path strict wildcard "/Tickets/*"', true],
  ['http.request.uri.path wildcard "/tickets/*.html"', true],
  ['http.request.uri.path wildcard "/tickets"', false],
  ['http.request.uri.path wildcard "*list*"', true],
  ['http.request.uri.path wildcard "/tickets/list.html*"', true],
  ['http.request.uri.path wildcard "/tickets/list.html*l"', false],
  ['http.request.uri.path wildcard r"/tickets/\\*"', false],
  ['http.request.headers["x-quote"][0] wildcard r"a*\\\\c"', true],
  ['http.request.uri.path matches "^/Tickets/[a-z]+"', true],
  ['http.request.uri.path ~ "^/tickets"', false],
  ['http.request.uri.path matches "(?i)^/tickets/list\\.html$"', true],
  ['http.request.uri.path matches r"/list\\.(html|HTML)$"', true],
  ['http.user_agent matches "Probe/[0-9]+\\.[0-9]+$"', true],
  ['http.user_agent matches r"\\bLinux\\b"', true],
  ['http.user_agent matches r"^\\S+ \\(X11; \\w+\\) .*$"', true],
  ['http.request.uri.query matches r"(^|&)a=\\d(&|$)"', true],
  ['http.request.headers["x-quote"][0] matches "a\\"b"', true],
  ['http.request.headers["x-quote"][0] matches r#"a"b\\\\c"#', true],
])("[EXPR-5] %s: %s", (expression, expected) => {
  expect(holds(expression)).toBe(expected);
});

test.each<[string, boolean]>([
  ['http.request.headers["x-quote"][0] eq "a\\"b\\\\c"', true],
  ['http.request.headers["x-quote"][0] eq r#"a"b\\c"#', true],
  ['http.request.headers["x-quote"][0] eq r##"a"b\\c"##', true],
  ['http.request.headers["accept"][0] eq r"application/json"', true],
  ['http.host eq "\\x73hop.example"', true],
  ['http.host eq "\\163hop.example"', true],
  ['http.host eq r"\\x73hop.example"', false],
])("[EXPR-6] %s: %s", (expression, expected) => {
  expect(holds(expression)).toBe(expected);
});

test.each<[string, boolean]>([
  ["true or false and false", true],
  ["(true or false) and false", false],
  ["false and false or true", true],
  ["false and (false or true)", false],
  ["true or true xor true", true],
  ["(true or true) xor true", false],
  ["true xor true and false", true],
  ["(true xor true) and false", false],
  ["true xor true xor true", true],
  ["not true or true", true],
  ["not (true or true)", false],
  ["not false and false", false],
  ["not false xor true", false],
  ["true && false || true", true],
  ["true ^^ true || false", false],
  ["! false && ! false", true],
  ["not not true", true],
  ['not http.host eq "shop.example"', false],
  ['not http.host eq "shop.example" or ssl', true],
  ["\n  true\tand\r\n true ", true],
  ["(((((true)))))", true],
])("[EXPR-7] %s: %s", (expression, expected) => {
  expect(holds(expression)).toBe(expected);
});

test.each<[string, boolean, boolean]>([
  ["ip.src eq 2001:db8::7", true, false],
  ["ip.src in {2001:db8::/32 192.0.2.0/24}", true, false],
  ["ip.src in {2001:db8::1..2001:db8::ff}", true, false],
  ["ip.src in {203.0.113.0/24}", false, false],
  ["ip.src ne 203.0.113.1", true, false],
  ["not ip.src eq 203.0.113.1", true, true],
  ['ip.src.country eq "JP"', false, false],
  ['ip.src.country ne "JP"', false, false],
  ["cf.bot_management.score lt 30", false, false],
  ["not cf.bot_management.score lt 30", true, true],
  ["cf.client.bot", false, false],
  ["not cf.client.bot", true, true],
  ['http.user_agent eq ""', true, true],
  ['http.request.headers["user-agent"][0] ne "x"', false, false],
  ['lower(http.request.headers["user-agent"][0]) ne "x"', false, false],
  ['starts_with(http.request.headers["user-agent"][0], "")', false, false],
  ["ssl", false, true],
  ['http.request.uri eq "/"', true, true],
  ['http.request.full_uri eq "https://shop.example/"', false, true],
  ['http.request.uri.path.extension eq ""', true, true],
])("[EXPR-8] %s with little said: %s, %s", (expression, bare, nobody) => {
  expect(holds(expression, BARE)).toBe(bare);
  expect(holds(expression, NOBODY)).toBe(nobody);
});

test("[EXPR-9] Cloudflare's own example is understood", () => {
  const expression = `(
    (http.host eq "api.example.com" and http.request.uri.path eq "/api/v2/auth") or
    (http.host matches "^(www|store|shop)\\.example" and http.request.uri.path contains "list") or
    ip.geoip.country in {"CN" "TH" "US"} or ip.geoip.asnum in {12345 54321 11111}
  ) and not ip.src in {11.22.33.0/24}`;
  expect(holds(expression)).toBe(true);
  expect(holds(expression, requestOf({ address: "11.22.33.4", edge: { asn: 12345 } }))).toBe(false);
  expect(holds(expression, requestOf({ address: "11.22.34.4", edge: { asn: 12345 } }))).toBe(true);
});
