import type { LobbyIndex, TicketNumber } from "../../../src/core/ids.ts";
import type { NumberState } from "../../../src/core/line/ledger.ts";
import type { Swept } from "../../../src/core/line/kept-chunks.ts";
import type { Positions } from "../../../src/core/line/positions.ts";
import type { InstantMs } from "../../../src/core/time.ts";

const CHUNK = 8_192;
const chunkOf = (n: number): number => Math.floor(n / CHUNK);

interface Entry {
  readonly lobby: LobbyIndex;
  standing: Exclude<NumberState, "spent">;
}

/** The line as one would explain it: a map of who is unspent, sorted and counted when asked. */
export class NaiveLine {
  issued = 0;
  base = 0;
  readonly #entries = new Map<TicketNumber, Entry>();
  readonly #leftAt = new Map<number, InstantMs>();
  readonly #dirty = new Set<number>();
  readonly #drawn = new Map<number, number>();

  /** All before the first number that it issues itself is spent. */
  constructor(issued = 0, base = 0) {
    this.issued = issued;
    this.base = base;
  }

  /** What a restart does to it: who was called still is, everybody else is away. */
  restore(now: InstantMs): void {
    for (const n of this.#where(({ standing }) => standing !== "called")) this.#away(n, now);
    this.#dirty.clear();
  }

  get waiting(): number {
    return this.#where(({ standing }) => standing === "present").length;
  }

  get unconfirmed(): number {
    return this.#where(({ standing }) => standing === "unconfirmed").length;
  }

  get unspent(): number {
    return this.#entries.size;
  }

  unspentOf(lobby: LobbyIndex): number {
    return this.#where((entry) => entry.lobby === lobby).length;
  }

  presentOf(lobby: LobbyIndex): number {
    return this.#where((entry) => entry.lobby === lobby && entry.standing === "present").length;
  }

  lobbies(): LobbyIndex[] {
    return [...new Set([...this.#entries.values()].map(({ lobby }) => lobby))];
  }

  memberAt(k: number): TicketNumber | null {
    return this.#possible()[k] ?? null;
  }

  standingOf(n: TicketNumber): NumberState | null {
    if (n < 1 || n > this.issued) return null;
    return this.#entries.get(n)?.standing ?? "spent";
  }

  isUnspent(n: TicketNumber): boolean {
    return this.#entries.has(n);
  }

  isPresent(n: TicketNumber): boolean {
    return this.standingOf(n) === "present";
  }

  lobbyOf(n: TicketNumber): LobbyIndex | null {
    return this.#entries.get(n)?.lobby ?? null;
  }

  issue(
    count: number,
    lobby: LobbyIndex,
    standing: "present" | "called" | "spent" = "present",
  ): TicketNumber {
    const first = (this.issued + 1) as TicketNumber;
    this.issued += count;
    for (let n = first; n <= this.issued; n = (n + 1) as TicketNumber) {
      if (standing === "spent") this.#dirty.add(chunkOf(n));
      else this.#entries.set(n, { lobby, standing });
    }
    return first;
  }

  markPresent(n: TicketNumber): boolean {
    const entry = this.#entries.get(n);
    if (entry === undefined || entry.standing === "called") return false;
    entry.standing = "present";
    return true;
  }

  markAway(n: TicketNumber, now: InstantMs): boolean {
    if (!this.#possible().includes(n)) return false;
    this.#away(n, now);
    return true;
  }

  spend(n: TicketNumber): boolean {
    if (!this.#entries.delete(n)) return false;
    this.#dirty.add(chunkOf(n));
    return true;
  }

  call(n: TicketNumber): boolean {
    const entry = this.#entries.get(n);
    if (entry?.standing !== "present") return false;
    entry.standing = "called";
    return true;
  }

  uncall(n: TicketNumber, now: InstantMs): boolean {
    const entry = this.#entries.get(n);
    if (entry?.standing !== "called") return false;
    this.#away(n, now);
    return true;
  }

  ahead(n: TicketNumber): number {
    const spot = this.spotOf(n);
    return this.#possible().filter((other) => this.spotOf(other) < spot).length;
  }

  /** Puts the last so many numbers into another order: that of these ranks, each once from 1 up. */
  draw(first: number, ranks: readonly number[]): void {
    for (const [at, rank] of ranks.entries()) this.#drawn.set(first + at, first - 1 + rank);
  }

  spotOf(n: number): number {
    return this.#drawn.get(n) ?? n;
  }

  callable(free: number): TicketNumber[] {
    return this.#possible()
      .slice(0, Math.max(0, free))
      .filter((n) => this.isPresent(n));
  }

  head(): TicketNumber | null {
    return this.callable(1)[0] ?? null;
  }

  /** Always whole. */
  positions(): Positions {
    const spots = this.#possible().map((n) => this.spotOf(n));
    return { spots: Float64Array.from(spots), ahead: Uint32Array.from(spots.keys()) };
  }

  markAllUnconfirmed(): void {
    for (const entry of this.#entries.values()) {
      if (entry.standing !== "called") entry.standing = "unconfirmed";
    }
  }

  markUnconfirmed(lobby: LobbyIndex): void {
    for (const entry of this.#entries.values()) {
      if (entry.lobby === lobby && entry.standing === "present") entry.standing = "unconfirmed";
    }
  }

  settleAll(now: InstantMs): void {
    for (const n of this.#where(({ standing }) => standing === "unconfirmed")) this.#away(n, now);
  }

  report(
    lobby: LobbyIndex,
    numbers: Iterable<TicketNumber>,
    missing: "away" | "unconfirmed",
    now: InstantMs,
  ): void {
    for (const n of this.#possible()) {
      const entry = this.#entries.get(n);
      if (entry?.lobby !== lobby) continue;
      if (missing === "away") this.#away(n, now);
      else entry.standing = "unconfirmed";
    }
    for (const n of numbers) if (this.lobbyOf(n) === lobby) this.markPresent(n);
  }

  sweep(before: InstantMs): Swept {
    const chunks = new Set([...this.#entries.keys()].map(chunkOf));
    for (const chunk of [...chunks].sort((a, b) => a - b)) {
      if (this.issued < (chunk + 1) * CHUNK - 1) continue;
      const mine = [...this.#entries].filter(([n]) => chunkOf(n) === chunk);
      if (mine.some(([, { standing }]) => standing !== "away")) continue;
      if ((this.#leftAt.get(chunk) ?? Infinity) > before) continue;
      for (const [n] of mine) this.spend(n);
    }
    const baseBefore = this.base;
    const kept = (): boolean => [...this.#entries.keys()].some((n) => chunkOf(n) === this.base);
    while (this.issued >= (this.base + 1) * CHUNK - 1 && !kept()) {
      this.#dirty.delete(this.base);
      this.base += 1;
    }
    return { base: this.base, dropped: this.base - baseBefore };
  }

  dirtySpentChunks(): number[] {
    const chunks = [...this.#dirty].sort((a, b) => a - b);
    this.#dirty.clear();
    return chunks;
  }

  /** How many numbers of a chunk are spent. */
  spentIn(chunk: number): number {
    const first = Math.max(1, chunk * CHUNK);
    const last = Math.min(this.issued, chunk * CHUNK + CHUNK - 1);
    return last - first + 1 - [...this.#entries.keys()].filter((n) => chunkOf(n) === chunk).length;
  }

  calledNumbers(): TicketNumber[] {
    return this.#where(({ standing }) => standing === "called");
  }

  unspentNumbers(): TicketNumber[] {
    return this.#where(() => true);
  }

  #possible(): TicketNumber[] {
    return this.#where(({ standing }) => standing === "present" || standing === "unconfirmed").sort(
      (a, b) => this.spotOf(a) - this.spotOf(b),
    );
  }

  #where(holds: (entry: Entry) => boolean): TicketNumber[] {
    const numbers = [...this.#entries].filter(([, entry]) => holds(entry)).map(([n]) => n);
    return numbers.sort((a, b) => a - b);
  }

  #away(n: TicketNumber, now: InstantMs): void {
    const entry = this.#entries.get(n);
    if (entry === undefined) return;
    entry.standing = "away";
    this.#leftAt.set(chunkOf(n), now);
  }
}
