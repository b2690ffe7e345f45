import type { RoomDefinition } from "../../core/definition.ts";
import type { Arrival } from "../arrival.ts";
import { callerKindOf } from "../caller.ts";
import type { CallerKind } from "../caller.ts";
import type { Deployment } from "../isolate/deployment.ts";
import type { Isolate } from "../isolate/isolate.ts";
import type { RoomView } from "../isolate/room-views.ts";
import { Handout } from "../tokens/handout.ts";
import { readInHand } from "../tokens/in-hand.ts";
import type { InHand } from "../tokens/in-hand.ts";
import { soon } from "../soon.ts";
import type { Soon } from "../soon.ts";
import { RateTold } from "./rate-told.ts";

/** A request for a path that a room owns, and all that is known of it. */
export interface Guarded {
  readonly isolate: Isolate;
  readonly arrival: Arrival;
  readonly deployment: Deployment;
  readonly room: RoomDefinition;
  readonly view: RoomView;
  readonly inHand: InHand;
  readonly kind: CallerKind;
  /** Where the visitor wants to go. */
  readonly to: URL;
  /** What the answer gives the visitor to keep. */
  readonly handout: Handout;
  /** What the answer says of limits per second. */
  readonly rate: RateTold;
}

export const guard = (
  isolate: Isolate,
  arrival: Arrival,
  deployment: Deployment,
  room: RoomDefinition,
): Soon<Guarded> =>
  soon(isolate.views.view(arrival, room), (view) =>
    soon(
      readInHand(deployment.keys, arrival, room, view.now),
      (inHand) => new GuardedRequest({ isolate, arrival, deployment, room, view, inHand }),
    ),
  );

type Known = Pick<Guarded, "isolate" | "arrival" | "deployment" | "room" | "view" | "inHand">;

class GuardedRequest implements Guarded {
  readonly isolate: Isolate;
  readonly arrival: Arrival;
  readonly deployment: Deployment;
  readonly room: RoomDefinition;
  readonly view: RoomView;
  readonly inHand: InHand;
  readonly to: URL;
  readonly handout: Handout;
  readonly rate = new RateTold();

  constructor({ isolate, arrival, deployment, room, view, inHand }: Known) {
    this.isolate = isolate;
    this.arrival = arrival;
    this.deployment = deployment;
    this.room = room;
    this.view = view;
    this.inHand = inHand;
    this.to = arrival.url;
    this.handout = new Handout(deployment.keys, arrival, room);
  }

  // Whoever has a live pass gets the origin's answer, of whatever kind.
  get kind(): CallerKind {
    return callerKindOf(this.arrival.request);
  }
}
