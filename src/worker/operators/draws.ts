/** The public value of a draw, entered before witnesses: mounted at `/.seiriken/api/rooms/{room}/draws`. */
import { parseEnteredText } from "../../api/draws/record.ts";
import type { DrawReply } from "../../core/room/draws.ts";
import { readJson } from "../../core/json/read.ts";
import { fieldErrorsOf } from "../answers/own-problem.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { readBounded } from "../locks/body.ts";
import { OperatorRefusal } from "./refusal.ts";
import type { Context } from "hono";

const BODY_BYTES_MAX = 16_384;

const REPLY_CODES = {
  "not-drawing": "draw-not-running",
  "drawn-before": "drawn-already",
  "other-value": "draw-of-another-value",
} as const satisfies Record<Exclude<DrawReply, "drawn">, string>;

/** The text that witnesses saw, in a body of its own. */
export const enteredText = async (c: Context<AppContext>): Promise<string> => {
  const { ports } = c.var.isolate;
  const body = await readBounded(c.req.raw, { ports, bytesMax: BODY_BYTES_MAX });
  if (body === "too-slow") throw new OperatorRefusal("body-too-slow");
  if (typeof body === "string") throw new OperatorRefusal("body-too-large");
  const read = readJson(new TextDecoder().decode(body));
  if (!read.ok) {
    const errors = [{ pointer: "", detail: read.place || "is not JSON" }];
    throw new OperatorRefusal("not-json", { errors });
  }
  const entered = parseEnteredText(read.json);
  if (entered.ok) return entered.text;
  throw new OperatorRefusal("draw-value-invalid", { errors: fieldErrorsOf(entered.problems) });
};

export const mustBeDrawn = (reply: DrawReply): void => {
  if (reply !== "drawn") throw new OperatorRefusal(REPLY_CODES[reply]);
};
