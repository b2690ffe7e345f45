import type { RoomDefinition } from "../../core/definition.ts";
import { RULES_MAX } from "../../core/rules/bypass-rule.ts";
import { changedRules, type RulesChange, type RulesRefusal } from "../../core/rules/rule-list.ts";
import type { InstantMs } from "../../core/time.ts";
import type { ReadAt, RegistryProblem, RegistryReply } from "../contract.ts";
import { isOutdated, modifiedSince } from "./problems.ts";

/** The room with its rules changed; the same object where nothing changes. */
export const withRules = (
  room: RoomDefinition,
  change: RulesChange,
  now: InstantMs,
  readAt?: ReadAt,
): RegistryReply<RoomDefinition> => {
  if (isOutdated(readAt, room.rules?.changedAt ?? 0)) return modifiedSince("the rules");
  const reply = changedRules(room.rules, change, now);
  if (!reply.ok) return { ok: false, problem: problemOf(reply.refusal, room, change) };
  const { rules } = reply;
  const isSame = rules === room.rules || (room.rules === undefined && rules.list.length === 0);
  return { ok: true, value: isSame ? room : { ...room, rules }, before: room };
};

const problemOf = (
  refusal: RulesRefusal,
  room: RoomDefinition,
  change: RulesChange,
): RegistryProblem => {
  switch (refusal) {
    case "no-such-rule": {
      const named = "id" in change ? change.id : "";
      return { code: "not-found", detail: `The room ${room.name} has no rule ${named}.` };
    }
    case "no-such-position":
      return invalid(["position"], "names no place among the other rules of the room");
    case "too-many-rules":
      return invalid([], `are more than ${RULES_MAX}, the most that a room takes`);
    case "id-twice":
      return invalid([], "name the same id twice");
    default:
      return refusal satisfies never;
  }
};

const invalid = (keys: readonly string[], message: string): RegistryProblem => ({
  code: "invalid",
  problems: [{ keys, message }],
});
