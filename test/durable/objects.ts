import { env } from "cloudflare:workers";
import type { RoomDefinition, RoomLimits } from "../../src/core/definition.ts";
import { LIMITS } from "../support/limits.ts";
import { lobbyIndex, type RoomId, type VisitorId } from "../../src/core/ids.ts";
import { instant } from "../../src/core/time.ts";
import type {
  TicketClaims,
  LobbyRpc,
  RoomRpc,
  TakeAsk,
  TakeReply,
  TicketView,
} from "../../src/durable/contract.ts";

interface Objects {
  readonly ROOM: DurableObjectNamespace<Rpc.DurableObjectBranded & RoomRpc>;
  readonly LOBBY: DurableObjectNamespace<Rpc.DurableObjectBranded & LobbyRpc>;
}

export const objects = env as unknown as Objects;

export const definition = (id: string, limits: Partial<RoomLimits> = {}): RoomDefinition => ({
  id: id as RoomId,
  name: "shop",
  description: "",
  createdAt: instant(0),
  modifiedAt: instant(0),
  routes: [{ host: "*", path: "/tickets" }],
  queueingMethod: "fifo",
  queueingStatusCode: 503,
  jsonResponseEnabled: true,
  cookieSuffix: "shop",
  cookieDomain: null,
  limits: { ...LIMITS, ...limits },
  originRequestsPerSecondMax: null,
  holdMs: 20_000,
  originTimeoutMs: 60_000,
  strict: false,
  corsOrigins: [],
  exempt: [],
  onFailure: "closed",
  origin: null,
  rewrite: true,
  appearance: { name: null, accent: null, logo: null },
  kept: {},
});

let rooms = 0;
/** A room of its own for each test. */
export const newRoom = async (limits: Partial<RoomLimits> = {}) => {
  rooms += 1;
  const id = rooms.toString(16).padStart(32, "0");
  const room = objects.ROOM.getByName(id);
  await room.configure(definition(id, limits));
  const lobby = (index: number) => objects.LOBBY.getByName(`${id}/${index}`);
  return { id, room, lobby };
};

let visitors = 0;
export const visitorId = (): VisitorId => {
  visitors += 1;
  return `visitor-${visitors}`.padEnd(22, "x") as VisitorId;
};

export const held = (visitor: VisitorId, view: TicketView, lobby = 0): TicketClaims => ({
  number: view.number,
  visitor,
  lobby: lobbyIndex(lobby),
  joinedAt: view.joinedAt,
  heardAt: view.heardAt,
});

/** What a lobby replies to one visitor alone. */
export const takeOne = async (lobby: LobbyRpc, ask: TakeAsk): Promise<TakeReply> => {
  const [reply] = await lobby.take([ask]);
  if (reply === undefined) throw new Error("no reply");
  return reply;
};
