/** The public value of a draw, entered before witnesses: mounted at `/.seiriken/api/rooms/{room}/draws`. */
import { parseEnteredText } from "../../api/draws/record.ts";
import type { DrawReply } from "../../core/room/draws.ts";
import { fieldErrorsOf } from "../answers/own-problem.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { jsonBody } from "./bodies.ts";
import { OperatorRefusal } from "./refusal.ts";
import type { Context } from "hono";

const REPLY_CODES = {
  "not-drawing": "draw-not-running",
  "drawn-before": "drawn-already",
  "other-value": "draw-of-another-value",
} as const satisfies Record<Exclude<DrawReply, "drawn">, string>;

/** The text that witnesses saw, in a body of its own. */
export const enteredText = async (c: Context<AppContext>): Promise<string> => {
  const entered = parseEnteredText(await jsonBody(c));
  if (entered.ok) return entered.text;
  throw new OperatorRefusal("draw-value-invalid", { errors: fieldErrorsOf(entered.problems) });
};

export const mustBeDrawn = (reply: DrawReply): void => {
  if (reply !== "drawn") throw new OperatorRefusal(REPLY_CODES[reply]);
};
