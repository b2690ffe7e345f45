/** Bodies of JSON of the operators' own routes, within bounds. */
import type { Context } from "hono";
import { readJson } from "../../core/json/read.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { readBounded } from "../locks/body.ts";
import { OperatorRefusal } from "./refusal.ts";

/** Of most of them; a route with larger or smaller ones says so. */
const BODY_BYTES_MAX = 16_384;

/** What the body says, unchecked; throws a refusal where it is no JSON. */
export const jsonBody = async (
  c: Context<AppContext>,
  bytesMax = BODY_BYTES_MAX,
): Promise<unknown> => {
  const { ports } = c.var.isolate;
  const body = await readBounded(c.req.raw, { ports, bytesMax });
  if (body === "too-slow") throw new OperatorRefusal("body-too-slow");
  if (typeof body === "string") throw new OperatorRefusal("body-too-large");
  const read = readJson(new TextDecoder().decode(body));
  if (read.ok) return read.json;
  const errors = [{ pointer: "", detail: read.place || "is not JSON" }];
  throw new OperatorRefusal("not-json", { errors });
};
