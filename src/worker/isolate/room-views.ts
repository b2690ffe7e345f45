/**
 * This isolate's snapshots of rooms, by which the gate decides. What a snapshot means is
 * core/snapshot.ts.
 */
import type { RoomDefinition } from "../../core/definition.ts";
import type { LobbyIndex, RoomId, VisitId } from "../../core/ids.ts";
import { lobbyIndex } from "../../core/ids.ts";
import { isSamePace, type PaceAsk } from "../../core/pace/signal.ts";
import { SNAPSHOT_FRESH_MS, SNAPSHOT_GRACE_MS } from "../../core/snapshot.ts";
import type { RoomSnapshot } from "../../core/snapshot.ts";
import { instant, isOver, SECOND_MS } from "../../core/time.ts";
import type { InstantMs } from "../../core/time.ts";
import type { LobbyPicker } from "../../core/lobby/lobby-picker.ts";
import { addressOf } from "../../core/regions/address.ts";
import { regionOfLobby } from "../../core/regions/lobbies.ts";
import { lobbyAt } from "../../core/regions/objects.ts";
import { nearestRegion } from "../../core/regions/nearest.ts";
import type { VisitEnd } from "../../durable/contract.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { reasonOf } from "../platform/log.ts";
import { randomBelow } from "../platform/ports.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { Ports } from "../platform/ports.ts";
import { BoundedMap } from "../../core/collections/bounded-map.ts";
import { EdgeTally, type EdgeReport } from "../../core/edge-report.ts";
import { callObject } from "./call-object.ts";
import { RegionalLobby, type VisitorsLobby } from "./regional-lobby.ts";
import { StaleWhileRevalidate } from "./stale-while-revalidate.ts";
import type { Fetched } from "./stale-while-revalidate.ts";

const TIMES = {
  freshMs: SECOND_MS,
  staleMs: SNAPSHOT_FRESH_MS,
  waitMs: 2 * SECOND_MS,
  lapseMs: 3 * SECOND_MS,
  pauseMs: SECOND_MS,
};
/** Bounds the rooms; one deployment has fewer. */
const ROOMS_MAX = 2_000;
/** Ends that this isolate saw itself and the Room's snapshot may not tell yet. */
const SEEN_ENDS_MAX = 8_192;

/** `end` as the Room told it, once it was asked. */
interface SeenEnd {
  readonly end?: VisitEnd | null;
}

type EndsOfPasses = Map<VisitId, InstantMs>;

/**
 * fresh: as promised, at most 2 s old · grace: older, but live passes go on · lost: `on_failure`
 */
export type ViewState = "fresh" | "grace" | "lost";

interface KnownRoom {
  readonly snapshot: RoomSnapshot;
  readonly ended: EndsOfPasses;
}

/** What this isolate knows of one room at the moment of a request. */
export class RoomView {
  readonly state: ViewState;
  /** Null only when `lost`. */
  readonly snapshot: RoomSnapshot | null;
  /** The Room's clock where a snapshot tells it, else the isolate's. */
  readonly now: InstantMs;
  readonly #room: RoomId;
  readonly #ended: EndsOfPasses | null;
  readonly #seenEnds: BoundedMap<string, SeenEnd>;

  constructor(
    room: RoomId,
    known: KnownRoom | null,
    state: ViewState,
    now: InstantMs,
    seenEnds: BoundedMap<string, SeenEnd>,
  ) {
    this.state = state;
    this.snapshot = known === null ? null : known.snapshot;
    this.now = now;
    this.#room = room;
    this.#ended = known === null ? null : known.ended;
    this.#seenEnds = seenEnds;
  }

  hasEnded(visit: VisitId): boolean {
    return this.#ended?.has(visit) === true || this.#seen(visit) !== undefined;
  }

  /** How it ended. Null: the Room has forgotten it. Undefined: this isolate has not asked. */
  endOf(visit: VisitId): VisitEnd | null | undefined {
    return this.#seen(visit)?.end;
  }

  #seen(visit: VisitId): SeenEnd | undefined {
    if (this.#seenEnds.size === 0) return undefined;
    return this.#seenEnds.get(`${this.#room}/${visit}`);
  }
}

/** This isolate's snapshots, one a room. */
export class RoomViews {
  readonly #ports: Ports;
  readonly #rooms = new BoundedMap<RoomId, StaleWhileRevalidate<KnownRoom>>(ROOMS_MAX);
  readonly #seenEnds = new BoundedMap<string, SeenEnd>(SEEN_ENDS_MAX);

  readonly #newTally = () => new EdgeTally(this.#ports.now);
  readonly #newView = () => new StaleWhileRevalidate<KnownRoom>(this.#ports, TIMES);

  /** What is seen at a room's gate, until its snapshot is asked for next. */
  readonly #tallies = new BoundedMap<RoomId, EdgeTally>(ROOMS_MAX);

  /** What the origin's answers said of the pace when this isolate last passed it on by itself. */
  readonly #paces = new BoundedMap<RoomId, { readonly ask: PaceAsk; readonly at: number }>(
    ROOMS_MAX,
  );

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  view(arrival: Arrival, room: RoomDefinition): MaybePromise<RoomView> {
    const kept = this.#keptOf(room.id);
    const { ageMs } = kept;
    const fresh = kept.freshAt(ageMs);
    if (fresh !== null) return this.#viewOf(arrival, room, kept, fresh, ageMs);
    return this.#read(arrival, room, kept);
  }

  async #read(
    arrival: Arrival,
    room: RoomDefinition,
    kept: StaleWhileRevalidate<KnownRoom>,
  ): Promise<RoomView> {
    const taken = await kept.read(() => this.#ask(arrival, room, kept), arrival.waitUntil);
    return this.#viewOf(arrival, room, kept, taken, kept.ageMs);
  }

  /**
   * This isolate saw the visit end: it need not wait for a snapshot that says so. `end`: how, or null
   * where the Room was asked and does not know any more.
   */
  sawEnd(room: RoomDefinition, visit: VisitId, end?: VisitEnd | null): void {
    const key = `${room.id}/${visit}`;
    const told = end === undefined ? undefined : { end };
    this.#seenEnds.set(key, told ?? this.#seenEnds.get(key) ?? {});
  }

  /** Where to count what the Room is to hear of: that costs no call. */
  tallyOf(room: Pick<RoomDefinition, "id">): EdgeTally {
    return this.#tallies.getOrMake(room.id, this.#newTally);
  }

  /**
   * The origin has said so with an answer. What is new goes to the Room at once, if nothing went in the
   * last second; all else with the snapshot that is asked for next.
   */
  heardPace(arrival: Arrival, room: RoomDefinition, ask: PaceAsk): void {
    this.tallyOf(room).paced(ask);
    const now = this.#ports.now();
    const last = this.#paces.get(room.id);
    if (last !== undefined && (isSamePace(last.ask, ask) || now < last.at + SECOND_MS)) return;
    this.#paces.set(room.id, { ask, at: now });
    const told = this.tallyOf(room).toldBy((report) => this.#tell(arrival, room, report));
    arrival.waitUntil(told.catch(() => null));
  }

  /** Its answer is not used: it may be older than a refresh that is under way. */
  #tell(arrival: Arrival, room: RoomDefinition, report: EdgeReport | null): Promise<unknown> {
    const known = this.#keptOf(room.id).taken?.value ?? null;
    const since = known?.snapshot.version ?? null;
    const lobby = this.#anyLobby(arrival, room, known);
    return callObject(this.#ports, () => lobbyOf(arrival, room, lobby).snapshot(since, report));
  }

  #viewOf(
    arrival: Arrival,
    room: RoomDefinition,
    kept: StaleWhileRevalidate<KnownRoom>,
    taken: Fetched<KnownRoom> | null,
    ageMs: number,
  ): RoomView {
    const state = stateOf(ageMs);
    if (state !== "fresh") this.#logSilence(arrival, room, kept, state);
    const known = taken === null ? null : taken.value;
    const now = roomClock(known?.snapshot ?? null, ageMs, this.#ports);
    return new RoomView(room.id, known, state, now, this.#seenEnds);
  }

  #keptOf(id: RoomId): StaleWhileRevalidate<KnownRoom> {
    return this.#rooms.getOrMake(id, this.#newView);
  }

  async #ask(
    arrival: Arrival,
    room: RoomDefinition,
    kept: StaleWhileRevalidate<KnownRoom>,
  ): Promise<Fetched<KnownRoom>> {
    const known = kept.taken?.value ?? null;
    const since = known?.snapshot.version ?? null;
    const { snapshot, ageMs } = await this.tallyOf(room).toldBy((report) =>
      callObject(this.#ports, () =>
        lobbyOf(arrival, room, this.#anyLobby(arrival, room, known)).snapshot(since, report),
      ),
    );
    const takenAt = this.#ports.now() - ageMs;
    const ended = withLatestEnds(kept.taken?.value ?? null, snapshot);
    if (ended !== null) return { value: { snapshot, ended }, takenAt };
    return this.#askForAll(arrival, room, known);
  }

  /** The deltas do not fit what is known: ask for every ended visit. */
  async #askForAll(
    arrival: Arrival,
    room: RoomDefinition,
    known: KnownRoom | null,
  ): Promise<Fetched<KnownRoom>> {
    const { snapshot, ageMs } = await callObject(this.#ports, () =>
      lobbyOf(arrival, room, this.#anyLobby(arrival, room, known)).snapshot(null),
    );
    const takenAt = this.#ports.now() - ageMs;
    return { value: { snapshot, ended: new Map(pairsOf(snapshot)) }, takenAt };
  }

  #anyLobby(arrival: Arrival, room: RoomDefinition, known: KnownRoom | null): LobbyIndex {
    const open = lobbiesFor(known?.snapshot ?? null, arrival, room);
    return open[randomBelow(this.#ports, open.length)] ?? lobbyIndex(0);
  }

  #logSilence(
    arrival: Arrival,
    room: RoomDefinition,
    kept: StaleWhileRevalidate<KnownRoom>,
    state: "grace" | "lost",
  ): void {
    this.#ports.log({
      level: "error",
      event: state === "grace" ? "snapshot-old" : "snapshot-lost",
      reference: arrival.reference,
      room: room.name,
      age_ms: Number.isFinite(kept.ageMs) ? kept.ageMs : null,
      reason: reasonOf(kept.failure),
    });
  }
}

/** A lobby of the room, by a new stub for each call. */
export const lobbyOf = (
  arrival: Arrival,
  room: RoomDefinition,
  index: LobbyIndex,
): VisitorsLobby => {
  const { regions } = room.limits;
  return regions === undefined
    ? lobbyAt(arrival.env.LOBBY, addressOf(room), index, regions)
    : new RegionalLobby(arrival, room, regions, index);
};

/** Of a newcomer. */
export const pickLobby = (
  { lobbyPicker }: { readonly lobbyPicker: LobbyPicker },
  snapshot: RoomSnapshot | null,
  arrival: Pick<Arrival, "whereabouts">,
  room: RoomDefinition,
): LobbyIndex => {
  const { regions } = room.limits;
  const group =
    regions === undefined ? room.id : `${room.id}/${nearestRegion(regions, arrival.whereabouts)}`;
  return lobbyPicker.pick(group, lobbiesFor(snapshot, arrival, room)) ?? lobbyIndex(0);
};

/**
 * Those that take joins, in a room with regions those in the one nearest to the request; the first
 * while none is known.
 */
const lobbiesFor = (
  snapshot: RoomSnapshot | null,
  arrival: Pick<Arrival, "whereabouts">,
  { limits: { regions } }: RoomDefinition,
): readonly LobbyIndex[] => {
  const open = snapshot?.lobbiesOpen ?? [];
  if (regions === undefined) return open;
  const near = nearestRegion(regions, arrival.whereabouts);
  const nearby = open.filter((index) => regionOfLobby(index, regions) === near);
  if (nearby.length > 0) return nearby;
  return open.length > 0 ? open : [lobbyIndex(regions.indexOf(near))];
};

/**
 * The Room's clock as of the snapshot, moved on by its age, unless the isolate's clock ran back.
 */
const roomClock = (
  snapshot: RoomSnapshot | null,
  ageMs: number,
  { now }: Pick<Ports, "now">,
): InstantMs => {
  if (snapshot === null) return instant(now());
  return Number.isFinite(ageMs) ? instant(snapshot.at + ageMs) : snapshot.at;
};

const stateOf = (ageMs: number): ViewState => {
  if (ageMs < SNAPSHOT_FRESH_MS) return "fresh";
  return ageMs < SNAPSHOT_GRACE_MS ? "grace" : "lost";
};

const pairsOf = (snapshot: RoomSnapshot): (readonly [VisitId, InstantMs])[] =>
  snapshot.ended.map(({ visit, passesUntil }) => [visit, passesUntil] as const);

/** The ended visits that are known, with the snapshot's added; null when its delta does not fit. */
const withLatestEnds = (known: KnownRoom | null, snapshot: RoomSnapshot): EndsOfPasses | null => {
  if (snapshot.endedSince === null) return new Map(pairsOf(snapshot));
  if (known === null || known.snapshot.version.boot !== snapshot.version.boot) return null;
  if (snapshot.endedSince > known.snapshot.version.ended) return null;
  // In place: it may hold a few hundred thousand, and it only learns what is true.
  const { ended } = known;
  for (const [visit, passesUntil] of pairsOf(snapshot)) ended.set(visit, passesUntil);
  for (const [visit, passesUntil] of ended)
    if (isOver(passesUntil, snapshot.at)) ended.delete(visit);
  return ended;
};
