/** The parts of a lobby that requests wait in. */
import { LineOrder } from "../../core/line/order.ts";
import type { Presence } from "../../core/lobby/presence.ts";
import type { InstantMs } from "../../core/time.ts";
import { KeyedRequests } from "./keyed-requests.ts";
import type { LastUpdate } from "./last-update.ts";
import type { OpBatcher } from "./op-batcher.ts";
import { SqlPlaces } from "./places-store.ts";
import { WaitingRequests } from "./waiting-requests.ts";

/** What they share with the rest of their lobby. */
interface RequestsSource {
  readonly batcher: OpBatcher;
  readonly presence: Presence;
  readonly storage: DurableObjectStorage;
  readonly now: () => InstantMs;
  readonly heard: () => LastUpdate | null;
}

export const requestsAt = ({ batcher, presence, storage, now, heard }: RequestsSource) => {
  const order = (): LineOrder => heard()?.order ?? LineOrder.plain;
  const waitingRequests = new WaitingRequests(batcher, presence, now, order);
  const keyed = new KeyedRequests({
    waitingRequests,
    store: new SqlPlaces(storage),
    now,
    returnWindowMs: () => heard()?.roomStatus.returnWindowMs ?? Infinity,
    order,
  });
  return { waitingRequests, keyed };
};
