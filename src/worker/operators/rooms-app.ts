/**
 * Cloudflare's Waiting Room API over our rooms, so that its SDKs and Terraform work with a changed
 * base URL. Mounted at `/.seiriken/client/v4`. One deployment has one set of rooms: every zone and
 * every account shows the same.
 */
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { RoomDefinition } from "../../core/definition.ts";
import { instant } from "../../core/time.ts";
import type { ReadAt } from "../../durable/contract.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { reasonOf } from "../platform/log.ts";
import { askedRoom, coveredOf, needs, signedIn } from "../sign-in/needs.ts";
import { differencesOf } from "../../core/differences.ts";
import { failed, ApiRefusal, succeeded } from "../../api/envelope.ts";
import { readJson } from "../../core/json/read.ts";
import { resourceOf, type RoomResource } from "../../api/rooms/resource.ts";
import { etagAt, isKnown, readAtOf } from "./entity-tags.ts";
import {
  changeRoom,
  createRoom,
  deleteRoom,
  findRoom,
  listRooms,
  notesOn,
  statusOfRoom,
} from "./rooms.ts";
import { authorOf, tellChange } from "./audit.ts";
import { eventsApp } from "./events.ts";
import { graphqlApp } from "./graphql.ts";
import { pageOf } from "./pages.ts";
import { makePreview } from "./preview.ts";
import { rulesApp } from "./rules.ts";
import { zoneSettingsApp } from "./zone-settings.ts";

export { deletedRoomsApp } from "./deleted-rooms.ts";
export { keysApp } from "./keys.ts";

const BODY_BYTES_MAX = 262_144;

const app = new Hono<AppContext>();

app.use(async (c, next) => {
  c.set("envelope", "cloudflare");
  c.header("Cache-Control", "no-store");
  return next();
});
app.use(signedIn());

app.use(
  bodyLimit({
    maxSize: BODY_BYTES_MAX,
    onError: () => {
      throw new ApiRefusal("too-large", `The body may have at most ${BODY_BYTES_MAX} bytes.`);
    },
  }),
);

const rooms = "/zones/:zone/waiting_rooms";

/** Registered behind all that a path does take. */
const takesOnly = (path: string, methods: string): void => {
  app.all(path, (c) => {
    c.header("Allow", methods);
    throw new ApiRefusal("method-not-allowed", `${c.req.path} takes ${methods}.`);
  });
};

/** Clients ask here whether their token is good. */
for (const verify of ["/user/tokens/verify", "/accounts/:account/tokens/verify"]) {
  app.get(verify, needs("read", "own-rooms"), (c) =>
    c.json(succeeded({ id: c.var.operator.id, status: "active" })),
  );
  takesOnly(verify, "GET");
}

app.route(rooms, zoneSettingsApp(jsonBodyOf));
takesOnly(`${rooms}/settings`, "GET, PUT, PATCH");

app.post(`${rooms}/preview`, needs("operate", "own-rooms"), async (c) =>
  makePreview(c, await jsonBodyOf(c)),
);
takesOnly(`${rooms}/preview`, "POST");

app.get(rooms, needs("read", "own-rooms"), (c) => answerList(c));
app.get("/accounts/:account/waiting_rooms", needs("read", "own-rooms"), (c) => answerList(c));

app.post(rooms, needs("admin"), async (c) => {
  const room = await createRoom(c.env, await jsonBodyOf(c), authorOf(c));
  tellRoom(c, "room-created", {}, outlineOf(room), room);
  c.header("ETag", etagOf(room));
  return c.json(succeeded(shown(c, room), notesOn(c.env, room)));
});

app.get(`${rooms}/:room`, needs("read"), async (c) => {
  const room = await findRoom(c.env, askedRoom(c));
  const etag = etagOf(room);
  c.header("ETag", etag);
  return isKnown(c, etag) ? c.body(null, 304) : c.json(succeeded(shown(c, room)));
});

app.put(`${rooms}/:room`, needs("operate"), async (c) => {
  return answerChange(c, askedRoom(c), "put");
});

app.patch(`${rooms}/:room`, needs("operate"), async (c) => {
  return answerChange(c, askedRoom(c), "patch");
});

app.delete(`${rooms}/:room`, needs("admin"), async (c) => {
  const room = await deleteRoom(c.env, askedRoom(c), readRoomAt(c), authorOf(c));
  tellRoom(c, "room-deleted", outlineOf(room), {}, room);
  return c.json(succeeded({ id: room.id }));
});

app.get(`${rooms}/:room/status`, needs("read"), async (c) => {
  return c.json(succeeded(await statusOfRoom(c.env, askedRoom(c))));
});

app.route(rooms, rulesApp(jsonBodyOf));
app.route(rooms, eventsApp(jsonBodyOf));

app.route("/", graphqlApp(jsonBodyOf));
takesOnly("/graphql", "POST");

takesOnly(rooms, "GET, POST");
takesOnly("/accounts/:account/waiting_rooms", "GET");
takesOnly(`${rooms}/:room`, "GET, PUT, PATCH, DELETE");
takesOnly(`${rooms}/:room/status`, "GET");
takesOnly(`${rooms}/:room/rules`, "GET, POST, PUT");
takesOnly(`${rooms}/:room/rules/:rule`, "PATCH, DELETE");
takesOnly(`${rooms}/:room/events`, "GET, POST");
takesOnly(`${rooms}/:room/events/:event`, "GET, PUT, PATCH, DELETE");
takesOnly(`${rooms}/:room/events/:event/details`, "GET");

// A mounted app's own `notFound` would never be asked.
app.all("*", (c) => {
  throw new ApiRefusal("no-route", `There is nothing at ${c.req.method} ${c.req.path}.`);
});

app.onError((error, c) => {
  c.header("Cache-Control", "no-store");
  if (error instanceof ApiRefusal) {
    if (error.code === "authentication") c.header("WWW-Authenticate", 'Bearer realm="seiriken"');
    // Cloudflare's own clients would ask again after a 409.
    if (!error.isMendedByTime) c.header("X-Should-Retry", "false");
    return c.json(failed(error.notes), error.status);
  }
  const { arrival, isolate } = c.var;
  const { reference } = arrival;
  const reason = reasonOf(error);
  isolate.ports.log({ level: "error", event: "management-error", reference, reason });
  c.header("Retry-After", "1");
  const refused = new ApiRefusal("unavailable", "The room could not be reached. Try again.");
  return c.json(failed(refused.notes), refused.status);
});

export const managementApp = app;

async function answerChange(c: Context<AppContext>, named: string, by: "put" | "patch") {
  const json = await jsonBodyOf(c);
  const { before, after } = await changeRoom(
    c.env,
    named,
    { by, json },
    readRoomAt(c),
    authorOf(c),
  );
  if (before.modifiedAt !== after.modifiedAt)
    tellRoom(c, "room-changed", resourceOf(before), resourceOf(after), after);
  c.header("ETag", etagOf(after));
  return c.json(succeeded(shown(c, after), notesOn(c.env, after)));
}

/** Of a room that is new or gone the log tells where it stands and what it lets in. */
const outlineOf = (room: RoomDefinition): object => {
  const { host, path, total_active_users, new_users_per_minute } = resourceOf(room);
  return { host, path, total_active_users, new_users_per_minute };
};

const tellRoom = (
  c: Context<AppContext>,
  action: "room-created" | "room-changed" | "room-deleted",
  before: object,
  after: object,
  { name }: RoomDefinition,
): void => {
  const { changes, more } = differencesOf(before, after);
  const rest = more === 0 ? {} : { more };
  tellChange(c, { action, room: name, changes, ...rest });
};

/** A room's version: every change moves its time of modification. */
const etagOf = (room: RoomDefinition): string => etagAt(room.modifiedAt);

const readRoomAt = (c: Context<AppContext>): ReadAt | undefined => readAtOf(c, "this room");

async function answerList(c: Context<AppContext>): Promise<Response> {
  const { entries, info } = pageOf(c, coveredOf(c, await listRooms(c.env)));
  return c.json(
    succeeded(
      entries.map((room) => shown(c, room)),
      [],
      info,
    ),
  );
}

const shown = ({ var: { isolate } }: Context<AppContext>, room: RoomDefinition): RoomResource =>
  resourceOf(room, instant(isolate.ports.now()));

async function jsonBodyOf(c: Context<AppContext>): Promise<unknown> {
  const read = readJson(await c.req.text());
  if (read.ok) return read.json;
  const where = read.place === "" ? "" : ` (${read.place})`;
  throw new ApiRefusal("not-json", `The body is not JSON${where}.`);
}
