/** What a room is while an event is on: its own settings, with what the event changes of them. */
import type { RoomDefinition, RoomLimits } from "../definition.ts";
import type { CurrentEvent, EventOverrides, EventPhase, RoomEvent } from "./event.ts";

/** The overrides that the Room acts on. */
export type LimitOverrides = Pick<
  EventOverrides,
  "permitsMax" | "startsPerMinuteMax" | "leaseMs" | "leaseRenews" | "queueingMethod"
>;

/** What it takes of an event to know its limits. */
export interface Overriding {
  readonly shuffle: boolean;
  readonly overrides: LimitOverrides;
}

/** Ranks that were drawn are an order; drawing again at each call would undo them. */
const orderOf = (
  limits: RoomLimits,
  { shuffle, overrides }: Overriding,
): NonNullable<RoomLimits["order"]> => {
  if (shuffle || limits.permit === "request") return "fifo";
  if (overrides.queueingMethod === null) return limits.order ?? "fifo";
  return overrides.queueingMethod === "random" ? "random" : "fifo";
};

/**
 * The limits while the event is in this phase. Its order shows at once; its figures hold from the
 * start. Whoever was let through without a line is, from then on, by a room that is suspended.
 */
export const limitsDuring = (
  limits: RoomLimits,
  event: Overriding,
  phase: EventPhase,
): RoomLimits => {
  const order = orderOf(limits, event);
  if (phase === "prequeue") return { ...limits, order, paused: true };
  const { permitsMax, startsPerMinuteMax, leaseMs, leaseRenews, queueingMethod } = event.overrides;
  return {
    ...limits,
    order,
    permitsMax: permitsMax ?? limits.permitsMax,
    startsPerMinuteMax: startsPerMinuteMax ?? limits.startsPerMinuteMax,
    // A request's permit lasts as long as its origin may take, whatever a visit's does.
    leaseMs: limits.permit === "request" ? limits.leaseMs : (leaseMs ?? limits.leaseMs),
    leaseRenews: leaseRenews ?? limits.leaseRenews,
    paused: phase === "drawing" || limits.paused,
    suspended: limits.suspended || (phase === "running" && queueingMethod === "passthrough"),
  };
};

/** In a prequeue, and until the order is drawn, everybody takes a place, whatever follows. */
const methodDuring = (
  room: RoomDefinition["queueingMethod"],
  { shuffle, overrides }: Overriding,
  phase: EventPhase,
): RoomDefinition["queueingMethod"] => {
  const method = overrides.queueingMethod ?? room;
  if (method === "random") return shuffle ? "fifo" : "random";
  return phase === "running" ? method : "fifo";
};

/** Only what the event sets of the page and of the check for strangers. */
const keptDuring = ({ overrides }: RoomEvent): RoomDefinition["kept"] => ({
  ...(overrides.customPageHtml === null ? {} : { custom_page_html: overrides.customPageHtml }),
  ...(overrides.turnstileMode === null ? {} : { turnstile_mode: overrides.turnstileMode }),
  ...(overrides.turnstileAction === null ? {} : { turnstile_action: overrides.turnstileAction }),
});

/**
 * The definition by which the Worker answers while `current` is on. The same object where nothing is,
 * or where the definition does not know the event, because one of the two is some seconds older.
 */
export const definitionDuring = (
  definition: RoomDefinition,
  current: Pick<CurrentEvent, "id" | "phase"> | null,
): RoomDefinition => {
  if (current === null) return definition;
  const event = definition.events?.list.find(({ id }) => id === current.id);
  if (event === undefined) return definition;
  return {
    ...definition,
    queueingMethod: methodDuring(definition.queueingMethod, event, current.phase),
    limits: limitsDuring(definition.limits, event, current.phase),
    kept: { ...definition.kept, ...keptDuring(event) },
  };
};
