import { STATUS_HEADER, statusText } from "../answers/status.ts";
import { UnreachableError } from "../isolate/call-object.ts";
import type { Guarded } from "./guarded.ts";
import { standingOf } from "./standing.ts";
import { waitingOrTurn } from "./enter.ts";
import { answerUnavailable } from "./queue.ts";

/** The page without a protected path behind it; it leads there when nothing stands in the way. */
export const waitOrGoOn = async (guarded: Guarded, to: URL): Promise<Response> => {
  const { view } = guarded;
  const standing = await standingOf(guarded);
  if (standing.kind === "live") return goOn(guarded, to);
  if (standing.kind === "revived") {
    await guarded.handout.pass(standing.pass.lobby, standing.visit);
    return goOn(guarded, to);
  }
  const mode = view.snapshot?.mode;
  if (view.state === "lost") return answerUnavailable({ ...guarded, kind: "document", to });
  if (mode === "suspended" || guarded.room.queueingMethod === "passthrough")
    return goOn(guarded, to);
  if (mode === "open" && guarded.inHand.ticket === null) return goOn(guarded, to);
  try {
    const answer = await waitingOrTurn({ ...guarded, kind: "document", to });
    return answer instanceof Response ? answer : goOn(guarded, to);
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    return answerUnavailable({ ...guarded, kind: "document", to });
  }
};

const goOn = ({ handout, room }: Guarded, to: URL): Response => {
  const headers = new Headers({ Location: to.href });
  headers.set(STATUS_HEADER, statusText("queued", room));
  handout.writeTo(headers);
  return new Response(null, { status: 303, headers });
};
