import type { NotedAlert } from "../alerts/alert.ts";
import { plainCopy } from "../plain-copy.ts";
import type { EstimatorState } from "../estimate/estimator.ts";
import { CHUNK_BITS } from "../line/counted-bits.ts";
import type { IssuedRun } from "../line/kept-chunks.ts";
import type { SlotIndex, TicketNumber, LobbyIndex } from "../ids.ts";
import type { StoredPace } from "../pace/pace.ts";
import type { Permit } from "../permits/permit.ts";
import type { EndedVisit } from "../snapshot.ts";
import type { InstantMs } from "../time.ts";
import type { StoredDraw } from "./draw-state.ts";
import type { StoredEvents } from "./event-state.ts";
import type { HappenedKept, HappenedRow } from "./happenings.ts";
import type { HistoryRow } from "./history.ts";
import type { StoredRoomChange, RoomHead, LobbyRow, RoomStore, StoredRoom } from "./stored.ts";

/** The Room's rows in memory: for tests and simulations, under the same contract as SQLite's. */
export class MemoryRoomStore implements RoomStore {
  #head: RoomHead | null = null;
  #estimate: EstimatorState | null = null;
  #events: StoredEvents | null = null;
  #pace: StoredPace | null = null;
  readonly #draws = new Map<number, StoredDraw>();
  readonly #runs = new Map<TicketNumber, IssuedRun>();
  readonly #spent = new Map<number, Uint8Array>();
  readonly #permits = new Map<SlotIndex, Permit>();
  readonly #misses = new Map<TicketNumber, number>();
  readonly #ended = new Map<number, { visits: readonly EndedVisit[]; until: InstantMs }>();
  readonly #lobbies = new Map<LobbyIndex, LobbyRow>();
  readonly #history = new Map<InstantMs, HistoryRow>();
  readonly #happened = new Map<number, HappenedRow>();
  readonly #alerts = new Map<number, NotedAlert>();

  load(): StoredRoom {
    return plainCopy({
      head: this.#head,
      estimate: this.#estimate,
      events: this.#events,
      pace: this.#pace,
      draws: [...this.#draws.values()],
      runs: [...this.#runs.values()],
      spent: [...this.#spent].map(([chunk, bits]) => ({ chunk, bits })),
      permits: [...this.#permits].map(([slot, permit]) => ({ slot, permit })),
      misses: [...this.#misses],
      ended: [...this.#ended].map(([row, { visits }]) => ({ row, visits })),
      lobbies: [...this.#lobbies.values()],
      alerts: [...this.#alerts.values()],
    });
  }

  write(changes: readonly StoredRoomChange[]): void {
    for (const change of plainCopy(changes)) {
      if ("put" in change) this.#put(change);
      else this.#drop(change);
    }
  }

  history(since: InstantMs, rowsMax: number, before?: InstantMs): HistoryRow[] {
    const rows = [...this.#history.values()].filter(
      ({ minute }) => minute >= since && minute < (before ?? Infinity),
    );
    return rows.sort((a, b) => a.minute - b.minute).slice(-rowsMax);
  }

  happened(number: TicketNumber, rowsMax: number): HappenedKept {
    const all = [...this.#happened.values()].sort((a, b) => b.id - a.id);
    const spanning = all.filter(({ lowest, highest }) => lowest <= number && highest >= number);
    const rows = spanning.slice(0, rowsMax);
    return { rows, oldest: (spanning.length > rowsMax ? rows.at(-1) : all.at(-1)) ?? null };
  }

  erase(): void {
    this.#happened.clear();
    this.#head = null;
    this.#estimate = null;
    this.#events = null;
    this.#pace = null;
    this.#draws.clear();
    for (const table of [this.#runs, this.#spent, this.#permits, this.#misses]) table.clear();
    for (const table of [this.#ended, this.#lobbies, this.#history, this.#alerts]) table.clear();
  }

  #put(change: Extract<StoredRoomChange, { put: string }>): void {
    switch (change.put) {
      case "head":
        this.#head = change.head;
        return;
      case "estimate":
        this.#estimate = change.estimate;
        return;
      case "events":
        this.#events = change.events;
        return;
      case "pace":
        this.#pace = change.pace;
        return;
      case "draw":
        this.#draws.set(change.draw.record.closed.first, change.draw);
        return;
      case "issue":
        this.#runs.set(change.run.first, change.run);
        return;
      case "spent":
        this.#spent.set(change.chunk, change.bits);
        return;
      case "permit":
        this.#permits.set(change.slot, change.permit);
        return;
      case "miss":
        this.#misses.set(change.number, change.misses);
        return;
      case "ended":
        this.#ended.set(change.row, change);
        return;
      case "lobby":
        this.#lobbies.set(change.row.lobby, change.row);
        return;
      case "history":
        this.#history.set(change.row.minute, change.row);
        return;
      case "happened":
        this.#happened.set(change.row.id, change.row);
        return;
      case "alert":
        this.#alerts.set(change.alert.sequence, change.alert);
        return;
      default:
        change satisfies never;
    }
  }

  #drop(change: Extract<StoredRoomChange, { drop: string }>): void {
    switch (change.drop) {
      case "permit":
        this.#permits.delete(change.slot);
        return;
      case "miss":
        this.#misses.delete(change.number);
        return;
      case "draw":
        this.#draws.delete(change.first);
        return;
      case "ended":
        for (const [row, { until }] of this.#ended)
          if (until <= change.until) this.#ended.delete(row);
        return;
      case "history":
        for (const minute of this.#history.keys()) {
          if (minute < change.before) this.#history.delete(minute);
        }
        return;
      case "happened":
        for (const { id, until } of this.#happened.values())
          if ("before" in change ? until < change.before : id <= change.upTo)
            this.#happened.delete(id);
        return;
      case "alert":
        for (const sequence of this.#alerts.keys()) {
          if (sequence <= change.upTo) this.#alerts.delete(sequence);
        }
        return;
      case "line":
        this.#dropLine(change.belowChunk);
        return;
      default:
        change satisfies never;
    }
  }

  #dropLine(belowChunk: number): void {
    for (const chunk of this.#spent.keys()) if (chunk < belowChunk) this.#spent.delete(chunk);
    for (const [first, { count }] of this.#runs) {
      if (first + count <= belowChunk * CHUNK_BITS) this.#runs.delete(first);
    }
  }
}
