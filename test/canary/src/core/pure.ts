/** The good example: nothing here may be caught. */
export const instant = (ms: number): number => Math.round(ms);
