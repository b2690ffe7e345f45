/** Deleted rooms, listed and restored, at `/.seiriken/api/rooms`. Cloudflare's API knows no such thing. */
import { Hono, type Context } from "hono";
import { coversRoom } from "../../core/access/scopes.ts";
import { after, rfc3339 } from "../../core/time.ts";
import {
  RESTORABLE_MS,
  type DeletedRoom,
  type RegistryProblem,
  type RegistryRpc,
} from "../../durable/contract.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { needs } from "../sign-in/needs.ts";
import { resourceOf, type DeletedRoomResource } from "../../api/rooms/resource.ts";
import { authorOf, tellChange } from "./audit.ts";
import { failsAs, OperatorRefusal, REGISTRY_FAILURE } from "./refusal.ts";

type C = Context<AppContext>;

/** Other paths below `/rooms` belong to visits.ts: what is not answered here goes on to it. */
const app = new Hono<AppContext>();

app.get("/", needs("read", "own-rooms"), async (c, next) => {
  if (c.req.query("deleted") !== "true") return next();
  const rooms = await registryOf(c).deletedRooms();
  return c.json({
    rooms: rooms.filter(({ room }) => coversRoom(c.var.operator, room.id)).map(deletedResourceOf),
  });
});

app.post("/:room/restore", needs("admin", "deployment"), async (c) => {
  const reply = await registryOf(c).restore(c.req.param("room"), authorOf(c));
  if (!reply.ok) throw refusalOf(reply.problem);
  c.var.isolate.deployments.expire();
  tellChange(c, { action: "room-restored", room: reply.value.name });
  return c.json(resourceOf(reply.value));
});

app.onError(failsAs({ ...REGISTRY_FAILURE, event: "deleted-rooms-error" }));

export const deletedRoomsApp = app;

const registryOf = (c: C): RegistryRpc => c.env.REGISTRY.getByName("registry");

const deletedResourceOf = ({ room, deletedAt }: DeletedRoom): DeletedRoomResource => ({
  ...resourceOf(room),
  deleted_on: rfc3339(deletedAt),
  restorable_until: rfc3339(after(deletedAt, RESTORABLE_MS)),
});

const refusalOf = (problem: RegistryProblem): OperatorRefusal => {
  switch (problem.code) {
    case "name-taken":
    case "route-taken":
    case "too-many-rooms":
      return new OperatorRefusal(problem.code, { detail: problem.detail });
    default:
      return new OperatorRefusal("deleted-room-not-found");
  }
};
