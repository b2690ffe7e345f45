import type { RoomDefinition } from "../../core/definition.ts";
import type { Arrival } from "../arrival.ts";
import { callerKindOf, isSafe } from "../caller.ts";
import { problem, problems } from "../problem.ts";
import type { ProblemCode } from "../problem.ts";
import { dressOurs } from "./our-headers.ts";
import { STATUS_HEADER, statusText } from "./status.ts";

/** An error at the gate: a small page for a person, problem details for a program. */
export const trouble = (
  arrival: Arrival,
  room: RoomDefinition | null,
  code: ProblemCode,
  retryAfterSeconds: number | null = null,
): Response => {
  const isPage = callerKindOf(arrival.request) === "document";
  const answer = isPage ? troublePage(code, arrival.reference) : problem(code, arrival.reference);
  dressOurs(answer.headers, arrival, room);
  answer.headers.set(STATUS_HEADER, statusText("error", room));
  if (retryAfterSeconds === null) return answer;
  answer.headers.set("Retry-After", String(retryAfterSeconds));
  // A page that can be had again without harm loads itself, with scripts and without.
  if (isPage && isSafe(arrival.request.method))
    answer.headers.set("Refresh", String(retryAfterSeconds));
  return answer;
};

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'self'";

/** Only texts of our own stand in it. */
const troublePage = (code: ProblemCode, reference: string): Response => {
  const { status, title, detail } = problems[code];
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${title}</title>
<style>body{font:1.1rem/1.6 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.5rem}</style>
</head><body><h1>${title}</h1><p>${detail}</p><p><small>${reference}</small></p></body></html>
`;
  return new Response(html, {
    status,
    headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": POLICY },
  });
};
