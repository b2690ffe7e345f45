/**
 * One request at a room's gate, with everything that is known of it. It decides nothing:
 * core/gate/decide.ts does.
 */
import type { RoomDefinition } from "../../core/definition.ts";
import type { CallerKind, GateFacts } from "../../core/gate/decide.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { callerKindOf, isPreflight, isSpeculative, isUpgrade } from "../arrival/caller.ts";
import type { Deployment } from "../isolate/deployment.ts";
import type { Isolate } from "../isolate/isolate.ts";
import type { RoomView } from "../isolate/room-views.ts";
import { IssuedTokens } from "../tokens/issued.ts";
import { readPresented } from "../tokens/presented.ts";
import type { PresentedTokens } from "../tokens/presented.ts";
import { andThen } from "../platform/maybe-promise.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import { RateHeaders } from "./rate-headers.ts";

/** A request for a path that a room owns, and all that is known of it. */
export class GateContext implements GateFacts {
  readonly isolate: Isolate;
  readonly arrival: Arrival;
  readonly deployment: Deployment;
  /** As the event that is on makes it. */
  readonly room: RoomDefinition;
  readonly view: RoomView;
  readonly presented: PresentedTokens;
  /** What the answer gives the visitor to keep. */
  readonly issued: IssuedTokens;
  /** What the answer says of limits per second. */
  readonly rate: RateHeaders;
  #to: URL | null;
  #kind: CallerKind | null = null;
  #isSpeculative: boolean | null = null;

  constructor(parts: ContextParts) {
    const { arrival, deployment, room, presented } = parts;
    this.isolate = parts.isolate;
    this.arrival = arrival;
    this.deployment = deployment;
    this.room = room;
    this.view = parts.view;
    this.presented = presented;
    this.#to = parts.to ?? null;
    this.issued = parts.issued ?? new IssuedTokens(deployment.keys, arrival, room, presented);
    this.rate = parts.rate ?? new RateHeaders();
  }

  /** Where the visitor wants to go. */
  get to(): URL {
    return this.#to ?? this.arrival.url;
  }

  // Worked out only when asked for, and once: with a live pass the kind does not matter.
  get kind(): CallerKind {
    return (this.#kind ??= callerKindOf(this.arrival.request));
  }

  get snapshot(): RoomView["snapshot"] {
    return this.view.snapshot;
  }

  get isLost(): boolean {
    return this.view.state === "lost";
  }

  get method(): string {
    return this.arrival.method;
  }

  get isPreflight(): boolean {
    return this.method === "OPTIONS" && isPreflight(this.arrival.request);
  }

  get isUpgrade(): boolean {
    return isUpgrade(this.arrival.request);
  }

  get isSpeculative(): boolean {
    return (this.#isSpeculative ??= isSpeculative(this.arrival));
  }

  get hasTicket(): boolean {
    return this.presented.ticket !== null;
  }

  get hasVisitorId(): boolean {
    return this.presented.identity !== null;
  }

  /** The same request as one for a page that leads to `to`. */
  asDocument(to: URL): GateContext {
    const { isolate, arrival, deployment, room, view, presented, issued, rate } = this;
    const known = { isolate, arrival, deployment, room, view, presented, issued, rate };
    const document = new GateContext({ ...known, to });
    document.#kind = "document";
    return document;
  }
}

type ContextParts = Pick<
  GateContext,
  "isolate" | "arrival" | "deployment" | "room" | "view" | "presented"
> &
  Partial<Pick<GateContext, "to" | "issued" | "rate">>;

export const gateContextOf = (
  isolate: Isolate,
  arrival: Arrival,
  deployment: Deployment,
  definition: RoomDefinition,
): MaybePromise<GateContext> => {
  const view = isolate.views.view(arrival, definition);
  return view instanceof Promise
    ? view.then((seen) => inView(isolate, arrival, deployment, definition, seen))
    : inView(isolate, arrival, deployment, definition, view);
};

const inView = (
  isolate: Isolate,
  arrival: Arrival,
  deployment: Deployment,
  definition: RoomDefinition,
  view: RoomView,
): MaybePromise<GateContext> => {
  const room = isolate.definitionsDuring.of(definition, view);
  return andThen(readPresented(deployment.keys, arrival, room, view.now), (presented) => {
    arrival.isOf(presented.identity?.visitor ?? null, presented.pass?.reference ?? null);
    return new GateContext({ isolate, arrival, deployment, room, view, presented });
  });
};
