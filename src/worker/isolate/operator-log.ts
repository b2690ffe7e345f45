/** Logs who changed what. Which settings differ is core/differences.ts. */
import { ADMINISTRATOR, type Operator } from "../../core/access/scopes.ts";
import { clientNetworkText } from "../../core/address/ip-address.ts";
import { LogThrottle } from "../../core/log-throttle.ts";
import { instant, rfc3339, SECOND_MS } from "../../core/time.ts";
import type { LogLine } from "../platform/log.ts";

/**
 * How many changes a second are logged one by one: a file of a thousand rooms may be applied at
 * once.
 */
const CHANGES_PER_SECOND_MAX = 40;

export type OperatorAction =
  | `room-${"created" | "changed" | "deleted" | "restored"}`
  | `visit${"" | "s"}-ended`
  | `key-${"rotated" | "revoked"}`
  | `token-${"created" | "revoked"}`
  | "rules-changed"
  | `event-${"created" | "changed" | "deleted"}`
  | "draw-value-entered"
  | `visitor-${"given-time" | "called-again" | "ended"}`
  | "pace-signalled"
  | "pace-taken-back"
  | `lock-rule-${"created" | "changed" | "deleted"}`
  | `webhook-${"created" | "changed" | "deleted" | "secret-rotated"}`
  | "zone-settings-changed";

export interface OperatorChange {
  readonly action: OperatorAction;
  /** The room's name. */
  readonly room?: string;
  /** Which visit, key, event or lock rule. */
  readonly target?: string | number;
  /** How many visits ended. */
  readonly count?: number;
  readonly changes?: LogLine["changes"];
  /** Settings that changed besides. */
  readonly more?: number;
}

/** The client and the reference of the request that made the change. */
interface Asker {
  readonly address: string | null;
  readonly reference: string;
  readonly waitUntil: (work: Promise<unknown>) => void;
}

interface LogPorts {
  readonly log: (line: LogLine) => void;
  readonly now: () => number;
  readonly timer: (ms: number, run: () => void) => unknown;
}

/**
 * Who changed what: one line of the log for each change that was made. What a second has too many of is
 * counted, and told with the next line, or a second later by a line of its own.
 */
export class OperatorLog {
  readonly #ports: LogPorts;
  readonly #throttle = new LogThrottle(CHANGES_PER_SECOND_MAX);
  #countsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(ports: LogPorts) {
    this.#ports = ports;
  }

  tell(asker: Asker, change: OperatorChange, by: Operator = ADMINISTRATOR): void {
    const now = this.#ports.now();
    const unsaid = this.#throttle.mayTell(now);
    if (unsaid === null) return this.#countLater(asker, now);
    this.#ports.log({
      level: "info",
      event: "operator-change",
      reference: asker.reference,
      at: rfc3339(instant(now)),
      by: by.name,
      network: clientNetworkText(asker.address ?? ""),
      ...change,
      ...(unsaid === 0 ? {} : { unsaid }),
    });
  }

  #countLater(asker: Asker, now: number): void {
    if (now < this.#countsUntilMs) return;
    this.#countsUntilMs = now + SECOND_MS;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ports.timer(SECOND_MS, () => {
      // By a request's clock, which stands still between its turns, the second may not be over yet.
      this.#countsUntilMs = Number.NEGATIVE_INFINITY;
      const unsaid = this.#throttle.unsaid();
      if (unsaid > 0) this.#ports.log({ level: "info", event: "operator-changes-unsaid", unsaid });
      resolve();
    });
    asker.waitUntil(promise);
  }
}
