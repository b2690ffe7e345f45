import { expect, test } from "vitest";
import { callerKindOf, isPreflight, isSpeculative } from "../../src/worker/arrival/caller.ts";
import type { CallerKind } from "../../src/core/gate/decide.ts";

const from = (headers: Record<string, string>, method = "GET"): Request =>
  new Request("https://shop.example/tickets", { method, headers });

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
const AXIOS = "application/json, text/plain, */*";
const JQUERY = "application/json, text/javascript, */*; q=0.01";

const destinations: [string, CallerKind][] = [
  ["document", "document"],
  ["iframe", "document"],
  ["frame", "document"],
  ["empty", "json"],
  ["image", "subresource"],
  ["script", "subresource"],
  ["style", "subresource"],
  ["font", "subresource"],
  ["video", "subresource"],
  ["audio", "subresource"],
  ["track", "subresource"],
  ["manifest", "subresource"],
  ["worker", "subresource"],
  ["serviceworker", "subresource"],
  ["object", "subresource"],
  ["embed", "subresource"],
  ["websocket", "subresource"],
  ["report", "subresource"],
];

test.each(destinations)(
  "[CALLER-1] Sec-Fetch-Dest %s is a %s, whatever else it says",
  (dest, kind) => {
    for (const Accept of [BROWSER, AXIOS, "*/*", "image/webp"])
      expect(callerKindOf(from({ "Sec-Fetch-Dest": dest, Accept }))).toBe(kind);
  },
);

test.each(["empty", "document", "iframe", ""])(
  "[CALLER-8] a navigation is a document, also with the destination %j",
  (destination) => {
    const headers = { "Sec-Fetch-Mode": "navigate", "X-Requested-With": "app", Accept: AXIOS };
    const to = destination === "" ? headers : { ...headers, "Sec-Fetch-Dest": destination };
    expect(callerKindOf(from(to))).toBe("document");
    expect(callerKindOf(from(to, "POST"))).toBe("document");
    expect(callerKindOf(from({ ...to, "Sec-Fetch-Mode": "cors" }))).not.toBe(
      destination === "empty" || destination === "" ? "document" : "json",
    );
  },
);

test("[CALLER-2] X-Requested-With is a program's, before any Accept", () => {
  expect(callerKindOf(from({ "X-Requested-With": "XMLHttpRequest", Accept: BROWSER }))).toBe(
    "json",
  );
});

const accepts: [string, CallerKind][] = [
  [BROWSER, "document"],
  ["text/html", "document"],
  ["text/*", "document"],
  ["application/xhtml+xml", "document"],
  [AXIOS, "json"],
  [JQUERY, "json"],
  ["application/json", "json"],
  ["application/vnd.api+json", "json"],
  ["application/*", "json"],
  ["application/json;q=0.9, text/html", "document"],
  ["text/html;q=0.5, application/json;q=0.6", "json"],
  ["text/html, application/json", "document"],
  ["application/json, text/html", "json"],
  ["text/html;q=0, application/json;q=0.1", "json"],
  ["image/avif,image/webp,*/*;q=0.8", "subresource"],
  ["text/css,*/*;q=0.1", "subresource"],
  ["*/*", "json"],
  ["", "json"],
  ["text/plain", "json"],
  ["text/html;q=broken", "json"],
];

test.each(accepts)("[CALLER-3] Accept: %s is a %s", (Accept, kind) => {
  expect(callerKindOf(from({ Accept }))).toBe(kind);
});

test("[CALLER-4] nothing said is a program, unless only a browser would send it", () => {
  expect(callerKindOf(from({}))).toBe("json");
  expect(callerKindOf(from({ "Upgrade-Insecure-Requests": "1" }))).toBe("document");
  expect(callerKindOf(from({ "Sec-Fetch-Mode": "navigate", Accept: "*/*" }))).toBe("document");
  expect(callerKindOf(from({ "Upgrade-Insecure-Requests": "1" }, "POST"))).toBe("json");
});

test("[CALLER-5] an upgrade to a WebSocket is part of a page", () => {
  expect(callerKindOf(from({ Upgrade: "websocket", Accept: "text/html" }))).toBe("subresource");
});

test.each([
  ["Sec-Purpose", "prefetch"],
  ["Sec-Purpose", "prefetch;prerender"],
  ["Purpose", "prefetch"],
  ["X-Moz", "prefetch"],
  ["Purpose", "preview"],
  ["X-Purpose", "preview"],
  ["X-Sec-Purpose", "prefetch"],
  ["Moz-Purpose", "prefetch"],
  ["Next-Router-Prefetch", "1"],
  ["Next-Router-Segment-Prefetch", "/_tree"],
  ["X-Middleware-Prefetch", "1"],
  ["HX-Preloaded", "true"],
])("[CALLER-6] %s: %s is fetched in advance", (name, value) => {
  expect(isSpeculative(from({ [name]: value }))).toBe(true);
  expect(isSpeculative(from({}))).toBe(false);
});

test.each([
  ["Sec-Purpose", "background"],
  ["Next-Router-Prefetch", "0"],
  ["HX-Preloaded", "false"],
  ["HX-Preloaded", ""],
])("[CALLER-6] %s: %j is not", (name, value) => {
  expect(isSpeculative(from({ [name]: value }))).toBe(false);
});

test("[CALLER-7] a true preflight is an OPTIONS with Origin and Access-Control-Request-Method", () => {
  const both = { Origin: "https://app.example", "Access-Control-Request-Method": "PUT" };
  expect(isPreflight(from(both, "OPTIONS"))).toBe(true);
  expect(isPreflight(from(both, "GET"))).toBe(false);
  expect(isPreflight(from({ Origin: both.Origin }, "OPTIONS"))).toBe(false);
  const method = { "Access-Control-Request-Method": "PUT" };
  expect(isPreflight(from(method, "OPTIONS"))).toBe(false);
});
