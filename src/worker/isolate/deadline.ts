import type { Ports } from "../platform/ports.ts";

export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/**
 * A promise that another request of the isolate may settle. The runtime marks promises with the
 * request that made them, so that a request that awaits one goes on as itself; but `new Promise` in
 * code that has become hot, and was compiled, makes one without the mark (docs/decisions/shared-
 * calls.md).
 */
export const promiseOfOurs = <T>(): PromiseWithResolvers<T> => Promise.withResolvers<T>();

/** The promise's value, or a `DeadlineError` once `ms` have passed. The promise itself goes on. */
export const within = <T>(ports: Ports, promise: Promise<T>, ms: number): Promise<T> => {
  const { promise: first, resolve, reject } = promiseOfOurs<T>();
  const stop = ports.timer(ms, () => reject(new DeadlineError(`no answer within ${ms} ms`)));
  promise.then(
    (value) => {
      stop();
      resolve(value);
    },
    (error: unknown) => {
      stop();
      reject(error instanceof Error ? error : new Error(String(error)));
    },
  );
  return first;
};

/** The promise's value if it is there within `ms`, else null; a failure counts as null. */
export const valueWithin = async <T>(
  ports: Ports,
  promise: Promise<T>,
  ms: number,
): Promise<T | null> => {
  try {
    return await within(ports, promise, ms);
  } catch {
    return null;
  }
};
