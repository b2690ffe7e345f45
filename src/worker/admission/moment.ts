import type { LobbyIndex } from "../../core/ids.ts";
import { STATUS_HEADER, statusText } from "../answers/status.ts";
import { errorResponse } from "../answers/error-response.ts";
import { callObject } from "../isolate/call-object.ts";
import { lobbyOf } from "../isolate/room-views.ts";
import type { GateContext } from "./context.ts";
import { wholeSeconds } from "./queue.ts";

/**
 * `origin_requests_per_second`: waits until this request of an admitted visitor may begin, and
 * returns null; or the answer that says when it can, where that is longer than it may wait.
 */
export const awaitMoment = async (
  context: GateContext,
  lobby: LobbyIndex,
): Promise<Response | null> => {
  const { isolate, arrival, room, issued } = context;
  const perSecondMax = room.originRequestsPerSecondMax;
  if (perSecondMax === null || room.limits.permit === "request") return null;
  const reply = await callObject(isolate.ports, () =>
    lobbyOf(arrival, room, lobby).moment(room.holdMs),
  );
  if (reply.kind === "start") {
    if (reply.left !== null) context.rate.told("requests", reply.left);
    if (reply.waitMs > 0) await pause(isolate.ports, reply.waitMs);
    return null;
  }
  const answer = errorResponse(arrival, room, "paced", wholeSeconds(reply.retryAfterMs));
  context.rate.told("requests", 0);
  answer.headers.set(STATUS_HEADER, statusText("queued", room));
  issued.writeTo(answer.headers);
  return answer;
};

const pause = (ports: GateContext["isolate"]["ports"], ms: number): Promise<void> =>
  new Promise((resolve) => ports.timer(ms, resolve));
