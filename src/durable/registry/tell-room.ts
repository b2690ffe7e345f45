import type { RoomDefinition } from "../../core/definition.ts";
import type { DeletedRoom, RoomRpc } from "../contract.ts";

/** A Room that does not answer in this time is told later. */
const TELL_WITHIN_MS = 5_000;

/** What has become of a room: it stands, it can be restored, or it is gone for good. */
export interface Standing {
  readonly definition: RoomDefinition | null;
  readonly deleted: DeletedRoom | null;
}

/** Throws when the Room can't be reached or says nothing in time. */
export const tellRoom = (
  room: Pick<RoomRpc, "configure" | "retire" | "erase">,
  { definition, deleted }: Standing,
): Promise<void> => {
  if (definition !== null) return within(TELL_WITHIN_MS, room.configure(definition));
  if (deleted !== null) return within(TELL_WITHIN_MS, room.retire(deleted.deletedAt));
  return within(TELL_WITHIN_MS, room.erase());
};

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: number | null = null;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
