import type { Ports } from "./ports.ts";

export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/** The promise's value, or a `DeadlineError` once `ms` have passed. The promise itself goes on. */
export const within = <T>(ports: Ports, promise: Promise<T>, ms: number): Promise<T> =>
  new Promise<T>((resolve, reject) => {
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
  });

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
