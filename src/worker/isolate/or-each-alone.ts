/**
 * Asks an object for several at once. While a deployment rolls out, it may be of a version that
 * answers one at a time: then for each alone.
 */
export const orEachAlone = async <Reply>(
  together: () => Promise<readonly Reply[]>,
  alone: () => readonly Promise<Reply>[],
): Promise<readonly Reply[]> => {
  try {
    return await together();
  } catch (error) {
    if (!isUnknownMethod(error)) throw error;
    return Promise.all(alone());
  }
};

const isUnknownMethod = (error: unknown): boolean =>
  error instanceof TypeError && error.message.includes("RPC receiver does not implement ");
