/** Finds the number of a visitor whose reference an operator has: the Room's own visits, and its lobbies. */
import type { LobbyIndex, TicketNumber } from "../../core/ids.ts";
import { numberUnder } from "../../core/room/desk.ts";
import { HAPPENED_READ_MAX, type HappenedKept } from "../../core/room/happenings.ts";
import type { RoomState } from "../../core/room/state.ts";
import type { RoomStore } from "../../core/room/stored.ts";
import type { LobbyRpc } from "../contract.ts";
import { logFailure } from "../log.ts";

/** An operator waits no longer for lobbies that do not answer. */
const LOBBIES_MS = 2_000;

/**
 * The visit that runs, otherwise who waits, otherwise the latest visit that ended. Lobbies that
 * cannot be asked are passed over.
 */
export const findNumber = async (
  state: RoomState,
  reference: string,
  lobby: (index: LobbyIndex) => Pick<LobbyRpc, "numberUnder">,
): Promise<TicketNumber | null> => {
  const { visiting, ended } = numberUnder(state, reference);
  if (visiting !== null) return visiting;
  const late = scheduler.wait(LOBBIES_MS).then(() => null);
  const asked = [...state.line.lobbies()].map((index) => {
    const found = lobby(index).numberUnder(reference);
    return Promise.race([found.catch(failed), late]);
  });
  const found = (await Promise.all(asked)).filter((number) => number !== null);
  return found.toSorted((one, other) => other - one)[0] ?? ended;
};

const failed = (error: unknown): null => {
  logFailure("room-desk", error);
  return null;
};

export const happenedTo = (
  store: Pick<RoomStore, "happened">,
  number: TicketNumber,
): HappenedKept => store.happened(number, HAPPENED_READ_MAX);
