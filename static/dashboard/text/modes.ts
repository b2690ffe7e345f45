import type { RoomMode } from "../../../src/core/snapshot.ts";

/** What a room does, in the words of an operator; the sign beside it differs by shape, not by colour alone. */
export interface ModeWords {
  readonly word: string;
  readonly says: string;
}

export const MODES: Readonly<Record<RoomMode, ModeWords>> = {
  open: { word: "Open", says: "Who comes goes straight in." },
  queues: { word: "Queueing", says: "Who comes takes a number and waits." },
  paused: { word: "Paused", says: "Nobody goes in. The line keeps its places." },
  closed: { word: "Closed", says: "No more numbers, and nobody is called." },
  suspended: { word: "Suspended", says: "Everybody goes through; nothing is limited." },
};
