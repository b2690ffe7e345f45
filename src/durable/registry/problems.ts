/** What the Registry answers when it changes nothing. */
import type { RegistryProblem, RegistryReply } from "../contract.ts";

export const NOT_RESTORABLE: RegistryReply<never> = {
  ok: false,
  problem: {
    code: "not-found",
    detail: "No room was deleted under this name or id within a day, so none can be restored.",
  },
};

export const TAKEN_ID: RegistryProblem = {
  code: "name-taken",
  detail: "A room with this id exists.",
};

export const MODIFIED_SINCE: RegistryReply<never> = {
  ok: false,
  problem: { code: "modified-since", detail: "Somebody else changed the room. Read it again." },
};

export const noSuchRoom = (room: string): RegistryReply<never> => ({
  ok: false,
  problem: { code: "not-found", detail: `There is no room ${room}.` },
});
