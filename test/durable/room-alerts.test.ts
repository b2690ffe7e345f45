import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { instant } from "../../src/core/time.ts";
import { eventually } from "../support/eventually.ts";
import { roomEvent } from "../support/events.ts";
import { definition, newRoom, objects, takeOne, visitorId } from "./objects.ts";

const registries = (env as unknown as { REGISTRY: DurableObjectNamespace }).REGISTRY;

/** Up to which alert of the room the Registry has heard; null: it was not called. */
const heardOf = (room: string): Promise<number | null> =>
  runInDurableObject(registries.get(registries.idFromName("registry")), (_, { storage }) => {
    const sql = "SELECT sequence FROM alerts_heard WHERE room = ?";
    const [row] = storage.sql.exec(sql, room).toArray();
    return row === undefined ? null : Number(row["sequence"]);
  });

const rowsOf = (room: string): Promise<number> =>
  runInDurableObject(objects.ROOM.getByName(room), (_, { storage }) =>
    Number(storage.sql.exec("SELECT count(*) AS n FROM alert").one()["n"]),
  );

const EVENT = roomEvent(1_000, { endsAt: instant(4_000_000_000_000) });

test("[ALERT-9] a Room hands its alerts to the Registry, and its rows go when they are acknowledged", async () => {
  const { id, room } = await newRoom();
  const events = { changedAt: instant(1), list: [EVENT] };
  await room.configure({ ...definition(id), events });
  await eventually(async () => (await heardOf(id)) === 1);
  await eventually(async () => (await rowsOf(id)) === 0);
  const ended = { changedAt: instant(2), list: [] };
  await room.configure({ ...definition(id), events: ended });
  await eventually(async () => (await heardOf(id)) === 2);
  await eventually(async () => (await rowsOf(id)) === 0);
});

test("[ALERT-9] where nothing begins or ends, no row is written and nobody is called", async () => {
  const { id, room, lobby } = await newRoom({ permitsMax: 1 });
  for (let visitors = 0; visitors < 20; visitors += 1)
    await takeOne(lobby(0), { visitor: visitorId(), ticket: null, address: null });
  expect((await room.snapshot(null)).waiting).toBe(19);
  expect([await rowsOf(id), await heardOf(id)]).toEqual([0, null]);
});
