import type { RoomDefinition } from "../../core/definition.ts";
import type { OriginAnswer } from "../origin/forward.ts";
import { STATUS_HEADER, statusText } from "./status.ts";
import type { GateStatus } from "./status.ts";

type Answer = Extract<OriginAnswer, { kind: "answer" }>;

/** The origin's answer, streamed, with the headers that were made of its own. */
export const delivered = (
  { response, headers, head }: Answer,
  status: GateStatus,
  room: RoomDefinition | null,
): Response => {
  // An upgrade's answer goes through as it is: a socket's answer takes no other headers.
  if (head.status === 101) return response;
  headers.set(STATUS_HEADER, statusText(status, room));
  return response;
};
