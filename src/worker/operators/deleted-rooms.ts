/** Deleted rooms, listed and restored, at `/.seiriken/api/rooms`. Cloudflare's API knows no such thing. */
import { Hono, type Context } from "hono";
import { after, rfc3339 } from "../../core/time.ts";
import { RESTORABLE_MS, type DeletedRoom, type RegistryRpc } from "../../durable/contract.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { reasonOf } from "../platform/log.ts";
import { adminOnly } from "../sign-in/bearer.ts";
import { problem, type ProblemCode } from "../../api/problem.ts";
import { resourceOf, type DeletedRoomResource } from "../../api/rooms/resource.ts";

type C = Context<AppContext>;

/** Other paths below `/rooms` are somebody else's: what is not answered here is asked there. */
const app = new Hono<AppContext>();

app.get("/", adminOnly, async (c, next) => {
  if (c.req.query("deleted") !== "true") return next();
  return orUnavailable(c, async () => {
    const rooms = await registryOf(c).deletedRooms();
    return c.json({ rooms: rooms.map(deletedResourceOf) });
  });
});

app.post("/:room/restore", adminOnly, (c) =>
  orUnavailable(c, async () => {
    const reply = await registryOf(c).restore(c.req.param("room"));
    if (reply.ok) {
      const { arrival, isolate } = c.var;
      isolate.deployments.expire();
      isolate.operatorLog.tell(arrival, { action: "room-restored", room: reply.value.name });
      return c.json(resourceOf(reply.value));
    }
    const refused = reply.problem;
    if (refused.code === "name-taken" || refused.code === "route-taken")
      return refuse(c, refused.code, refused.detail);
    return refused.code === "too-many-rooms"
      ? refuse(c, refused.code, refused.detail)
      : refuse(c, "deleted-room-not-found");
  }),
);

export const deletedRoomsApp = app;

const registryOf = (c: C): RegistryRpc => c.env.REGISTRY.getByName("registry");

const deletedResourceOf = ({ room, deletedAt }: DeletedRoom): DeletedRoomResource => ({
  ...resourceOf(room),
  deleted_on: rfc3339(deletedAt),
  restorable_until: rfc3339(after(deletedAt, RESTORABLE_MS)),
});

const orUnavailable = async (c: C, answer: () => Promise<Response>): Promise<Response> => {
  try {
    return await answer();
  } catch (error) {
    const { arrival, isolate } = c.var;
    const { reference } = arrival;
    const reason = reasonOf(error);
    isolate.ports.log({ level: "error", event: "deleted-rooms-error", reference, reason });
    const failure = refuse(c, "registry-unavailable");
    failure.headers.set("Retry-After", "1");
    return failure;
  }
};

const refuse = (c: C, code: ProblemCode, detail?: string): Response =>
  problem(code, c.var.arrival.reference, detail === undefined ? {} : { detail });
