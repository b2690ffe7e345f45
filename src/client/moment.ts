/** A point in time from which to measure, by two clocks. */
export interface Moment {
  readonly wall: number;
  readonly steady: number;
}

export const moment = (): Moment => ({ wall: Date.now(), steady: performance.now() });

/**
 * Milliseconds since then, by whichever clock says more: the wall's may be set back, and the steady
 * one may stand still while a machine sleeps.
 */
export const msSince = ({ wall, steady }: Moment): number =>
  Math.max(Date.now() - wall, performance.now() - steady);
