/** `npm run rooms -- apply FILE`: shows, asks, does. */
import { agree } from "../ask.ts";
import type { ManagementClient } from "../api-client.ts";
import { applyRooms } from "../apply-rooms.ts";
import { say } from "../command.ts";
import { readRoomsFile } from "../launch/rooms.ts";
import type { RoomsCommand } from "../rooms-command.ts";
import { harmLines, planLines, type RoomPlan, planRooms } from "./plan.ts";

/** With `--dry-run --exit-code`, as `diff` has it: something would change. */
const WOULD_CHANGE_EXIT_CODE = 3;

export const applyFile = async (
  client: ManagementClient,
  { file, prune, isDry, tellsByCode, isAgreed }: Extract<RoomsCommand, { kind: "apply" }>,
): Promise<void> => {
  const { rooms } = readRoomsFile(file);
  if (isDry) {
    const plans = await planRooms(client, rooms, { prune });
    show(plans);
    harmLines(plans).forEach((line) => say(`this hurts: ${line}`));
    const changes = plans.filter(({ action }) => action !== "unchanged").length;
    say(`${changes} of ${plans.length} rooms would change; nothing was changed`);
    if (tellsByCode && changes > 0) process.exitCode = WOULD_CHANGE_EXIT_CODE;
    return;
  }
  await applyRooms(client, rooms, {
    prune,
    mayHurt: isAgreed,
    onPlan(plans) {
      show(plans);
      return agree(harmLines(plans), isAgreed);
    },
    onApplied: ({ name, action }) => say(`${action.padEnd(9)}  ${name}`),
  });
};

const show = (plans: readonly RoomPlan[]): void => planLines(plans).forEach(say);
