import {
  decideAtDoor,
  decideWithoutPass,
  failure,
  letsEveryoneThrough,
} from "../../core/gate/decide.ts";
import { STATUS_HEADER, statusText } from "../answers/status.ts";
import type { GateStatus } from "../answers/status.ts";
import { UnreachableError } from "../isolate/call-object.ts";
import type { GateContext } from "../admission/context.ts";
import { learnHowItEnded } from "../admission/lost-visit.ts";
import { standingOf } from "./standing.ts";
import { waitingOrTurn } from "./enter.ts";
import { answerUnavailable } from "../admission/queue.ts";

/**
 * The page at an address of its own. It leads to `to` at once where the gate would let a document
 * in, and else answers as the gate would there.
 */
export const waitOrGoOn = async (context: GateContext, to: URL): Promise<Response> => {
  const facts = context.asDocument(to);
  if (letsEveryoneThrough(facts)) return goOn(context, to, "unprotected");
  const standing = await standingOf(context);
  if (standing.kind === "live") return goOn(context, to, "admitted");
  if (standing.kind === "revived") {
    await context.issued.pass(standing.pass.lobby, standing.visit);
    return goOn(context, to, "admitted");
  }
  if (decideWithoutPass(facts, standing.kind).kind !== "queue") return outOfReach(facts, to);
  const decision = decideAtDoor(facts);
  if (decision.kind === "enter") return goOn(context, to, "admitted");
  try {
    if (standing.kind === "ended") await learnHowItEnded(facts, standing.pass);
    const answer = await waitingOrTurn(facts, decision);
    return answer instanceof Response ? answer : goOn(context, to, "admitted");
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    return outOfReach(facts, to);
  }
};

const outOfReach = (context: GateContext, to: URL): Response | Promise<Response> =>
  failure(context).kind === "pass-on-unguarded"
    ? goOn(context, to, "unprotected")
    : answerUnavailable(context);

/** `status` is what the request for `to` is going to meet. */
const goOn = ({ issued, room }: GateContext, to: URL, status: GateStatus): Response => {
  const headers = new Headers({ Location: to.href });
  headers.set(STATUS_HEADER, statusText(status, room));
  issued.writeTo(headers);
  return new Response(null, { status: 303, headers });
};
