import { REFERENCE_HEADER } from "../answers/status.ts";
import { setCommonHeaders } from "../answers/our-headers.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { isSafe } from "../arrival/caller.ts";
import { bellWorker, proofScript } from "../page/assets.gen.ts";
import { BELL_PATH } from "../page/bell-path.ts";
import { PROOF_PATH } from "../page/proof-path.ts";
import { problem } from "../../api/problem.ts";

/** Each visitor fetches them once; browsers look for a newer service worker each day anyhow. */
const CACHE = "public, max-age=3600";

/**
 * Scripts that pages load: the same for everybody, needing neither room nor object. The service worker of
 * notifications has its own folder as its scope, so that it controls no page of the site and none of ours.
 */
const SCRIPTS: ReadonlyMap<string, string> = new Map([
  [BELL_PATH, bellWorker],
  [PROOF_PATH, proofScript],
]);

/** Null for a path that is none of these scripts'. */
export const answerOwnScript = (arrival: Arrival, path: string): Response | null => {
  const script = SCRIPTS.get(path);
  return script === undefined ? null : scriptAnswer(arrival, script);
};

const scriptAnswer = (arrival: Arrival, script: string): Response => {
  const { method } = arrival.request;
  if (!isSafe(method)) {
    const answer = problem("method-not-allowed", arrival.reference);
    answer.headers.set("Allow", "GET, HEAD");
    setCommonHeaders(answer.headers, arrival, null);
    return answer;
  }
  return new Response(method === "HEAD" ? null : script, {
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
