/**
 * Errors of ours in place of the origin's answer: a page for a person, problem details for a program.
 * The page's look is page/error-page.ts, the problems' words are api/problem.ts.
 */
import type { RoomDefinition } from "../../core/definition.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { callerKindOf, isSafe } from "../arrival/caller.ts";
import { renderErrorPage } from "../page/error-page.ts";
import type { ErrorPageKind, ErrorPageInput } from "../page/error-page.ts";
import { problem, problems } from "../../api/problem.ts";
import type { ProblemCode } from "../../api/problem.ts";
import { languagesOf } from "../tokens/language.ts";
import { compression } from "./compression.ts";
import { setCommonHeaders } from "./our-headers.ts";
import { isOwnUrl } from "../arrival/own-hosts.ts";
import { returnPath } from "./return-path.ts";
import { STATUS_HEADER, statusText } from "./status.ts";

/** What a browser may be answered with in place of the page that it asked for. */
const PAGES = {
  "origin-unreachable": "originUnreachable",
  "origin-lost": "originLost",
  "origin-loop": "originUnreachable",
  "origin-timeout": "originTimeout",
  paced: "paced",
  "not-ready": "notReady",
  internal: "internal",
  "ambiguous-url": "ambiguousUrl",
  "unknown-host": "unknownHost",
  "ambiguous-host": "ambiguousHost",
  "room-not-found": "roomNotFound",
  "not-found": "notFound",
} as const satisfies { readonly [code in ProblemCode]?: ErrorPageKind };

type PageCode = keyof typeof PAGES;

interface ErrorPage {
  readonly code: PageCode | "full";
  readonly status: number;
  readonly refreshSeconds: number | null;
}

/** Browsers send preflights of their own accord, and show nobody the answer. */
type ErrorResponseCode = PageCode | "too-many-preflights";

/** An error at the gate: a page for a person, problem details for a program. */
export const errorResponse = (
  arrival: Arrival,
  room: RoomDefinition | null,
  code: ErrorResponseCode,
  retryAfterSeconds: number | null = null,
): Response => {
  // A page that can be had again without harm loads itself, with scripts and without.
  const refreshSeconds = isSafe(arrival.request.method) ? retryAfterSeconds : null;
  const answer =
    code !== "too-many-preflights" && callerKindOf(arrival.request) === "document"
      ? errorPage(arrival, room, { code, status: problems[code].status, refreshSeconds })
      : problem(code, arrival.reference);
  setCommonHeaders(answer.headers, arrival, room);
  answer.headers.set(STATUS_HEADER, statusText("error", room));
  if (retryAfterSeconds !== null) answer.headers.set("Retry-After", String(retryAfterSeconds));
  return answer;
};

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; " +
  "frame-ancestors 'self'";

/** The page alone: what every answer of ours carries is the caller's to add. */
export const errorPage = (
  arrival: Arrival,
  room: RoomDefinition | null,
  { code, status, refreshSeconds }: ErrorPage,
): Response => {
  const { request, reference } = arrival;
  const html = renderErrorPage({
    kind: code === "full" ? code : PAGES[code],
    name: room === null ? arrival.url.hostname : (room.appearance.name ?? room.name),
    appearance: room?.appearance ?? { name: null, accent: null, logo: null },
    languages: languagesOf(request),
    defaultLanguage: room?.kept.default_template_language,
    reference,
    refreshSeconds,
    way: wayOn(arrival, room, code),
  });
  return new Response(html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      ...compression(request),
      "Content-Security-Policy": POLICY,
      "X-Robots-Tag": "noindex",
      ...(refreshSeconds === null ? {} : { Refresh: String(refreshSeconds) }),
    },
  });
};

/** Never an unsafe request again: that page was left by a form, which is looked at before it is sent anew. */
const wayOn = (
  arrival: Arrival,
  room: RoomDefinition | null,
  code: ErrorPage["code"],
): ErrorPageInput["way"] => {
  switch (code) {
    case "unknown-host":
    case "ambiguous-host":
      return null;
    case "ambiguous-url":
    case "room-not-found":
    case "not-found":
      return { to: "/", label: "front" };
    case "full":
    case "origin-unreachable":
    case "origin-lost":
    case "origin-loop":
    case "origin-timeout":
    case "paced":
    case "not-ready":
    case "internal":
      return isSafe(arrival.request.method)
        ? { to: returnPath(arrival.url), label: "again" }
        : pageBefore(arrival, room);
    default:
      return code satisfies never;
  }
};

/** Where the form stood, if that is a page of the same site. */
const pageBefore = (arrival: Arrival, room: RoomDefinition | null): ErrorPageInput["way"] => {
  const referer = arrival.request.headers.get("Referer") ?? "";
  if (!URL.canParse(referer)) return null;
  const url = new URL(referer);
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  const isOurs = room === null ? url.origin === arrival.url.origin : isOwnUrl(arrival, room, url);
  return isOurs ? { to: url.href, label: "back" } : null;
};
