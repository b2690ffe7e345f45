import type { UpdateStamp } from "../../core/lobby/update-stamp.ts";
import { LineOrder } from "../../core/line/order.ts";
import type { PositionsTable, RoomStatus } from "../../core/room/commands.ts";
import { instant, type InstantMs } from "../../core/time.ts";
import type { RoomUpdate } from "../contract.ts";

/** What the Room has said last. */
export interface LastUpdate {
  readonly stamp: UpdateStamp;
  readonly roomStatus: RoomStatus;
  /** In which order the line stands, and the positions too. */
  readonly order: LineOrder;
  readonly positionsTable: PositionsTable | null;
  readonly positionsAt: InstantMs;
}

/** What is known with this update. Positions in another order than the line has now are none. */
export const withUpdate = (
  before: LastUpdate | null,
  stamp: UpdateStamp,
  { now, roomStatus, positionsTable }: RoomUpdate,
): LastUpdate => {
  const order = (before?.order ?? LineOrder.plain).renewed(roomStatus.order ?? []);
  if (positionsTable !== null)
    return { stamp, roomStatus, order, positionsTable, positionsAt: now };
  const kept = before !== null && before.order === order ? before : null;
  return {
    stamp,
    roomStatus,
    order,
    positionsTable: kept?.positionsTable ?? null,
    positionsAt: kept?.positionsAt ?? instant(0),
  };
};
