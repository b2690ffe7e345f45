/** The events of a room, at `…/waiting_rooms/{room}/events`: Cloudflare's calls. */
import { Hono, type Context } from "hono";
import type { RoomDefinition } from "../../core/definition.ts";
import { differencesOf } from "../../core/differences.ts";
import { QUICKNET, type DrandChain } from "../../core/draw/drand-chain.ts";
import type { EventId, RoomEvent } from "../../core/events/event.ts";
import { problemsOfFit } from "../../core/events/event-fit.ts";
import { editedBy, NO_EVENTS, type EventsChange } from "../../core/events/event-list.ts";
import { hex } from "../../core/hex.ts";
import { ApiRefusal, refusedFields, succeeded } from "../../api/envelope.ts";
import { parseChainText } from "../../api/draws/record.ts";
import { eventDetails, eventResource } from "../../api/events/resource.ts";
import { readFields, wholeOf, type ReadFields } from "../../api/events/schema.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { askedRoom, needs } from "../sign-in/needs.ts";
import type { Env } from "../platform/env.ts";
import { authorOf, tellChange } from "./audit.ts";
import { etagAt, isKnown, readAtOf } from "./entity-tags.ts";
import { pageOf } from "./pages.ts";
import { findRoom } from "./rooms.ts";
import { notesOnPage } from "./page-notes.ts";
import { notesOnTurnstile } from "./stranger-notes.ts";

type C = Context<AppContext>;
/** Reads a body of JSON, or throws a refusal. */
type JsonReader = (c: C) => Promise<unknown>;

/** Mounted below the sign-in and the errors of the management API. */
export const eventsApp = (jsonOf: JsonReader): Hono<AppContext> => {
  const app = new Hono<AppContext>();
  const events = "/:room/events";
  const one = `${events}/:event`;

  app.get(events, needs("read"), async (c) => {
    const { list, changedAt } = (await findRoom(c.env, askedRoom(c))).events ?? NO_EVENTS;
    const { entries, info } = pageOf(c, list);
    return unlessKnown(c, etagAt(changedAt), succeeded(entries.map(eventResource), [], info));
  });

  app.post(events, needs("operate"), async (c) => {
    const id = newId();
    const { fields } = await valid(c, null, readFields(await jsonOf(c), false));
    const event = await change(c, { do: "add", id, settings: wholeOf(fields) });
    return answer(c, event);
  });

  app.get(one, needs("read"), async (c) => {
    const event = eventIn(await findRoom(c.env, askedRoom(c)), eventOf(c));
    return unlessKnown(c, etagAt(event.modifiedAt), succeeded(eventResource(event)));
  });

  app.get(`${one}/details`, needs("read"), async (c) => {
    const room = await findRoom(c.env, askedRoom(c));
    return c.json(succeeded(eventDetails(eventIn(room, eventOf(c)), room)));
  });

  app.put(one, needs("operate"), async (c) => {
    const id = eventOf(c);
    const { fields } = await valid(c, id, readFields(await jsonOf(c), false));
    return answer(c, await change(c, { do: "replace", id, settings: wholeOf(fields) }));
  });

  app.patch(one, needs("operate"), async (c) => {
    const id = eventOf(c);
    const { fields } = await valid(c, id, readFields(await jsonOf(c), true));
    return answer(c, await change(c, { do: "edit", id, settings: fields }));
  });

  app.delete(one, needs("operate"), async (c) => {
    const { id } = await change(c, { do: "remove", id: eventOf(c) });
    return c.json(succeeded({ id }));
  });
  return app;
};

/** What is no id names no event. */
const eventOf = (c: C): EventId => (c.req.param("event") ?? "").toLowerCase() as EventId;

const newId = (): EventId => hex(crypto.getRandomValues(new Uint8Array(16))) as EventId;

const standingIn = ({ events }: RoomDefinition, id: EventId): RoomEvent | null =>
  events?.list.find((event) => event.id === id) ?? null;

const eventIn = (room: RoomDefinition, id: EventId): RoomEvent => {
  const event = standingIn(room, id);
  if (event !== null) return event;
  throw new ApiRefusal("not-found", `The room ${room.name} has no event ${id}.`);
};

const unlessKnown = (c: C, etag: string, envelope: object): Response => {
  c.header("ETag", etag);
  return isKnown(c, etag) ? c.body(null, 304) : c.json(envelope);
};

const answer = (c: C, event: RoomEvent): Response => {
  c.header("ETag", etagAt(event.modifiedAt));
  const resource = eventResource(event);
  const notes = [
    ...notesOnPage(resource.custom_page_html, "custom_page_html"),
    ...notesOnTurnstile(c.env, resource),
  ];
  return c.json(succeeded(resource, notes));
};

/** With a problem in a field, what is wrong between the others, and with what stands, is told as well. */
const valid = async (c: C, id: EventId | null, read: ReadFields): Promise<ReadFields> => {
  if (read.problems.length === 0) return read;
  const room = await findRoom(c.env, askedRoom(c));
  const standing = id === null ? null : eventIn(room, id);
  const isPatch = c.req.method === "PATCH";
  const whole = isPatch && standing !== null ? editedBy(standing, read.fields) : read.fields;
  throw refusedFields([...read.problems, ...problemsOfFit(whole, id, room)], "The event");
};

/** The event as it is now, or as it was where it is gone. */
const change = async (c: C, wanted: EventsChange): Promise<RoomEvent> => {
  const what = wanted.do === "add" ? "these events" : "this event";
  const registry = c.env.REGISTRY.getByName("registry");
  const chain = drandChainOf(c.env);
  const reply = await registry.changeEvents(
    askedRoom(c),
    wanted,
    chain,
    readAtOf(c, what),
    authorOf(c),
  );
  if (!reply.ok) {
    const { problem } = reply;
    if (problem.code === "invalid") throw refusedFields(problem.problems, "The event");
    throw new ApiRefusal(problem.code, problem.detail);
  }
  const { value, before = value } = reply;
  const [old, now] = [standingIn(before, wanted.id), standingIn(value, wanted.id)];
  tell(c, value, old, now);
  const event = now ?? old;
  if (event !== null) return event;
  throw new Error("a change of an event is about one");
};

/** Of what the deployment names; null where that can't be read. */
const drandChainOf = ({ DRAND_CHAIN }: Env): DrandChain | null => {
  if (DRAND_CHAIN === undefined || DRAND_CHAIN === "") return QUICKNET;
  const parsed = parseChainText(DRAND_CHAIN);
  return parsed.ok ? parsed.value : null;
};

const tell = (c: C, room: RoomDefinition, old: RoomEvent | null, now: RoomEvent | null): void => {
  const [before, after] = [old, now].map((event) => (event === null ? {} : eventResource(event)));
  const { changes, more } = differencesOf(before ?? {}, after ?? {});
  if (Object.keys(changes).length === 0) return;
  tellChange(c, {
    action: old === null ? "event-created" : now === null ? "event-deleted" : "event-changed",
    room: room.name,
    target: (now ?? old)?.name ?? "",
    // Of an event that is new, what it does not set says nothing.
    changes: Object.fromEntries(
      Object.entries(changes).filter(([, [from, to]]) => from !== null || to !== null),
    ),
    ...(more === 0 ? {} : { more }),
  });
};
