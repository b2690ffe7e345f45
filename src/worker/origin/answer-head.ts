/** An answer's headers as the gate needs them, looked through once. */
import type { RoomDefinition } from "../../core/definition.ts";
import type { PaceAsk } from "../../core/pace/signal.ts";
import { isForUsAlone, paceSaid, releaseOf } from "./command.ts";
import type { VisitRelease } from "./command.ts";
import { isHop } from "./header-fate.ts";
import { listedBy } from "./request-headers.ts";

/** What decides what becomes of an answer on its way. */
export class AnswerHead {
  readonly status: number;
  contentLength: string | null = null;
  contentType: string | null = null;
  location: string | null = null;
  setsCookies = false;

  constructor(status: number) {
    this.status = status;
  }
}

/** Of an answer that needs no cleansing. */
export const headOf = ({ status, headers }: Response): AnswerHead => {
  const head = new AnswerHead(status);
  look(head, headers);
  return head;
};

const look = (head: AnswerHead, headers: Headers): void => {
  head.contentLength = headers.get("Content-Length");
  head.contentType = headers.get("Content-Type");
  head.location = headers.get("Location");
  head.setsCookies = headers.has("Set-Cookie");
};

const NONE: readonly string[] = [];

interface Commands {
  readonly release: VisitRelease | null;
  readonly pace: PaceAsk | null;
}

const NO_COMMANDS: Commands = { release: null, pace: null };

/** Removes headers that are not for the visitor, and returns the commands among them, if any. */
export const cleanse = (
  headers: Headers,
  head: AnswerHead,
  room: RoomDefinition | null,
): Commands => {
  const isSocket = head.status === 101;
  const unwanted: string[] = [];
  let isCommanding = false;
  let listed = NONE;
  headers.forEach((value, name) => {
    if (name === "content-length") head.contentLength = value;
    else if (name === "content-type") head.contentType = value;
    else if (name === "location") head.location = value;
    else if (name === "set-cookie") head.setsCookies = true;
    else if (isForUsAlone(name)) {
      isCommanding = true;
      unwanted.push(name);
    } else if (!isSocket && isHop(name)) {
      unwanted.push(name);
      if (name === "connection") listed = listedBy(value);
    }
  });
  if (unwanted.length === 0) return NO_COMMANDS;
  const enabled = room?.kept.enabled_origin_commands ?? [];
  const commands = isCommanding
    ? { release: releaseOf(headers, enabled), pace: paceSaid(headers) }
    : NO_COMMANDS;
  for (const name of unwanted) headers.delete(name);
  for (const name of listed) headers.delete(name);
  if (listed.length > 0) look(head, headers);
  return commands;
};
