/** What monitoring reads: figures of every room, as Prometheus and OpenMetrics have them. */
import { Hono } from "hono";
import { exposition, METRICS_FORMATS, type MetricsFormat } from "../../api/metrics/exposition.ts";
import { metricFamilies, type MeteredRoom } from "../../api/metrics/room-families.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import { parseAccept } from "../arrival/caller.ts";
import { valueWithin } from "../isolate/deadline.ts";
import type { AppContext } from "../isolate/app-context.ts";
import type { Ports } from "../platform/ports.ts";
import type { Env } from "../platform/env.ts";
import { coveredOf, needs } from "../sign-in/needs.ts";
import { notAllowed } from "./refusal.ts";
import { roomObject } from "../platform/room-object.ts";

export const metricsApp = new Hono<AppContext>();

/** Prometheus gives a scrape 10 s by default. Rooms that have not answered by then are down. */
const SCRAPE_MS = 5_000;
const ROOMS_AT_ONCE = 32;
/** Rooms above that are left out: a deployment has a thousand at most. */
const ROOMS_MAX = 1_000;

metricsApp.get("/", needs("read", "own-rooms"), async (c) => {
  const { isolate, deployment, arrival } = c.var;
  const rooms = coveredOf(c, deployment.rooms).slice(0, ROOMS_MAX);
  const metered = await meterRooms(isolate.ports, c.env, rooms);
  const silent = metered.filter(({ meter }) => meter === null).length;
  if (silent > 0)
    isolate.ports.log({
      level: "warn",
      event: "rooms-silent",
      reference: arrival.reference,
      rooms: silent,
      asked: metered.length,
    });
  const format = formatOf(c.req.header("Accept") ?? "");
  return c.body(exposition(metricFamilies(metered), format), 200, {
    "Content-Type": METRICS_FORMATS[format],
  });
});

metricsApp.all("/", (c) => notAllowed(c, "GET"));

/** OpenMetrics where it is named and plain text is not wanted more. */
const formatOf = (accept: string): MetricsFormat => {
  const accepted = parseAccept(accept);
  const wanted = (type: string): number =>
    accepted.find((range) => range.type === type)?.quality ?? 0;
  const openmetrics = wanted("application/openmetrics-text");
  return openmetrics > 0 && openmetrics >= wanted("text/plain") ? "openmetrics" : "prometheus";
};

/** One call a room, so many at once; none begins or is waited for when the time is over. */
const meterRooms = async (
  ports: Ports,
  env: Env,
  rooms: readonly RoomDefinition[],
): Promise<readonly MeteredRoom[]> => {
  const until = ports.now() + SCRAPE_MS;
  const metered: MeteredRoom[] = [];
  const left = rooms.entries();
  const askOn = async (): Promise<void> => {
    for (const [index, room] of left) {
      const leftMs = until - ports.now();
      const meter = leftMs <= 0 ? null : await valueWithin(ports, meterOf(env, room), leftMs);
      const { name, id, limits, queueingMethod } = room;
      metered[index] = { name, id, permit: limits.permit, queueingMethod, meter };
    }
  };
  await Promise.all(Array.from({ length: Math.min(ROOMS_AT_ONCE, rooms.length) }, askOn));
  return metered;
};

/** Asynchronous, so that a stub that throws at once is a room that is down as well. */
const meterOf = async (env: Env, room: RoomDefinition) => roomObject(env, room).meter();
