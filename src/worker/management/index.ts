/**
 * Cloudflare's Waiting Room API over our rooms, so that its SDKs and Terraform work with a changed
 * base URL. Mounted at `/.seiriken/client/v4`. One deployment has one set of rooms: every zone and
 * every account shows the same.
 */
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Env } from "../env.ts";
import { reasonOf } from "../log.ts";
import { admissionOf, MANAGEMENT_OFF, NOT_SIGNED_IN } from "./auth.ts";
import { failed, Refused, refusedFields, succeeded } from "./envelope.ts";
import { firstJsonError } from "./json-position.ts";
import { resourceOf } from "./resource.ts";
import {
  createRoom,
  deleteRoom,
  findRoom,
  listRooms,
  notesOn,
  patchRoom,
  putRoom,
  statusOfRoom,
} from "./rooms.ts";

export { keysApp } from "./keys.ts";

const BODY_BYTES_MAX = 262_144;
const PER_PAGE_DEFAULT = 25;
const PER_PAGE_MAX = 1_000;

type App = { Bindings: Env };
const app = new Hono<App>();

app.use(async (c, next) => {
  c.header("Cache-Control", "no-store");
  const admission = await admissionOf(c.req.raw, c.env);
  if (admission === "off") throw new Refused("no-route", MANAGEMENT_OFF);
  if (admission === "refused") throw new Refused("authentication", NOT_SIGNED_IN);
  await next();
});

app.use(
  bodyLimit({
    maxSize: BODY_BYTES_MAX,
    onError: () => {
      throw new Refused("too-large", `The body may have at most ${BODY_BYTES_MAX} bytes.`);
    },
  }),
);

const later = (what: string) => () => {
  throw new Refused("no-route", `Seiriken does not offer ${what} in this version.`);
};
const rooms = "/zones/:zone/waiting_rooms";
app.all(`${rooms}/settings`, later("zone settings"));
app.all(`${rooms}/preview`, later("page previews"));
for (const part of ["events", "rules"]) {
  app.all(`${rooms}/:room/${part}`, later(`waiting room ${part}`));
  app.all(`${rooms}/:room/${part}/*`, later(`waiting room ${part}`));
}

app.get(rooms, (c) => answerList(c));
app.get("/accounts/:account/waiting_rooms", (c) => answerList(c));

app.post(rooms, async (c) => {
  const room = await createRoom(c.env, await jsonBodyOf(c));
  return c.json(succeeded(resourceOf(room), notesOn(room)));
});

app.get(`${rooms}/:room`, async (c) => {
  return c.json(succeeded(resourceOf(await findRoom(c.env, c.req.param("room")))));
});

app.put(`${rooms}/:room`, async (c) => {
  const room = await putRoom(c.env, c.req.param("room"), await jsonBodyOf(c));
  return c.json(succeeded(resourceOf(room), notesOn(room)));
});

app.patch(`${rooms}/:room`, async (c) => {
  const room = await patchRoom(c.env, c.req.param("room"), await jsonBodyOf(c));
  return c.json(succeeded(resourceOf(room), notesOn(room)));
});

app.delete(`${rooms}/:room`, async (c) => {
  return c.json(succeeded({ id: await deleteRoom(c.env, c.req.param("room")) }));
});

app.get(`${rooms}/:room/status`, async (c) => {
  return c.json(succeeded(await statusOfRoom(c.env, c.req.param("room"))));
});

// A mounted app's own `notFound` would never be asked.
app.all("*", (c) => {
  throw new Refused("no-route", `There is nothing at ${c.req.method} ${c.req.path}.`);
});

app.onError((error, c) => {
  c.header("Cache-Control", "no-store");
  if (error instanceof Refused) {
    if (error.code === "authentication") c.header("WWW-Authenticate", 'Bearer realm="seiriken"');
    return c.json(failed(error.notes), error.status);
  }
  console.error(
    JSON.stringify({ level: "error", event: "management-error", reason: reasonOf(error) }),
  );
  c.header("Retry-After", "1");
  const refused = new Refused("unavailable", "The room could not be reached. Try again.");
  return c.json(failed(refused.notes), refused.status);
});

export const managementApp = app;

async function answerList(c: Context<App>): Promise<Response> {
  const page = wholeQuery(c, "page", 1, Number.MAX_SAFE_INTEGER);
  const perPage = wholeQuery(c, "per_page", PER_PAGE_DEFAULT, PER_PAGE_MAX);
  const all = await listRooms(c.env);
  const result = all.slice((page - 1) * perPage, page * perPage).map(resourceOf);
  const info = {
    page,
    per_page: perPage,
    count: result.length,
    total_count: all.length,
    total_pages: Math.ceil(all.length / perPage),
  };
  return c.json(succeeded(result, [], info));
}

function wholeQuery(c: Context<App>, name: string, fallback: number, most: number): number {
  const given = c.req.query(name);
  const value = given === undefined ? fallback : Number(given);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw refusedFields([{ keys: [name], message: `must be a whole number from 1 to ${most}` }]);
}

async function jsonBodyOf(c: Context<App>): Promise<unknown> {
  const text = await c.req.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const at = firstJsonError(text);
    const where = at === null ? "" : ` (line ${at.line}, column ${at.column})`;
    throw new Refused("not-json", `The body is not JSON${where}.`);
  }
}
