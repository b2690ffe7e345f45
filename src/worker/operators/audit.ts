/** Who did what: kept in the audit log, and told in a line of the log. */
import type { Context } from "hono";
import { ApiRefusal } from "../../api/envelope.ts";
import { clientNetworkText } from "../../core/address/ip-address.ts";
import type { AuditAct, Author } from "../../core/audit/entry.ts";
import { NO_DIFFERENCES, type FullDifferences } from "../../core/differences.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import { SECOND_MS } from "../../core/time.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { CALL_WAIT_MS } from "../isolate/call-object.ts";
import { within } from "../isolate/deadline.ts";
import type { OperatorAction, OperatorChange } from "../isolate/operator-log.ts";
import { reasonOf } from "../platform/log.ts";
import { OperatorRefusal } from "./refusal.ts";

type C = Context<AppContext>;

/** What an operator is about to do. */
export interface OperatorAct {
  readonly action: OperatorAction;
  /** Absent: it concerns no room. */
  readonly room?: Pick<RoomDefinition, "id" | "name">;
  /** Which visit, event, lock rule, webhook or the like. No secret, and nobody's address. */
  readonly target?: string | number;
  /** From what to what, in full (`fullDifferencesOf`); nothing secret. */
  readonly differences?: FullDifferences;
}

const AGAIN_MS = SECOND_MS;

/**
 * Enters an act that the Registry does not do itself. Await it before the act: what can't be entered
 * is not done, so it throws.
 */
export const audit = async (c: C, act: OperatorAct): Promise<void> => {
  const { isolate, arrival } = c.var;
  const { action, room, target, differences = NO_DIFFERENCES } = act;
  const entered: AuditAct = {
    action,
    room: room === undefined ? null : { id: room.id, name: room.name },
    target: target === undefined ? null : String(target),
    differences,
  };
  try {
    const by = authorOf(c);
    // Not asked twice: one act is one entry.
    const entering = c.env.REGISTRY.getByName("registry").enterAudit(entered, by);
    await within(isolate.ports, entering, CALL_WAIT_MS);
  } catch (error) {
    const { reference } = arrival;
    isolate.ports.log({
      level: "error",
      event: "audit-failed",
      reference,
      reason: reasonOf(error),
    });
    throw notEntered(c);
  }
};

const notEntered = (c: C): Error => {
  if (c.get("envelope") !== "cloudflare")
    return new OperatorRefusal("audit-unavailable", { retryAfterMs: AGAIN_MS });
  return new ApiRefusal("unavailable", "It can't be entered in the audit log, so it was not done.");
};

/** Who orders a change, to go along with it to the Registry. */
export const authorOf = ({ var: { arrival, operator } }: C): Author => ({
  id: operator.id,
  name: operator.name,
  rooms: operator.rooms,
  ...(operator.isToken === undefined ? {} : { isToken: operator.isToken }),
  network: clientNetworkText(arrival.address ?? ""),
  reference: arrival.reference,
});

/** A line of the log for a change that was made. */
export const tellChange = (
  { var: { arrival, isolate, operator } }: C,
  change: OperatorChange,
): void => isolate.operatorLog.tell(arrival, change, operator);
