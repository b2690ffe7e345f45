import { within } from "./deadline.ts";
import { reasonOf } from "../platform/log.ts";
import type { Ports } from "../platform/ports.ts";

const PAUSE_MS = 50;
/** A batch may wait for another one; beyond this the visitor is better told to come back. */
export const CALL_WAIT_MS = 5_000;

/** An object could not be reached, or not in time: what then happens is the room's `on_failure`. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

/**
 * Calls an object, and once more where the platform says that a second try may help. `call` gets a
 * new stub each time, as a stub is broken after an exception; every call of ours may be repeated.
 * An overloaded object is never asked again.
 */
export const callObject = async <T>(
  ports: Ports,
  call: () => Promise<T>,
  waitMs = CALL_WAIT_MS,
): Promise<T> => {
  try {
    return await within(ports, callTwice(ports, call), waitMs);
  } catch (error) {
    throw unreachable(error);
  }
};

export const unreachable = (error: unknown): UnreachableError =>
  error instanceof UnreachableError
    ? error
    : new UnreachableError(reasonOf(error), { cause: error });

const callTwice = async <T>(ports: Ports, call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    if (!mayRetry(error)) throw error;
    await new Promise<void>((resolve) => ports.timer(PAUSE_MS, resolve));
    return call();
  }
};

const mayRetry = (error: unknown): boolean => {
  const { retryable, overloaded } = error as { retryable?: unknown; overloaded?: unknown };
  return retryable === true && overloaded !== true;
};
