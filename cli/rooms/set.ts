/** Changes settings of one room, by a patch that holds for the room as it was read. */
import { merged } from "../../src/api/merge-patch.ts";
import type { RoomResource } from "../../src/api/rooms/resource.ts";
import type { ManagementClient } from "../api-client.ts";
import { Failure } from "../launch/failure.ts";
import type { Patch } from "./assignments.ts";
import { changesBetween, settled, type FieldChange } from "./changes.ts";
import type { Harm } from "./harm.ts";
import { harmIn } from "./plan.ts";

/** How often a room is read again that another operator changes at the same moment. */
const TRIES = 10;

/** Throws to stop; nothing was changed then. */
type Agree = (harm: readonly Harm[]) => Promise<void>;

type RoomsClient = Pick<ManagementClient, "readRoom" | "patchRoom" | "statusOf">;

/** What changed, by the deployment's answer; nothing where all settings were so already. */
export const setRoom = async (
  client: RoomsClient,
  room: string,
  patch: Patch,
  agree: Agree,
): Promise<{ readonly room: RoomResource; readonly changes: readonly FieldChange[] }> => {
  for (let tries = 1; ; tries += 1) {
    const before = await client.readRoom(room);
    const wanted = settled(merged({ ...before }, patch), before);
    await agree(await harmIn(client, before, changesBetween({ ...before }, wanted), "command"));
    try {
      const after = await client.patchRoom(before.id, patch, before.modified_on);
      return { room: after, changes: changesBetween({ ...before }, { ...after }) };
    } catch (thrown) {
      const isOutdated = thrown instanceof Failure && thrown.code === "changed-since";
      if (!isOutdated || tries === TRIES) throw thrown;
    }
  }
};
