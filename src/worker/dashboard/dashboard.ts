/**
 * The operators' page. It is the same for everybody and holds nothing of the deployment: it signs in by
 * itself, with a token that its reader types, and asks the operators' API for all that it shows.
 */
import { Hono } from "hono";
import { setCommonHeaders } from "../answers/our-headers.ts";
import { ownProblem } from "../answers/own-problem.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { packedPage, policy } from "./assets.gen.ts";

const PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": policy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
} as const;

export const dashboardApp = new Hono<AppContext>();

dashboardApp.get("/", (c) => {
  const answer = new Response(unpackedPage(), { headers: PAGE_HEADERS });
  setCommonHeaders(answer.headers, c.var.arrival, null);
  return answer;
});

dashboardApp.all("/", (c) =>
  ownProblem(c.var.arrival, "method-not-allowed", { headers: { Allow: "GET, HEAD" } }),
);

/** Unpacked for each reader anew: an isolate that nobody looks through keeps only the packed text. */
const unpackedPage = (): ReadableStream<Uint8Array> => {
  const bytes = Uint8Array.from(atob(packedPage), (letter) => letter.charCodeAt(0));
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
};
