import { REFERENCE_HEADER } from "../answers/status.ts";
import { setCommonHeaders } from "../answers/our-headers.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { isSafe } from "../arrival/caller.ts";
import { bellWorker } from "../page/assets.gen.ts";
import { problem } from "../../api/problem.ts";

/** A visitor who turns notifications on fetches it once; browsers look for a newer one each day anyhow. */
const CACHE = "public, max-age=3600";

/**
 * The service worker of the page's notifications: the same for everybody, needing neither room nor object.
 * Its scope is its own folder, so that it controls no page of the site and no page of ours.
 */
export const answerBell = (arrival: Arrival): Response => {
  const { method } = arrival.request;
  if (!isSafe(method)) {
    const answer = problem("method-not-allowed", arrival.reference);
    answer.headers.set("Allow", "GET, HEAD");
    setCommonHeaders(answer.headers, arrival, null);
    return answer;
  }
  return new Response(method === "HEAD" ? null : bellWorker, {
    headers: {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": CACHE,
      "Content-Security-Policy": "default-src 'none'",
      "Cross-Origin-Resource-Policy": "same-origin",
      "X-Content-Type-Options": "nosniff",
      [REFERENCE_HEADER]: arrival.reference,
    },
  });
};
