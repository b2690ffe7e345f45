/** "Less than a minute" is told only where the range ends before this: it must be true. */
export const UNDER_A_MINUTE_SECONDS = 50;
