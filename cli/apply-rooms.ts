/** Makes the rooms of a deployment like those of a file. */
import type { RoomResource } from "../src/api/rooms/resource.ts";
import { settingsIn, type RoomJson } from "../src/api/rooms-file/file.ts";
import type { ManagementClient } from "./api-client.ts";
import { Failure } from "./launch/failure.ts";
import type { Harm } from "./rooms/harm.ts";
import { applyLists, type ListsClient } from "./rooms/plan-lists.ts";
import { planRooms, replacement, settingsFor, type RoomPlan } from "./rooms/plan.ts";

export interface AppliedRoom {
  readonly name: string;
  readonly action: "created" | "updated" | "unchanged" | "deleted";
}

export interface ApplyOptions {
  readonly prune: boolean;
  /** Events and rules of rooms that stand are left alone. False by default. */
  readonly leavesLists?: boolean;
  /** Called with the plan before anything is done. If it throws, nothing is done. */
  readonly onPlan?: (plans: readonly RoomPlan[]) => Promise<void>;
  /** False: harm that came up only after the plan was shown is refused. True by default. */
  readonly mayHurt?: boolean;
  /** Called as soon as a room is done, so that a failure later hides nothing. */
  readonly onApplied: (applied: AppliedRoom) => void;
}

type RoomsClient = ListsClient &
  Pick<
    ManagementClient,
    "listRooms" | "readRoom" | "createRoom" | "putRoom" | "deleteRoom" | "statusOf"
  >;

/** How often a room is read again that another operator changes at the same moment. */
const PUT_TRIES = 10;

/**
 * Upserts by name. Rooms to prune go first, for they may own the routes of others; a room whose
 * route or name is still another's is tried again after the rest, as long as that gets further.
 */
export const applyRooms = async (
  client: RoomsClient,
  rooms: readonly RoomJson[],
  options: ApplyOptions,
): Promise<void> => {
  const plans = await planRooms(client, rooms, options);
  await options.onPlan?.(plans);
  let left: readonly RoomPlan[] = plans;
  while (left.length > 0) {
    const refused: { readonly plan: RoomPlan; readonly failure: Failure }[] = [];
    for (const plan of left) {
      try {
        options.onApplied({ name: plan.name, action: await carriedOut(client, plan, options) });
      } catch (thrown) {
        if (!(thrown instanceof Failure)) throw thrown;
        const details = [`in the room ${plan.name}`, ...thrown.details];
        const failure = new Failure(thrown.code, thrown.message, details);
        if (thrown.code !== "conflict") throw failure;
        refused.push({ plan, failure });
      }
    }
    if (refused.length === left.length && refused[0] !== undefined) throw refused[0].failure;
    left = refused.map(({ plan }) => plan);
  }
};

const carriedOut = async (
  client: RoomsClient,
  plan: RoomPlan,
  { mayHurt = true }: ApplyOptions,
): Promise<AppliedRoom["action"]> => {
  switch (plan.action) {
    case "create": {
      const { id } = await client.createRoom(settingsIn(plan.room));
      await applyLists(client, id, plan.lists);
      return "created";
    }
    case "delete":
      await client.deleteRoom(plan.before.id);
      return "deleted";
    case "unchanged":
      return "unchanged";
    case "update": {
      const after = await putOver(client, plan, mayHurt ? null : plan.harm);
      await applyLists(client, after.id, plan.lists);
      const isSame = after.modified_on === plan.before.modified_on;
      return isSame && plan.lists.changes.length === 0 ? "unchanged" : "updated";
    }
    default:
      return plan satisfies never;
  }
};

/**
 * A setting that another operator changes between reading and writing is read again, so that it is
 * not undone. Harm that such a change brings, beyond `agreed`, was shown to nobody. Null: all harm
 * is agreed to.
 */
async function putOver(
  client: RoomsClient,
  { room, before: shown }: Extract<RoomPlan, { action: "update" | "unchanged" }>,
  agreed: readonly Harm[] | null,
): Promise<RoomResource> {
  let before = shown;
  for (let tries = 1; ; tries += 1)
    try {
      return await client.putRoom(before.id, settingsFor(room, before), before.modified_on);
    } catch (thrown) {
      const isOutdated = thrown instanceof Failure && thrown.code === "changed-since";
      if (!isOutdated || tries === PUT_TRIES) throw thrown;
      before = await client.readRoom(shown.id);
      const { harm } = await replacement(client, room, before);
      if (agreed !== null && harm.some((now) => !agreed.some((then) => then.of === now.of)))
        throw hurtsNow();
    }
}

const hurtsNow = (): Failure =>
  new Failure("changed-since", "somebody changed the room meanwhile, and now this hurts", [
    "run it again to see what it would do",
  ]);
