/** One structured line for what went wrong inside an object. No tokens, no addresses. */
export const logFailure = (event: string, error: unknown): void => {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(JSON.stringify({ level: "error", event, reason }));
};
