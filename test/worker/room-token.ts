import type { OperatorToken } from "../../src/core/access/token.ts";
import { hex } from "../../src/core/hex.ts";
import type { RoomId } from "../../src/core/ids.ts";
import { instant } from "../../src/core/time.ts";
import { hashOfToken } from "../../src/worker/isolate/known-tokens.ts";
import type { World } from "./fakes.ts";

/** Gives the deployment a token that may look at these rooms and at nothing else. */
export const tokenForRooms = async (world: World, rooms: readonly RoomId[]): Promise<string> => {
  const text = `srk_${"e".repeat(43)}`;
  const token: OperatorToken = {
    id: "e".repeat(32),
    name: "monitoring",
    scope: "read",
    rooms,
    expiresAt: null,
    madeAt: instant(0),
    madeBy: "ADMIN_TOKEN",
    hash: hex(await hashOfToken(text)),
  };
  world.definitions = { ...world.definitions, tokens: [token] };
  return text;
};
