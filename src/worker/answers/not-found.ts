import { problem } from "../../api/problem.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { callerKindOf } from "../arrival/caller.ts";
import { errorResponse } from "./error-response.ts";
import { setCommonHeaders } from "./our-headers.ts";

/** Below our own prefix, where nothing is: a page for whoever navigates there, else a problem. */
export const notFound = (arrival: Arrival, what: "not-found" | "room-not-found"): Response => {
  if (callerKindOf(arrival.request) === "document") return errorResponse(arrival, null, what);
  const answer = problem(what, arrival.reference);
  setCommonHeaders(answer.headers, arrival, null);
  return answer;
};
