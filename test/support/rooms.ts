import { claimVisit, takeNumber } from "./journey.ts";
import type { RuntimeName, Seiriken } from "./seiriken.ts";
import type { Visitor } from "./visitor.ts";

/** The Worker by itself, as the product runs it, and behind another Worker. */
export const RUNTIMES = ["workerd", "miniflare"] as const satisfies readonly RuntimeName[];

/** A room over the path of its name, with permits for everybody unless `more` says otherwise. */
export const roomOver = (name: string, more: object = {}) => ({
  name,
  host: "127.0.0.1",
  path: `/${name}`,
  total_active_users: 1_000,
  new_users_per_minute: 100_000,
  ...more,
});

/** A visitor who is in, by ticket and claim. In a room of one permit everybody else queues. */
export const visitorInside = async (seiriken: Seiriken, room: string): Promise<Visitor> => {
  const visitor = seiriken.visitor({ room });
  await takeNumber(visitor);
  await claimVisit(visitor);
  return visitor;
};
