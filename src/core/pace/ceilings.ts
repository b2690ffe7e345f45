/** Limits that something but the operator sets: they only ever lower the operator's. */
import type { RoomLimits } from "../definition.ts";

/** Null: no ceiling of that kind. Each is whole and at least 1. */
export interface Ceilings {
  readonly permitsMax: number | null;
  readonly startsPerSecondMax: number | null;
  readonly startsPerMinuteMax: number | null;
}

export const NO_CEILINGS: Ceilings = {
  permitsMax: null,
  startsPerSecondMax: null,
  startsPerMinuteMax: null,
};

const lower = (one: number | null, other: number | null): number | null => {
  if (one === null) return other;
  return other === null ? one : Math.min(one, other);
};

/** Of two that hold at once, the lower holds. */
export const bothHold = (one: Ceilings, other: Ceilings): Ceilings => ({
  permitsMax: lower(one.permitsMax, other.permitsMax),
  startsPerSecondMax: lower(one.startsPerSecondMax, other.startsPerSecondMax),
  startsPerMinuteMax: lower(one.startsPerMinuteMax, other.startsPerMinuteMax),
});

/** The limits in effect. `soldOut`: closed by a signal, with this text; what the operator closed stays so. */
export const limitsUnder = (
  limits: RoomLimits,
  { permitsMax, startsPerSecondMax, startsPerMinuteMax }: Ceilings,
  soldOut: string | null,
): RoomLimits => ({
  ...limits,
  permitsMax: Math.min(limits.permitsMax, permitsMax ?? Infinity),
  startsPerSecondMax: lower(limits.startsPerSecondMax, startsPerSecondMax),
  startsPerMinuteMax: Math.min(limits.startsPerMinuteMax, startsPerMinuteMax ?? Infinity),
  closed: limits.closed ?? soldOut,
});
