import { restoreRoom } from "../../src/core/room/state.ts";
import { step } from "../../src/core/room/step.ts";

/** What the world runs: the core as it is, or a copy of it with a fault put in. */
export interface Core {
  readonly step: typeof step;
  readonly restoreRoom: typeof restoreRoom;
}

export const CORE: Core = { step, restoreRoom };
