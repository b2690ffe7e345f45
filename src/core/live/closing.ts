/** How sockets of those who watch a room are closed, or refused. docs/PROTOCOL.md says what then. */
import type { SocketClosing } from "../lobby/close-codes.ts";

const LIVE_CLOSE_CODES = {
  /** It sent something other than `ping`. */
  "bad-message": 4400,
  /** The token is missing, wrong, revoked or over. */
  "token-invalid": 4401,
  /** Another site's page, or a token that may not look at this room. */
  forbidden: 4403,
  "room-not-found": 4404,
  /** Silent for too long. */
  idle: 4408,
  "room-gone": 4410,
  /** Too many watch already, or too many wrong tokens came. */
  "too-many": 4429,
  "try-again": 1013,
} as const;

export type LiveCloseReason = keyof typeof LIVE_CLOSE_CODES;

export const liveClosing = (reason: LiveCloseReason): SocketClosing => ({
  code: LIVE_CLOSE_CODES[reason],
  reason,
});

const REASON_OF_STATUS: Readonly<Record<number, LiveCloseReason>> = {
  401: "token-invalid",
  403: "forbidden",
  404: "room-not-found",
  429: "too-many",
};

/** What a browser's socket hears in place of an answer with this status. */
export const closingForStatus = (status: number): SocketClosing =>
  liveClosing(REASON_OF_STATUS[status] ?? "try-again");
