/**
 * The rooms as operators define them: made, changed, deleted, restored. Nothing is awaited between reading
 * a room and writing it, so changes come one after the other. What Rooms are to be told goes to the outbox.
 */
import type { AuditAct, Author } from "../../core/audit/entry.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import type { DrandChain } from "../../core/draw/drand-chain.ts";
import type { EventsChange } from "../../core/events/event-list.ts";
import type { RoomId } from "../../core/ids.ts";
import { addressOf } from "../../core/regions/address.ts";
import type { RulesChange } from "../../core/rules/rule-list.ts";
import type { ChangeOf, SettingsChange } from "../../core/settings-change.ts";
import { instant, type InstantMs } from "../../core/time.ts";
import type { DeletedRoom, ReadAt, RegistryReply } from "../contract.ts";
import { eventAct, roomAct, roomDeletedAct, rulesAct, type SettingsShown } from "./acts.ts";
import type { Books } from "./books.ts";
import { withRules } from "./bypass-rules.ts";
import { conflictOf } from "./conflicts.ts";
import type { DeletedRooms } from "./deleted-rooms.ts";
import {
  isOutdated,
  modifiedSince,
  movesTraffic,
  NOT_COVERED,
  NOT_RESTORABLE,
  noSuchRoom,
  TAKEN_ID,
} from "./problems.ts";
import { newSecret, withEvents } from "./room-events.ts";
import type { OutboxEntry, RegistryStore } from "./store.ts";
import { withSuffixOfItsOwn } from "./suffix.ts";

/** What settings are is the Worker's to know. */
export interface SettingsKnown {
  readonly changed: ChangeOf<RoomDefinition>;
  readonly shown: SettingsShown;
}

/** Who changes something within a room, and how that is told. */
interface Entered {
  readonly by: Author | undefined;
  readonly act: (before: RoomDefinition, after: RoomDefinition) => AuditAct;
}

export class DefinedRooms {
  readonly #books: Books;
  readonly #store: RegistryStore;
  readonly #deleted: DeletedRooms;
  readonly #known: SettingsKnown;
  readonly #forgets: (room: RoomId) => void;

  /** `forgets` is called within a transaction, of a room that nobody can restore any more. */
  constructor(
    books: Books,
    deleted: DeletedRooms,
    known: SettingsKnown,
    forgets: (room: RoomId) => void,
  ) {
    this.#books = books;
    this.#store = books.store;
    this.#deleted = deleted;
    this.#known = known;
    this.#forgets = forgets;
  }

  create(definition: RoomDefinition, now: InstantMs, by?: Author): RegistryReply<RoomDefinition> {
    const named = withSuffixOfItsOwn(definition, null, this.#books.known().rooms);
    const room = { ...named, createdAt: now, modifiedAt: now };
    const problem = this.#store.room(room.id) ? TAKEN_ID : conflictOf(this.#store, room);
    if (problem !== null) return { ok: false, problem };
    this.#write(room, "configure", () => {
      this.#store.putRoom(room);
      this.#books.enter(by, now, () => roomAct(this.#known.shown, null, room));
    });
    return { ok: true, value: room };
  }

  replace(
    definition: RoomDefinition,
    now: InstantMs,
    readAt?: ReadAt,
    by?: Author,
  ): RegistryReply<RoomDefinition> {
    const before = this.#store.room(definition.id);
    if (before === null) return noSuchRoom(definition.id);
    if (by != null && by.rooms !== null && movesTraffic(before, definition)) return NOT_COVERED;
    if (isOutdated(readAt, before.modifiedAt)) return modifiedSince("the room");
    const problem = conflictOf(this.#store, definition);
    if (problem !== null) return { ok: false, problem };
    const { createdAt } = before;
    const named = withSuffixOfItsOwn(definition, before, this.#books.known().rooms);
    const unchanged = { ...named, createdAt, modifiedAt: before.modifiedAt };
    if (JSON.stringify(unchanged) === JSON.stringify(before)) {
      return { ok: true, value: before, before };
    }
    // Strictly later than before, also when the machine's clock stepped back.
    const modifiedAt = instant(Math.max(now, before.modifiedAt + 1));
    const room = { ...named, createdAt, modifiedAt };
    this.#write(room, "configure", () => {
      this.#store.putRoom(room);
      this.#books.enter(by, now, () => roomAct(this.#known.shown, before, room));
    });
    return { ok: true, value: room, before };
  }

  change(
    room: string,
    change: SettingsChange,
    now: InstantMs,
    readAt?: ReadAt,
    by?: Author,
  ): RegistryReply<RoomDefinition> {
    const before = this.by(room);
    if (before === null) return noSuchRoom(room);
    const changed = this.#known.changed(before, change);
    if (!changed.ok) return { ok: false, problem: { code: "invalid", problems: changed.problems } };
    return this.replace(changed.value, now, readAt, by);
  }

  /** The Room has no use for rules: only the isolates are to hear of them. */
  changeRules(
    room: string,
    change: RulesChange,
    now: InstantMs,
    readAt?: ReadAt,
    by?: Author,
  ): RegistryReply<RoomDefinition> {
    const act = (before: RoomDefinition, changed: RoomDefinition) =>
      rulesAct(this.#known.shown, before, changed);
    const changed = (before: RoomDefinition) => withRules(before, change, now, readAt);
    return this.#changeWithin(room, "tells-no-room", changed, now, { by, act });
  }

  changeEvents(
    room: string,
    change: EventsChange,
    chain: DrandChain | null,
    now: InstantMs,
    readAt?: ReadAt,
    by?: Author,
  ): RegistryReply<RoomDefinition> {
    const draws = { secret: newSecret, chain };
    const act = (before: RoomDefinition, changed: RoomDefinition) =>
      eventAct(this.#known.shown, change.id, before, changed);
    const changed = (before: RoomDefinition) => withEvents(before, change, draws, now, readAt);
    return this.#changeWithin(room, "tells-its-room", changed, now, { by, act });
  }

  remove(id: RoomId, now: InstantMs, readAt?: ReadAt, by?: Author): RegistryReply<RoomDefinition> {
    const room = this.#store.room(id);
    if (room === null) return noSuchRoom(id);
    if (isOutdated(readAt, room.modifiedAt)) return modifiedSince("the room");
    // Later than its last change, so that the Room can tell which of the two came first.
    const deletedAt = instant(Math.max(now, room.modifiedAt + 1));
    this.#write(room, "retire", () => {
      this.#store.deleteRoom(id);
      this.#deleted.put({ room, deletedAt });
      this.#books.enter(by, now, () => roomDeletedAct(this.#known.shown, room));
      this.#forget(this.#deleted.tooMany());
    });
    return { ok: true, value: room };
  }

  restore(idOrName: string, now: InstantMs, by?: Author): RegistryReply<RoomDefinition> {
    const deleted = this.#deleted.find(idOrName, now);
    if (deleted === null) return NOT_RESTORABLE;
    const problem = conflictOf(this.#store, deleted.room);
    if (problem !== null) return { ok: false, problem };
    const modifiedAt = instant(Math.max(now, deleted.deletedAt + 1));
    const named = withSuffixOfItsOwn(deleted.room, null, this.#books.known().rooms);
    const restored = { ...named, modifiedAt };
    this.#write(restored, "configure", () => {
      this.#deleted.drop(restored.id);
      this.#store.putRoom(restored);
      this.#books.enter(by, now, () => roomAct(this.#known.shown, null, restored, "room-restored"));
    });
    return { ok: true, value: restored };
  }

  /** Forgets the deleted rooms whose day is over. */
  forgetDue(now: InstantMs): void {
    const due = this.#deleted.due(now);
    if (due.length > 0) this.#books.write(() => this.#forget(due));
  }

  by(idOrName: string): RoomDefinition | null {
    const byId = this.#store.room(idOrName as RoomId);
    if (byId !== null) return byId;
    const id = this.#store.ownerOfName(idOrName);
    return id === null ? null : this.#store.room(id);
  }

  #changeWithin(
    room: string,
    tells: "tells-its-room" | "tells-no-room",
    changed: (before: RoomDefinition) => RegistryReply<RoomDefinition>,
    now: InstantMs,
    { by, act }: Entered,
  ): RegistryReply<RoomDefinition> {
    const before = this.by(room);
    if (before === null) return noSuchRoom(room);
    const reply = changed(before);
    if (!reply.ok || reply.value === before) return reply;
    const problem = conflictOf(this.#store, reply.value);
    if (problem !== null) return { ok: false, problem };
    this.#books.write(() => {
      this.#store.putRoom(reply.value);
      this.#books.enter(by, now, () => act(before, reply.value));
      const version = this.#store.raiseVersion();
      if (tells === "tells-no-room") return;
      this.#store.putOutbox({ room: addressOf(before), act: "configure", change: version });
    });
    return reply;
  }

  /** One transaction: the change, the version, and the note that the Room has not heard of it. */
  #write(definition: RoomDefinition, act: OutboxEntry["act"], change: () => void): void {
    const room = addressOf(definition);
    this.#books.write(() => {
      change();
      this.#store.putOutbox({ room, act, change: this.#store.raiseVersion() });
    });
  }

  /** Within a transaction. The alarm then tells the Rooms. */
  #forget(rooms: readonly DeletedRoom[]): void {
    for (const { room } of rooms) {
      this.#deleted.drop(room.id);
      this.#forgets(room.id);
      const change = this.#store.raiseVersion();
      this.#store.putOutbox({ room: addressOf(room), act: "erase", change });
    }
  }
}
