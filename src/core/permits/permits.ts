/**
 * Counts and moves the permits of a room. Who gets one, and when, is for the usher and the open
 * door.
 */
import { slotIndex, type SlotIndex, type TicketNumber, type VisitorId } from "../ids.ts";
import { invariant } from "../invariant.ts";
import { isOver, type InstantMs } from "../time.ts";
import { DueTimes } from "../collections/due-times.ts";
import {
  dueAt,
  type CalledPermit,
  type HeldPermit,
  type Permit,
  type PermitInSlot,
} from "./permit.ts";

/**
 * The P permits of a room, kept as slots. A slot is free or carries a permit that is called or held.
 * Every move is named, and refuses what is impossible.
 */
export class Permits {
  #max: number;
  readonly #bySlot = new Map<SlotIndex, PermitInSlot>();
  readonly #byNumber = new Map<TicketNumber, PermitInSlot>();
  /** The visits whose visitor is known. */
  readonly #byVisitor = new Map<VisitorId, PermitInSlot>();
  readonly #due = new DueTimes<SlotIndex>();
  /** Provisional permits in the order in which they entered. */
  readonly #provisional = new Map<SlotIndex, HeldPermit>();
  /** Slots from here up were never used since the start, and are free. */
  #fresh = 0;
  /** The other free slots; the last one to be freed goes out first, so that its row is written once. */
  #free: SlotIndex[] = [];
  /** Few, beside those that are held: a call is answered within a minute. */
  readonly #called = new Map<SlotIndex, CalledPermit>();
  #dirty = new Set<SlotIndex>();

  constructor(max: number, taken: Iterable<PermitInSlot> = []) {
    this.#max = max;
    for (const { slot, permit } of inOrderOfEntry(taken)) {
      this.#put(slot, permit);
      this.#fresh = Math.max(this.#fresh, slot + 1);
    }
    for (let slot = 0; slot < Math.min(this.#fresh, max); slot += 1) {
      if (!this.#bySlot.has(slotIndex(slot))) this.#free.push(slotIndex(slot));
    }
    this.#dirty.clear();
  }

  get max(): number {
    return this.#max;
  }
  get out(): number {
    return this.#bySlot.size;
  }
  get called(): number {
    return this.#called.size;
  }
  get held(): number {
    return this.#bySlot.size - this.#called.size;
  }
  get provisional(): number {
    return this.#provisional.size;
  }
  /** How many more may go out; 0 while an excess is left from a lowered P. */
  get free(): number {
    return Math.max(0, this.#max - this.out);
  }

  /** Raising P opens slots at once; lowering it closes each slot above when it is freed. */
  setMax(max: number): void {
    const before = this.#max;
    this.#max = max;
    this.#free = this.#free.filter((slot) => slot < max);
    for (let slot = before; slot < Math.min(max, this.#fresh); slot += 1) {
      if (!this.#bySlot.has(slotIndex(slot))) this.#free.push(slotIndex(slot));
    }
  }

  of(number: TicketNumber): Permit | null {
    return this.#byNumber.get(number)?.permit ?? null;
  }

  /** The visit of this visitor, if it lives. */
  heldBy(visitor: VisitorId): HeldPermit | null {
    const permit = this.#byVisitor.get(visitor)?.permit;
    return permit?.state === "held" ? permit : null;
  }

  all(): Iterable<PermitInSlot> {
    return this.#bySlot.values();
  }

  calls(): Iterable<CalledPermit> {
    return this.#called.values();
  }

  /** Gives a free permit to a number that must come and claim it. */
  call(permit: CalledPermit): void {
    this.#put(this.#takeFree(), permit);
  }

  /** Gives a free permit to a visitor who stands at the open door. */
  admit(permit: HeldPermit): void {
    this.#put(this.#takeFree(), permit);
  }

  /** The called number has come: its permit is held from now on. */
  claim(held: HeldPermit): void {
    const out = this.#byNumber.get(held.number);
    invariant(out?.permit.state === "called", "only a called permit is claimed");
    this.#replace(out, held);
  }

  /** The baton: the permit goes on to another number, in its slot. */
  pass(from: TicketNumber, held: HeldPermit): void {
    const out = this.#byNumber.get(from);
    invariant(out?.permit.state === "held", "only a held permit is passed on");
    invariant(!this.#byNumber.has(held.number), "a number has one permit");
    this.#byNumber.delete(from);
    this.#replace(out, held);
  }

  /** Changes the times of a permit without moving it. */
  update(permit: Permit): void {
    const out = this.#byNumber.get(permit.number);
    invariant(out?.permit.state === permit.state, "only a permit that is out is updated");
    this.#replace(out, permit);
  }

  /** Takes a permit back: it is free. A slot above P closes. */
  takeBack(number: TicketNumber): Permit {
    const out = this.#byNumber.get(number);
    invariant(out !== undefined, "only a permit that is out is freed");
    const { slot, permit } = out;
    this.#untrack(slot);
    this.#forgetVisitor(permit);
    this.#dirty.add(slot);
    this.#bySlot.delete(slot);
    this.#byNumber.delete(number);
    if (slot < this.#max) this.#free.push(slot);
    return permit;
  }

  /** The permits whose time is over, each once, earliest first; at one instant by number. */
  *overdue(now: InstantMs): Generator<Permit> {
    for (let at = this.#due.next(); at !== null && isOver(at, now); at = this.#due.next())
      yield* this.#takeDue(at);
  }

  #takeDue(at: InstantMs): Permit[] {
    const due: Permit[] = [];
    for (let slot = this.#due.take(at); slot !== null; slot = this.#due.take(at)) {
      const permit = this.#bySlot.get(slot)?.permit;
      if (permit === undefined) continue;
      // An extended one takes its turn at its new instant, even if that is over as well.
      if (dueAt(permit) > at) this.#due.watch(slot, dueAt(permit));
      else due.push(permit);
    }
    return due.sort((a, b) => a.number - b.number);
  }

  /** When the next permit falls due, or a little earlier; null when none is out. */
  nextDue(): InstantMs | null {
    return this.out === 0 ? null : this.#due.next();
  }

  /** The provisional permit that entered first. */
  oldestProvisional(): HeldPermit | null {
    const [oldest] = this.#provisional.values();
    return oldest ?? null;
  }

  /** The slots that changed since the last drain, with what they carry now. */
  drainDirty(): { slot: SlotIndex; permit: Permit | null }[] {
    const dirty = [...this.#dirty].map((slot) => ({
      slot,
      permit: this.#bySlot.get(slot)?.permit ?? null,
    }));
    this.#dirty = new Set();
    return dirty;
  }

  #takeFree(): SlotIndex {
    invariant(this.free > 0, "no step raises what is out above P");
    const recycled = this.#free.pop();
    if (recycled !== undefined) return recycled;
    invariant(this.#fresh < this.#max, "a free permit has a slot");
    this.#fresh += 1;
    return slotIndex(this.#fresh - 1);
  }

  #put(slot: SlotIndex, permit: Permit): void {
    invariant(
      !this.#bySlot.has(slot) && !this.#byNumber.has(permit.number),
      "a slot carries one permit, a number has one",
    );
    this.#keep(slot, permit);
    this.#due.watch(slot, dueAt(permit));
  }

  #replace({ slot, permit: before }: PermitInSlot, permit: Permit): void {
    // A permit that stays provisional keeps its place among those.
    if (!(isProvisional(before) && isProvisional(permit))) this.#untrack(slot);
    this.#forgetVisitor(before);
    this.#keep(slot, permit);
    // A later deadline is found when the old entry comes up; only an earlier one needs its own.
    if (dueAt(permit) < dueAt(before)) this.#due.watch(slot, dueAt(permit));
  }

  #keep(slot: SlotIndex, permit: Permit): void {
    const out = { slot, permit };
    this.#bySlot.set(slot, out);
    this.#byNumber.set(permit.number, out);
    this.#dirty.add(slot);
    if (permit.state === "called") this.#called.set(slot, permit);
    if (isProvisional(permit)) this.#provisional.set(slot, permit);
    const visitor = visitorOf(permit);
    if (visitor === null) return;
    invariant(!this.#byVisitor.has(visitor), "a visitor has one visit");
    this.#byVisitor.set(visitor, out);
  }

  #forgetVisitor(permit: Permit): void {
    const visitor = visitorOf(permit);
    if (visitor !== null) this.#byVisitor.delete(visitor);
  }

  /** Takes what the slot carries out of the lists that it was in. */
  #untrack(slot: SlotIndex): void {
    this.#called.delete(slot);
    this.#provisional.delete(slot);
  }
}

const visitorOf = (permit: Permit): VisitorId | null =>
  permit.state === "held" ? (permit.visitor ?? null) : null;

const isProvisional = (permit: Permit): permit is HeldPermit =>
  permit.state === "held" && permit.provisionalUntil !== null;

/** Stored rows come by slot. Provisional permits are taken back oldest first: by rising number. */
const inOrderOfEntry = (taken: Iterable<PermitInSlot>): PermitInSlot[] =>
  [...taken].sort((one, other) => one.permit.number - other.permit.number);
