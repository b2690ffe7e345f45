/** What a PUT or a PATCH makes of a room that stands. The Registry runs it, in one step with its write. */
import type { RoomDefinition } from "../../core/definition.ts";
import type { FieldProblem } from "../../core/field-problem.ts";
import type { ChangeOf } from "../../core/settings-change.ts";
import { isRecord } from "../../api/fields.ts";
import { merged } from "../../api/merge-patch.ts";
import { definitionOf, resourceOf } from "../../api/rooms/resource.ts";
import { problemsWithMove } from "../../api/rooms/region-problems.ts";
import { parseRoom, type RoomInput } from "../../api/rooms/schema.ts";

/** A PUT that says nothing about `seiriken` (Terraform) leaves what stands there alone. */
export const roomChanged: ChangeOf<RoomDefinition> = (before, { by, json }) => {
  if (!isRecord(json)) return { ok: false, problems: [{ keys: [], message: "must be an object" }] };
  const standing = resourceOf(before);
  const whole =
    by === "put" ? { seiriken: standing.seiriken, ...json } : merged({ ...standing }, json);
  const parsed = parseRoom(whole);
  const problems = [
    ...(parsed.ok ? problemsWithEvents(before, parsed.room) : parsed.problems),
    ...problemsWithMove(standing.seiriken, whole["seiriken"]),
  ];
  return parsed.ok && problems.length === 0
    ? { ok: true, value: successorOf(before, parsed.room) }
    : { ok: false, problems };
};

/** What is changed by calls of its own, and stays. */
const NOT_SETTINGS: ReadonlySet<string> = new Set<keyof RoomDefinition>(["rules", "events"]);

/** What events that stand need of their room. */
const problemsWithEvents = (before: RoomDefinition, room: RoomInput): FieldProblem[] => {
  const drawing = before.events?.list.find(
    ({ overrides }) => overrides.queueingMethod === "random",
  );
  if (room.seiriken.permit !== "request" || drawing === undefined) return [];
  const message = `can't be "request" while the event ${drawing.name} has the queueing_method "random"`;
  return [{ keys: ["seiriken", "permit"], message }];
};

/** A new name changes neither the id nor the names of cookies that visitors already hold. */
const successorOf = (before: RoomDefinition, room: RoomInput): RoomDefinition => {
  const { id, createdAt, modifiedAt, cookieSuffix, kept } = before;
  const suffix = kept.cookie_suffix ? room.name : cookieSuffix;
  const after = definitionOf(room, { id, createdAt, modifiedAt, cookieSuffix: suffix });
  const standing = Object.entries(before).filter(([name]) => NOT_SETTINGS.has(name));
  return { ...after, ...Object.fromEntries(standing) };
};
