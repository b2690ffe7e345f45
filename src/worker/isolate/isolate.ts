import { LockRuleMemory } from "../locks/rule-memory.ts";
import type { Ports } from "../ports.ts";
import type { TakeAsk, TakeReply } from "../../durable/contract.ts";
import { Deployments } from "./deployment.ts";
import { Gathered } from "./gathered.ts";
import { Quotas } from "./quotas.ts";
import { Renewals } from "./renewals.ts";
import { RoomViews } from "./room-views.ts";

/** All that one isolate remembers between requests. Each part is bounded, and none is the truth. */
export interface Isolate {
  readonly ports: Ports;
  readonly deployments: Deployments;
  readonly views: RoomViews;
  readonly renewals: Renewals;
  readonly takes: Gathered<TakeAsk, TakeReply>;
  readonly quotas: Quotas;
  readonly lockRules: LockRuleMemory;
}

export const createIsolate = (ports: Ports): Isolate => ({
  ports,
  deployments: new Deployments(ports),
  views: new RoomViews(ports),
  renewals: new Renewals(ports),
  takes: new Gathered(ports),
  quotas: new Quotas(ports),
  lockRules: new LockRuleMemory(ports),
});
