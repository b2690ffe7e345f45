/** From the Worker to a shard with an upgrade: percent-encoded JSON of `{ name, owner }`. */
export const LOCK_SEAT_HEADER = "seiriken-internal-lock";
