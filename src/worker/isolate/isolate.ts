import { AccessKeys } from "./access-keys.ts";
import { BodyBudget } from "./body-budget.ts";
import { LockRuleMemory } from "./lock-rules.ts";
import { LockShards } from "./lock-shards.ts";
import { CollectionPacer } from "../../core/collection-pacer.ts";
import { oldObjects } from "../platform/old-objects.ts";
import { randomBelow, type Ports } from "../platform/ports.ts";
import type {
  ClaimReply,
  EnterAsk,
  EnterReply,
  TakeAsk,
  TakeReply,
  TicketClaims,
  VisitAsk,
  WhereReply,
} from "../../durable/contract.ts";
import { Bypasses } from "./bypasses.ts";
import { DefinitionsDuring } from "./definitions-during.ts";
import { Deployments } from "./deployment.ts";
import { CallBatcher } from "./call-batcher.ts";
import { DrawMemory } from "./draws.ts";
import { OperatorLog } from "./operator-log.ts";
import { NetworkLoads } from "./network-loads.ts";
import { PageTemplates } from "./page-templates.ts";
import { Quotas } from "./quotas.ts";
import { RefusedSockets } from "./refused-sockets.ts";
import { Renewals } from "./renewals.ts";
import { RoomViews } from "./room-views.ts";
import { LobbyPicker } from "../../core/lobby/lobby-picker.ts";
import { SilentRegions, type RegionNews } from "../../core/regions/silent-regions.ts";
import { Tries } from "./tries.ts";
import { Turns } from "./turns.ts";
import { Verifications } from "./verifications.ts";

/** All that one isolate remembers between requests. Each part is bounded, and none is the truth. */
export interface Isolate {
  readonly ports: Ports;
  readonly pacer: CollectionPacer;
  readonly deployments: Deployments;
  readonly views: RoomViews;
  readonly lobbyPicker: LobbyPicker;
  readonly definitionsDuring: DefinitionsDuring;
  readonly renewals: Renewals;
  readonly silentRegions: SilentRegions;
  readonly takes: CallBatcher<TakeAsk, TakeReply>;
  readonly enterAsks: CallBatcher<EnterAsk, EnterReply>;
  readonly whereAsks: CallBatcher<TicketClaims, WhereReply | null>;
  readonly visitAsks: CallBatcher<VisitAsk, ClaimReply | null>;
  readonly turns: Turns;
  readonly quotas: Quotas;
  readonly bypasses: Bypasses;
  readonly networkLoads: NetworkLoads;
  readonly verifications: Verifications;
  readonly draws: DrawMemory;
  readonly refusedSockets: RefusedSockets;
  readonly lockRules: LockRuleMemory;
  readonly lockShards: LockShards;
  /**
   * Wrong tokens, counted apart for each secret: a right guess at one does not help to guess the
   * other.
   */
  readonly tries: { readonly admin: Tries; readonly locks: Tries };
  readonly accessKeys: AccessKeys;
  readonly bodies: BodyBudget;
  readonly operatorLog: OperatorLog;
  readonly templates: PageTemplates;
}

/** What visitors of a busy room ask waits so long for others' (docs/decisions/the-journal.md). */
export const GATHER_MS = 10;

export const createIsolate = (ports: Ports): Isolate => ({
  ports,
  pacer: new CollectionPacer(ports.now, oldObjects()),
  deployments: new Deployments(ports),
  views: new RoomViews(ports),
  lobbyPicker: new LobbyPicker(ports.now, (limit) => randomBelow(ports, limit)),
  definitionsDuring: new DefinitionsDuring(),
  renewals: new Renewals(ports),
  silentRegions: new SilentRegions(ports.now, (news) => logRegion(ports, news)),
  takes: new CallBatcher(ports, GATHER_MS),
  enterAsks: new CallBatcher(ports),
  whereAsks: new CallBatcher(ports, GATHER_MS),
  visitAsks: new CallBatcher(ports, GATHER_MS),
  turns: new Turns(ports),
  quotas: new Quotas(ports),
  bypasses: new Bypasses(ports),
  networkLoads: new NetworkLoads(ports),
  verifications: new Verifications(),
  draws: new DrawMemory(ports),
  refusedSockets: new RefusedSockets(),
  lockRules: new LockRuleMemory(ports),
  lockShards: new LockShards(ports),
  tries: { admin: new Tries(ports.now), locks: new Tries(ports.now) },
  accessKeys: new AccessKeys(ports),
  bodies: new BodyBudget(ports),
  operatorLog: new OperatorLog(ports),
  templates: new PageTemplates(ports),
});

const logRegion = ({ log }: Ports, { room, region, silentMs }: RegionNews): void => {
  if (silentMs === null) log({ level: "error", event: "region-silent", room, region });
  else log({ level: "info", event: "region-answers", room, region, silent_ms: silentMs });
};
