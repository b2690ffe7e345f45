const LAST_MINUTE_MS = 60_000;

/** Which visits were heard from within the last minute, by the number that each request carries. */
export class Guests {
  /** In order of the last request, so that the stale ones stand in front. */
  readonly #heardAtMs = new Map<string, number>();

  heard(visit: string | null, nowMs: number): void {
    if (visit === null) return;
    this.#heardAtMs.delete(visit);
    this.#heardAtMs.set(visit, nowMs);
  }

  lastMinute(nowMs: number): number {
    for (const [visit, heardAtMs] of this.#heardAtMs) {
      if (nowMs - heardAtMs < LAST_MINUTE_MS) break;
      this.#heardAtMs.delete(visit);
    }
    return this.#heardAtMs.size;
  }
}
