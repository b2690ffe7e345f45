/**
 * Here at once, or after a while. A request with a live pass has everything here but the origin's
 * answer, and is served some tens of thousands of times more often than any other: it does not pay
 * for promises that have nothing to wait for.
 */
export type MaybePromise<T> = T | Promise<T>;

/** What follows from a value, at once where it is here. */
export const andThen = <A, B>(
  value: MaybePromise<A>,
  then: (value: A) => MaybePromise<B>,
): MaybePromise<B> => (value instanceof Promise ? value.then(then) : then(value));

/** For whoever goes on with a value as it came. */
export const asItIs = <T>(value: T): T => value;

/** All of them, at once where all are here. */
export const allOf = <T extends readonly unknown[]>(values: {
  readonly [K in keyof T]: MaybePromise<T[K]>;
}): MaybePromise<T> =>
  values.some((value) => value instanceof Promise)
    ? (Promise.all(values) as unknown as Promise<T>)
    : (values as unknown as T);
