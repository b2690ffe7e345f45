import { afterAll, beforeAll, expect, test } from "vitest";
import {
  apiExamples,
  headerShape,
  jsonOf,
  mismatches,
  perform,
  Variables,
} from "../support/api-examples.ts";
import { blocksOf, PAGES, read } from "../support/docs.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

const PAGE = "docs/API.md";

let seiriken: Seiriken;
beforeAll(async () => {
  seiriken = await startSeiriken();
});
afterAll(() => seiriken.stop());

test("[DOCS-3] every request of docs/API.md is answered as it is shown, in their order", async () => {
  const examples = apiExamples(PAGE);
  expect(examples.length).toBeGreaterThanOrEqual(38);
  const { adminToken, lockToken, url } = seiriken;
  const variables = new Variables({ ADMIN_TOKEN: adminToken, LOCK_TOKEN: lockToken });
  for (const example of examples) {
    const { at, method, path, answer: shown } = example;
    const came = await perform(url, example, variables);
    const where = `${at} ${method} ${path}`;
    expect([where, came.status, came.status === shown.status ? "" : came.text]).toEqual([
      where,
      shown.status,
      "",
    ]);
    for (const [name, value] of Object.entries(shown.headers))
      expect([where, name, headerShape(String(came.headers[name]))]).toEqual([
        where,
        name,
        headerShape(value),
      ]);
    if (shown.body !== "")
      expect([where, mismatches(JSON.parse(shown.body), jsonOf(came.text))]).toEqual([where, []]);
  }
}, 120_000);

test("[DOCS-3] other pages show no requests that nobody sends", () => {
  const untried = PAGES.filter((page) => page !== PAGE)
    .flatMap(blocksOf)
    .filter(({ info }) => info.startsWith("http"));
  expect(untried).toEqual([]);
});

/** `{"type":"called","number","claim_by"}` of the page's table, as its members. */
const shownMessages = (): Map<string, readonly string[]> =>
  new Map(
    [...read(PAGE).matchAll(/^\| `\{"type":"([a-z?]+)"([^}]*)\}` \|/gm)].map(
      ([, type = "", rest = ""]) => [
        type,
        [...rest.matchAll(/"(\w+)"/g)].map(([, name = ""]) => name),
      ],
    ),
  );

test("[DOCS-3] the messages of the socket have the members that are shown", async () => {
  const room = { name: "told", host: "127.0.0.1", path: "/told", total_active_users: 1 };
  const made = { ...room, new_users_per_minute: 6_000 };
  expect((await seiriken.manage("POST", "/waiting_rooms", made)).status).toBe(200);
  const patch = (seirikenSettings: object, more: object = {}) =>
    seiriken.manage("PATCH", "/waiting_rooms/told", { seiriken: seirikenSettings, ...more });
  const first = seiriken.visitor({ room: "told" });
  expect((await first.get("/told")).headers["seiriken-status"]).toBe("admitted; room=told");
  const second = seiriken.visitor({ room: "told" });
  await second.get("/told");
  expect((await second.take()).json().state).toBe("waiting");
  const third = seiriken.visitor({ room: "told" });
  await third.get("/told");
  await third.take();
  const line = [await second.socket(), await third.socket()] as const;
  const came = new Map<string, object>();
  const note = async (type: string, socket = line[0]) => came.set(type, await socket.first(type));
  await note("position");
  await patch({ message: "Back in ten minutes" });
  await note("message");
  const inMinutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
  const times = { event_start_time: inMinutes(10), event_end_time: inMinutes(20) };
  const sale = { name: "sale", prequeue_start_time: inMinutes(-1), ...times };
  const events = "/waiting_rooms/told/events";
  const planned = await seiriken.manage("POST", events, sale);
  await note("event");
  const { id } = planned.json().result as { readonly id: string };
  expect((await seiriken.manage("DELETE", `${events}/${id}`)).status).toBe(200);
  await patch({}, { queue_all: true });
  await note("paused");
  await patch({}, { queue_all: false });
  await first.release();
  await note("called");
  await patch({ closed: "Sold out" });
  await note("closed", line[1]);
  const shown = shownMessages();
  expect([...shown.keys()].toSorted()).toEqual([
    "called",
    "closed",
    "event",
    "message",
    "paused",
    "position",
    "ready?",
    "reload",
  ]);
  for (const [type, message] of came)
    expect([type, Object.keys(message).filter((name) => name !== "type")]).toEqual([
      type,
      expect.arrayContaining([...(shown.get(type) ?? ["?"])]),
    ]);
  line.forEach((socket) => socket.close());
}, 60_000);
