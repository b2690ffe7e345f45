/** The operators' API, described for programs: at `/.seiriken/api/openapi.json`, for everybody. */
import { Hono } from "hono";
import { setCommonHeaders } from "../answers/our-headers.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { OPENAPI } from "./openapi.gen.ts";

export const openApiApp = new Hono<AppContext>();

/** It says nothing of this deployment: no token is asked for. */
openApiApp.get("/openapi.json", (c) => {
  const answer = c.body(OPENAPI, 200, { "Content-Type": "application/json" });
  setCommonHeaders(answer.headers, c.var.arrival, null);
  return answer;
});
