/** All that the Registry does about alerts: hears them, keeps webhooks, sends what waits. */
import type { Alert, NotedAlert } from "../../core/alerts/alert.ts";
import type { RoomId } from "../../core/ids.ts";
import { instant } from "../../core/time.ts";
import type { WebhookCommand, WebhookCommands, WebhookReply } from "../webhooks-contract.ts";
import type { WakeUps } from "../wake-ups.ts";
import { Deliveries } from "./deliveries.ts";
import { WebhookStore } from "./store.ts";
import { Webhooks, type NamedRoom } from "./webhooks.ts";

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

  /** Within a transaction of the Registry's own. `id` names the alert for ever. */
  note(id: string, alert: Alert, room: NamedRoom | null): void {
    this.#webhooks.note(id, alert, room, instant(Date.now()));
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
