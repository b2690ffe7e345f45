/** The stock of the demo shop: kept in memory, so that each start is a new sale. */
export interface Tier {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly priceEuro: number;
  readonly seatsMax: number;
  readonly left: number;
}

export interface Order {
  readonly id: string;
  readonly tier: Tier;
  readonly quantity: number;
}

export type OrderReply =
  | { readonly ok: true; readonly order: Order }
  | { readonly ok: false; readonly reason: "unknown-tier" | "bad-quantity" | "sold-out" };

const TIERS: readonly Omit<Tier, "left">[] = [
  {
    id: "stalls",
    name: "Stalls",
    about: "Seated, rows 1 to 20",
    priceEuro: 68,
    seatsMax: 4_000,
  },
  {
    id: "balcony",
    name: "Balcony",
    about: "Seated, the whole stage in view",
    priceEuro: 52,
    seatsMax: 6_000,
  },
  {
    id: "standing",
    name: "Standing",
    about: "Close to the band, room to dance",
    priceEuro: 39,
    seatsMax: 9_000,
  },
];

export const QUANTITY_MAX = 4;
const ORDERS_KEPT_MAX = 1_000;

export class BoxOffice {
  readonly #left = new Map(TIERS.map((tier) => [tier.id, tier.seatsMax]));
  readonly #orders = new Map<string, Order>();
  #ordered = 0;

  tiers(): readonly Tier[] {
    return TIERS.map((tier) => ({ ...tier, left: this.#left.get(tier.id) ?? 0 }));
  }

  order(tierId: string, quantity: number): OrderReply {
    const tier = this.tiers().find(({ id }) => id === tierId);
    if (tier === undefined) return { ok: false, reason: "unknown-tier" };
    if (!Number.isInteger(quantity) || quantity < 1 || quantity > QUANTITY_MAX)
      return { ok: false, reason: "bad-quantity" };
    if (tier.left < quantity) return { ok: false, reason: "sold-out" };
    this.#left.set(tier.id, tier.left - quantity);
    this.#ordered += 1;
    const order = { id: `NT-${String(this.#ordered).padStart(5, "0")}`, tier, quantity };
    this.#orders.set(order.id, order);
    const [oldest] = this.#orders.keys();
    if (this.#orders.size > ORDERS_KEPT_MAX && oldest !== undefined) this.#orders.delete(oldest);
    return { ok: true, order };
  }

  find(orderId: string): Order | null {
    return this.#orders.get(orderId) ?? null;
  }
}
