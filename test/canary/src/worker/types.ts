import type { Room } from "../durable/room.ts";

/** A good example: a type of an object may be known. */
export type Parts = Room["parts"];
