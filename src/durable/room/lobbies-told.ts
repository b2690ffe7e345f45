/** What a Room tells its lobbies of its steps: calls, positions, how the room stands, and that it is gone. */
import type { DurableObject } from "cloudflare:workers";
import type { LobbyIndex } from "../../core/ids.ts";
import type { RoomAddress } from "../../core/regions/address.ts";
import { lobbyAt } from "../../core/regions/objects.ts";
import type { RoomState } from "../../core/room/state.ts";
import type { RoomOutcome } from "../../core/room/step.ts";
import { roomStatusOf } from "../../core/room/view.ts";
import type { LobbyRpc, RoomUpdate } from "../contract.ts";
import { logFailure } from "../log.ts";
import type { RoomEnv } from "./env.ts";

/** What is told of a step. */
type StepTold = Pick<RoomOutcome<unknown>, "now" | "calls" | "positionsFor" | "positionsTable">;

export class LobbiesTold {
  readonly #ctx: Pick<DurableObjectState, "waitUntil">;
  readonly #lobbies: RoomEnv["LOBBY"];
  readonly #address: RoomAddress;
  readonly #state: () => RoomState;
  #steps = 0;

  constructor(
    ctx: Pick<DurableObjectState, "waitUntil">,
    lobbies: RoomEnv["LOBBY"],
    address: RoomAddress,
    state: () => RoomState,
  ) {
    this.#ctx = ctx;
    this.#lobbies = lobbies;
    this.#address = address;
    this.#state = state;
  }

  /** A step begins: updates are counted by it, so that a lobby knows which is older. */
  beginStep(): void {
    this.#steps += 1;
  }

  lobby(index: LobbyIndex): DurableObjectStub<DurableObject & LobbyRpc> {
    return lobbyAt(this.#lobbies, this.#address, index, this.#state().limits.regions);
  }

  /** Passes on calls and positions; the lobby that asks gets its own with the answer. */
  tell(step: StepTold, asker: LobbyIndex | null): void {
    const lobbies = new Set<LobbyIndex>([...step.calls.keys(), ...step.positionsFor]);
    for (const index of lobbies) {
      if (index === asker) continue;
      const sent = this.lobby(index).deliver(this.updateFor(index, step));
      this.#ctx.waitUntil(sent.catch((error: unknown) => logFailure("room-deliver", error)));
    }
  }

  updateFor(index: LobbyIndex, step: StepTold): RoomUpdate {
    return {
      now: step.now,
      count: this.#steps,
      roomStatus: roomStatusOf(this.#state(), step.now),
      calls: step.calls.get(index) ?? [],
      positionsTable: step.positionsFor.includes(index) ? step.positionsTable : null,
    };
  }

  /** The room is gone. Lobbies that cannot be reached hear of it when they ask. */
  async closeAll(lobbies: Iterable<LobbyIndex>): Promise<void> {
    await Promise.allSettled([...lobbies].map((index) => this.lobby(index).close()));
  }
}
