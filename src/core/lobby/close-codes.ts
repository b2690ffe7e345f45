/** Codes that close visitors' sockets, by reason. docs/PROTOCOL.md says what a page then does. */
const CLOSE_CODES = {
  "bad-message": 4400,
  "ticket-invalid": 4401,
  origin: 4403,
  idle: 4408,
  "room-closed": 4410,
  "too-many": 4429,
  visiting: 1000,
  "try-again": 1013,
} as const;

export type CloseReason = keyof typeof CLOSE_CODES;

/** What a client reads of a socket that was closed, or refused. */
export interface SocketClosing {
  readonly code: number;
  readonly reason: string;
}

export const closingFor = (reason: CloseReason): SocketClosing => ({
  code: CLOSE_CODES[reason],
  reason,
});
