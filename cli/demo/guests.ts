/** Who is on the shop right now, by the visit that Seiriken names in each request. */
export class Guests {
  readonly #heardAtMs = new Map<string, number>();
  readonly #spanMs: number;
  #most = 0;
  #requests = 0;

  /** A visit counts as here for `spanMs` after its last request. */
  constructor(spanMs = 60_000) {
    this.#spanMs = spanMs;
  }

  heard(visit: string | null, nowMs: number): void {
    this.#requests += 1;
    if (visit === null) return;
    this.#heardAtMs.delete(visit);
    this.#heardAtMs.set(visit, nowMs);
    this.#most = Math.max(this.#most, this.#prune(nowMs));
  }

  count(nowMs: number): {
    readonly here: number;
    readonly most: number;
    readonly requests: number;
  } {
    return { here: this.#prune(nowMs), most: this.#most, requests: this.#requests };
  }

  /** The map is in order of last request, so the stale ones stand in front. */
  #prune(nowMs: number): number {
    for (const [visit, heardAtMs] of this.#heardAtMs) {
      if (nowMs - heardAtMs < this.#spanMs) break;
      this.#heardAtMs.delete(visit);
    }
    return this.#heardAtMs.size;
  }
}
