declare const write: () => Promise<void>;

export const forgets = (): void => {
  write(); // bites: no-floating-promises
};

export const isGone = (list: readonly number[]): boolean => list.length == 0; // bites: eqeqeq

export const sign = (mode: "open" | "paused" | "closed"): number => {
  switch (
    mode // bites: switch-exhaustiveness-check
  ) {
    case "open":
      return 1;
    case "paused":
      return 2;
  }
  return 0;
};

export const sure = (list: readonly number[]): number => list[0]!; // bites: no-non-null-assertion
export const anything = (value: any): unknown => value; // bites: no-explicit-any
