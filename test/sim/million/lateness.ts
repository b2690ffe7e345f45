/** Why a visitor may have been called later than its number would have been. */
export type Mishap = "none" | "slept" | "cut-off";

interface Late {
  visitors: number;
  late: number;
  /** By more than a second. */
  veryLate: number;
  sumMs: number;
  mostMs: number;
}

/** How much later visitors came in than those who stood behind them, by what had befallen them. */
export class Lateness {
  readonly of: Readonly<Record<Mishap, Late>> = {
    none: { visitors: 0, late: 0, veryLate: 0, sumMs: 0, mostMs: 0 },
    slept: { visitors: 0, late: 0, veryLate: 0, sumMs: 0, mostMs: 0 },
    "cut-off": { visitors: 0, late: 0, veryLate: 0, sumMs: 0, mostMs: 0 },
  };

  add(mishap: Mishap, ms: number): void {
    const late = this.of[mishap];
    late.visitors += 1;
    if (ms > 0) late.late += 1;
    if (ms > 1_000) late.veryLate += 1;
    late.sumMs += ms;
    late.mostMs = Math.max(late.mostMs, ms);
  }
}
