import { Failure } from "../../cli/launch/failure.ts";

/** How a command fails; whatever else is thrown goes on. */
export const failureOf = (act: () => unknown): Failure => {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
  throw new Error("did not fail");
};
