/** From where on a room's figures are worth an alert. null: never. */
export interface AlertBounds {
  readonly waitMinutes: number | null;
  readonly originErrorPercent: number | null;
  readonly noShowPercent: number | null;
}

/** Of rooms that say nothing, and of those that were stored before there were any. */
export const ALERT_BOUNDS: AlertBounds = {
  waitMinutes: 30,
  originErrorPercent: 20,
  noShowPercent: 50,
};
