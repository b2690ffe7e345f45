/** `find`, `more`, `call-again` and `end`: the help desk at a terminal. */
import { MORE_MINUTES_MAX } from "../../src/core/room/desk.ts";
import { parseVisitorName, type VisitorResource } from "../../src/api/rooms/visitor.ts";
import type { ManagementClient } from "../api-client.ts";
import { say, sayJson } from "../command.ts";
import { quoted, usageFailure } from "../launch/failure.ts";

export interface DeskCall {
  readonly kind: "find" | "more" | "call-again" | "end";
  readonly room: string;
  /** A number, or a reference. */
  readonly visitor: string;
  /** Of `more`. */
  readonly minutes: number;
  readonly json: boolean;
}

export const DESK_COMMANDS = ["find", "more", "call-again", "end"] as const;

export const deskCommand = (
  kind: DeskCall["kind"],
  [room, visitor, minutes, ...rest]: readonly string[],
  json: boolean,
): DeskCall => {
  const usage = `${kind} NAME WHO${kind === "more" ? " MINUTES" : ""}`;
  const hasMinutes = (kind === "more") === (minutes !== undefined);
  if (room === undefined || visitor === undefined || !hasMinutes || rest.length > 0)
    throw usageFailure(`${kind} needs a room and a visitor: ${usage}`, [
      "a visitor is the ticket's number, or the eight letters that its page shows",
    ]);
  if (parseVisitorName(visitor) === null)
    throw usageFailure(`${quoted(visitor)} is neither a number nor a reference`, [
      "a reference has eight of the letters A to Z and digits 2 to 9, without I and O",
    ]);
  const more = Number(minutes ?? 1);
  if (!/^\d{1,2}$/.test(minutes ?? "1") || more < 1 || more > MORE_MINUTES_MAX)
    throw usageFailure(`more gives 1 to ${MORE_MINUTES_MAX} minutes at a time`);
  return { kind, room, visitor, minutes: more, json };
};

export const runDesk = async (client: ManagementClient, command: DeskCall): Promise<void> => {
  const { kind, room, visitor } = command;
  switch (kind) {
    case "find": {
      const found = await client.findVisitor(room, visitor);
      return command.json ? sayJson(found, 2) : visitorLines(found).forEach(say);
    }
    case "more":
      return told(await client.helpVisitor(room, visitor, { more_minutes: command.minutes }));
    case "call-again":
      return told(await client.helpVisitor(room, visitor, { call_again: true }));
    case "end":
      await client.endVisitor(room, visitor);
      return say(`${room}: ${visitor} waits and visits no more`);
    default:
      return kind satisfies never;
  }
};

const told = ({ room, says }: VisitorResource): void => say(`${room}: ${says}`);

/** What to read out, and below it what has happened, oldest first. */
export const visitorLines = (found: VisitorResource): string[] => [
  found.says,
  ...(found.more_minutes_given > 0 ? [`more time given: ${found.more_minutes_given} minutes`] : []),
  ...found.happened.map(({ at, what }) => `${at.slice(0, 19).replace("T", " ")}  ${what}`),
  `remembered since ${found.remembered_since.slice(0, 19).replace("T", " ")} (all UTC)`,
];
