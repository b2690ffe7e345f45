import { base64url } from "jose";
import type { HoldReply } from "../../durable/contract.ts";
import { addressKey } from "../address-key.ts";
import { callObject } from "../isolate/call-object.ts";
import { lobbyOf, pickLobby } from "../isolate/room-views.ts";
import { newIdentity } from "../tokens/handout.ts";
import type { Guarded } from "./guarded.ts";
import { onePermit } from "./one-request.ts";
import { answerRefused, answerWaiting, answerWithout } from "./queue.ts";

const HOLD_ID_BYTES = 16;
/** What the way there and back may take on top of the wait itself. */
const SLACK_MS = 5_000;

/**
 * A room of requests: each request is a visit. It waits here for its turn, and the permit lasts as
 * long as its answer. When the time is up it leaves with its ticket, and may come back with it.
 */
export const serveRequest = async (guarded: Guarded): Promise<Response> => {
  const { isolate, arrival, room, view, inHand, handout } = guarded;
  const { ticket } = inHand;
  if (view.snapshot?.mode === "closed" && ticket === null) return answerWithout(guarded);
  const who =
    inHand.identity ?? newIdentity(isolate.ports, pickLobby(isolate.ports, view.snapshot));
  const hold = base64url.encode(isolate.ports.randomBytes(HOLD_ID_BYTES));
  const address = await addressKey(guarded.deployment.keys, arrival, room);
  const lobby = () => lobbyOf(arrival, room, who.lobby);
  const reply = await onePermit<Exclude<HoldReply, { kind: "visit" }>>(guarded, {
    lobby: who.lobby,
    ask: () =>
      callObject(
        isolate.ports,
        () => lobby().hold({ hold, ticket, holdMs: room.holdMs, address }),
        room.holdMs + SLACK_MS,
      ),
    letGo: () => lobby().letGo(hold),
  });
  if (reply instanceof Response) return reply;
  switch (reply.kind) {
    case "not-yet":
      return answerWaiting(guarded, who, reply.view, reply.retryAfterMs);
    case "ended":
      handout.clear("ticket");
      return answerWithout(guarded);
    case "refused":
      return answerRefused(guarded, reply.refusal, reply.retryAfterMs);
    default:
      return reply satisfies never;
  }
};
