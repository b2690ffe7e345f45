import type { OldObjects } from "../../core/collection-pacer.ts";

/** Those of the V8 that this runs in. */
export const oldObjects = (): OldObjects => ({
  // There where workerd was started by us (cli/launch/workerd-config.ts).
  collect: (globalThis as { gc?: () => void }).gc ?? null,
  put: (piece) => {
    // Names of properties are old from the start; one that was never met before is copied there.
    const named: Record<string, boolean> = {};
    named[piece] = true;
  },
});
