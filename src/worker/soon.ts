/**
 * Here at once, or after a while. A request with a live pass has everything here but the origin's
 * answer, and is served some tens of thousands of times more often than any other: it does not pay
 * for promises that have nothing to wait for.
 */
export type Soon<T> = T | Promise<T>;

/** What follows from a value, at once where it is here. */
export const soon = <A, B>(value: Soon<A>, then: (value: A) => Soon<B>): Soon<B> =>
  value instanceof Promise ? value.then(then) : then(value);

/** All of them, at once where all are here. */
export const allSoon = <T extends readonly unknown[]>(values: {
  readonly [K in keyof T]: Soon<T[K]>;
}): Soon<T> =>
  values.some((value) => value instanceof Promise)
    ? (Promise.all(values) as unknown as Promise<T>)
    : (values as unknown as T);
