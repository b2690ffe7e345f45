import { claimVisit, takeNumber } from "./journey.ts";
import type { Seiriken } from "./seiriken.ts";
import type { Visitor } from "./visitor.ts";

/** Both hosts of the same Worker. */
export const RUNTIMES = ["miniflare", "workerd"] as const;

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
