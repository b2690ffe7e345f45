/** What the Registry answers when it changes nothing. */
import type { RoomDefinition } from "../../core/definition.ts";
import type { ReadAt, RegistryProblem, RegistryReply } from "../contract.ts";

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

/** `what`: "the room". */
export const modifiedSince = (what: string): RegistryReply<never> => ({
  ok: false,
  problem: { code: "modified-since", detail: `Somebody else changed ${what}. Read again.` },
});

/** A change names versions that it was based on, and none of them stands. */
export const isOutdated = (readAt: ReadAt | undefined, changedAt: number): boolean =>
  readAt !== undefined && !readAt.some((at) => at === changedAt);

export const noSuchRoom = (room: string): RegistryReply<never> => ({
  ok: false,
  problem: { code: "not-found", detail: `There is no room ${room}.` },
});

/** Does a change lead other requests into the room, to another place, or to other hosts' cookies? */
export const movesTraffic = (before: RoomDefinition, after: RoomDefinition): boolean =>
  JSON.stringify(trafficOf(before)) !== JSON.stringify(trafficOf(after));

const trafficOf = ({ name, routes, origin, cookieDomain, cookieSuffix }: RoomDefinition) => [
  name,
  routes,
  origin,
  cookieDomain,
  cookieSuffix,
];

export const NOT_COVERED: RegistryReply<never> = {
  ok: false,
  problem: {
    code: "scope-missing",
    detail:
      "A token for certain rooms changes neither the name, the routes, the origin nor the cookies' " +
      "names and domain of a room.",
  },
};
