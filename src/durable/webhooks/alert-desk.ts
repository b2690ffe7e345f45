/** All that the Registry does about alerts: hears them, keeps webhooks, sends what waits. */
import type { NotedAlert } from "../../core/alerts/alert.ts";
import type { RoomId } from "../../core/ids.ts";
import { instant, type InstantMs } from "../../core/time.ts";
import type { WebhookCommand, WebhookCommands, WebhookReply } from "../webhooks-contract.ts";
import type { WakeUps } from "../wake-ups.ts";
import { Deliveries } from "./deliveries.ts";
import { WebhookStore } from "./store.ts";
import { Webhooks, type NamedRoom } from "./webhooks.ts";

/** What is told of an entry of the audit log. */
interface EnteredAct {
  readonly id: number;
  readonly at: InstantMs;
  readonly action: string;
  readonly room: NamedRoom | null;
  readonly target: string | null;
  readonly byName: string;
}

export class AlertDesk {
  readonly #store: WebhookStore;
  readonly #webhooks: Webhooks;
  readonly #deliveries: Deliveries;

  constructor(
    storage: DurableObjectStorage,
    wakeUps: WakeUps,
    roomBy: (idOrName: string) => NamedRoom | null,
  ) {
    this.#store = new WebhookStore(storage);
    this.#webhooks = new Webhooks(this.#store, roomBy);
    this.#deliveries = new Deliveries(this.#store, () => wakeUps.settle());
    wakeUps.add(() => this.#deliveries.nextAt());
  }

  /** Answers up to which of the room's alerts are written down. */
  hear(room: RoomId, alerts: readonly NotedAlert[]): number {
    return this.#webhooks.hear(room, alerts, instant(Date.now()));
  }

  /**
   * Somebody changed something: noted within the transaction of the entry in the audit log, and sent when
   * that is over. Who it was is told by name, and not from where; from what to what stands in the log.
   */
  tellOf({ id, at, action, room, target, byName }: EnteredAct): Promise<void> {
    const data = { audit_id: id, action, target, by: byName };
    const alert = { type: "settings.changed", at, data } as const;
    this.#webhooks.note([{ id: `alert_audit_${id}`, alert }], room, at);
    return Promise.resolve().then(() => this.sendDue());
  }

  /** The room is gone for good. */
  forget(room: RoomId): void {
    this.#store.forgetHeard(room);
  }

  perform<Do extends keyof WebhookCommands>(
    act: Do,
    asks: WebhookCommand<Do>,
  ): Promise<WebhookReply<WebhookCommands[Do]["reply"]>> {
    return this.#webhooks.perform(act, asks);
  }

  /** Never throws. */
  sendDue(): Promise<void> {
    return this.#deliveries.run();
  }
}
