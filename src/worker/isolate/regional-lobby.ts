/**
 * A lobby of a room with regions. While its region cannot be reached, the lobby beside it in the next
 * one is asked: the Room knows every number and every visit, so any lobby can speak for them.
 */
import type { RoomDefinition } from "../../core/definition.ts";
import type { EdgeReport } from "../../core/edge-report.ts";
import type { LobbyIndex, VisitId } from "../../core/ids.ts";
import { addressOf } from "../../core/regions/address.ts";
import { regionOfLobby, standInOf } from "../../core/regions/lobbies.ts";
import { lobbyAt } from "../../core/regions/objects.ts";
import type { RegionList } from "../../core/regions/region.ts";
import type { RegionOfRoom } from "../../core/regions/silent-regions.ts";
import type { SnapshotVersion } from "../../core/snapshot.ts";
import type {
  EnterAsk,
  LobbyRpc,
  TakeAsk,
  TicketClaims,
  VisitAsk,
  WaitAsk,
} from "../../durable/contract.ts";
import type { TurnsAsk } from "../../durable/turns-contract.ts";
import type { Arrival } from "../arrival/arrival.ts";

/** What the Worker asks of a lobby; the rest is for the Room. */
export type VisitorsLobby = Omit<LobbyRpc, "numberUnder" | "deliver" | "close">;

/** Of a call: whether an answer is due at once. */
const [IS_BRIEF, LASTS] = [true, false];

type AnswerTo<Name extends keyof VisitorsLobby> = ReturnType<VisitorsLobby[Name]>;

export class RegionalLobby implements VisitorsLobby {
  readonly #arrival: Arrival;
  readonly #room: RoomDefinition;
  readonly #regions: RegionList;
  readonly #index: LobbyIndex;

  constructor(arrival: Arrival, room: RoomDefinition, regions: RegionList, index: LobbyIndex) {
    this.#arrival = arrival;
    this.#room = room;
    this.#regions = regions;
    this.#index = index;
  }

  take(asks: readonly TakeAsk[]): AnswerTo<"take"> {
    return this.#ask((lobby) => lobby.take(asks));
  }

  where(ticket: TicketClaims): AnswerTo<"where"> {
    return this.#ask((lobby) => lobby.where(ticket));
  }

  whereAll(tickets: readonly TicketClaims[]): AnswerTo<"whereAll"> {
    return this.#ask((lobby) => lobby.whereAll(tickets));
  }

  leave(ticket: TicketClaims): AnswerTo<"leave"> {
    return this.#ask((lobby) => lobby.leave(ticket));
  }

  claim(ticket: TicketClaims): AnswerTo<"claim"> {
    return this.#ask((lobby) => lobby.claim(ticket));
  }

  visits(asks: readonly VisitAsk[]): AnswerTo<"visits"> {
    return this.#ask((lobby) => lobby.visits(asks));
  }

  enter(ask: EnterAsk): AnswerTo<"enter"> {
    return this.#ask((lobby) => lobby.enter(ask));
  }

  enterAll(asks: readonly EnterAsk[]): AnswerTo<"enterAll"> {
    return this.#ask((lobby) => lobby.enterAll(asks));
  }

  renew(visit: VisitId): AnswerTo<"renew"> {
    return this.#ask((lobby) => lobby.renew(visit));
  }

  peek(visit: VisitId): AnswerTo<"peek"> {
    return this.#ask((lobby) => lobby.peek(visit));
  }

  end(visit: VisitId, afterMs: number): AnswerTo<"end"> {
    return this.#ask((lobby) => lobby.end(visit, afterMs));
  }

  snapshot(since: SnapshotVersion | null, report?: EdgeReport | null): AnswerTo<"snapshot"> {
    return this.#ask((lobby) => lobby.snapshot(since, report));
  }

  /** It may last: that there is no answer yet says nothing, and nobody shall wait only to try a region. */
  wait(ask: WaitAsk): AnswerTo<"wait"> {
    return this.#call((lobby) => lobby.wait(ask), LASTS);
  }

  /** Nor here: a call without news waits for it. */
  turns(ask: TurnsAsk): AnswerTo<"turns"> {
    return this.#call((lobby) => lobby.turns(ask), LASTS);
  }

  moment(holdMs: number): AnswerTo<"moment"> {
    return this.#ask((lobby) => lobby.moment(holdMs));
  }

  abandonWait(wait: string): AnswerTo<"abandonWait"> {
    return this.#ask((lobby) => lobby.abandonWait(wait));
  }

  fetch(request: Request): AnswerTo<"fetch"> {
    return this.#ask((lobby) => lobby.fetch(request));
  }

  #ask<T>(call: (lobby: LobbyRpc) => Promise<T>): Promise<T> {
    return this.#call(call, IS_BRIEF);
  }

  async #call<T>(call: (lobby: LobbyRpc) => Promise<T>, isBrief: boolean): Promise<T> {
    const { env, silentRegions } = this.#arrival;
    const { name: room } = this.#room;
    const address = addressOf(this.#room);
    const regionOf = (lobby: LobbyIndex): RegionOfRoom => ({
      room,
      address,
      region: regionOfLobby(lobby, this.#regions),
    });
    const index = this.#reachable((lobby) => silentRegions.isSilent(regionOf(lobby), isBrief));
    if (isBrief) silentRegions.asked(regionOf(index));
    try {
      const answer = await call(lobbyAt(env.LOBBY, address, index, this.#regions));
      silentRegions.answered(regionOf(index));
      return answer;
    } catch (error) {
      // Too busy is not gone: its visitors would only make another one so.
      const { overloaded } = error as { readonly overloaded?: unknown };
      if (overloaded === true) silentRegions.answered(regionOf(index));
      throw error;
    }
  }

  /** Its own, where all of them are silent. */
  #reachable(isSilent: (lobby: LobbyIndex) => boolean): LobbyIndex {
    let index = this.#index;
    do {
      if (!isSilent(index)) return index;
      index = standInOf(index, this.#regions);
    } while (index !== this.#index);
    return index;
  }
}
