import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ManagementClient } from "../../../cli/api-client.ts";
import { parseRoomsCommand } from "../../../cli/rooms-command.ts";
import { changeEvents, changeRules } from "../../../cli/rooms/lists.ts";
import { eventTable } from "../../../cli/rooms/lists-view.ts";
import { localText, momentText } from "../../../cli/rooms/moments.ts";
import { eventResource } from "../../../src/api/events/resource.ts";
import { instant } from "../../../src/core/time.ts";
import { failureOf } from "../../support/failure.ts";
import { roomEvent } from "../../support/events.ts";

const env = { ADMIN_TOKEN: "secret" };
const commandOf = (...argv: string[]) => parseRoomsCommand(argv, env).command;
const START = Date.parse("2026-11-28T20:00:00.000Z");

beforeEach(() => vi.stubEnv("TZ", "Asia/Tokyo"));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe("[CLI-18] what is asked of events", () => {
  test("the list, and one of it", () => {
    expect(commandOf("events", "shop")).toMatchObject({ room: "shop", act: { do: "list" } });
    expect(commandOf("events", "shop", "show", "sale", "--json")).toMatchObject({
      act: { do: "show", event: "sale" },
      json: true,
    });
    expect(commandOf("events", "shop", "remove", "sale", "--yes")).toMatchObject({
      act: { do: "remove", event: "sale" },
      isAgreed: true,
    });
  });

  test("one to make: short names, and times of this machine", () => {
    const words = ["start=2026-11-28T20:00", "end=2026-11-28T22:00:00Z", "shuffle=true"];
    const more = ["prequeue=2026-11-28 19:30", "draw=witnesses", "session_duration=2.5"];
    expect(commandOf("events", "shop", "add", "sale", ...words, ...more)).toMatchObject({
      act: {
        event: {
          name: "sale",
          event_start_time: "2026-11-28T20:00:00+09:00",
          event_end_time: "2026-11-28T22:00:00Z",
          prequeue_start_time: "2026-11-28T19:30:00+09:00",
          shuffle_at_event_start: true,
          session_duration: 2.5,
          seiriken: { draw: "witnesses" },
        },
      },
    });
    expect(commandOf("events", "shop", "change", "sale", "session_duration=null")).toMatchObject({
      act: { patch: { session_duration: null } },
    });
  });

  test.each([
    [["events"]],
    [["events", "shop", "lst"]],
    [["events", "shop", "show"]],
    [["events", "shop", "add", "sale"]],
    [["events", "shop", "add", "start=2026-11-28T20:00"]],
    [["events", "shop", "add", "sale", "start=tomorrow"]],
    [["events", "shop", "change", "sale", "modified_on=now"]],
    [["events", "shop", "--watch"]],
    [["rules", "shop", "add"]],
    [["rules", "shop", "change", "1"]],
    [["rules", "shop", "remove", "1", "2"]],
  ])("%j was called wrongly", (argv) => {
    expect(failureOf(() => parseRoomsCommand(argv, env))).toMatchObject({ exitCode: 2 });
  });
});

test("[CLI-18] a time without an offset is this machine's, where there is one", () => {
  expect(momentText("2026-11-28T20:00")).toBe("2026-11-28T20:00:00+09:00");
  expect(momentText("2026-02-30T20:00")).toBeNull();
  expect(momentText("2026-11-28T20:00Z")).toBeNull();
  expect(localText("2026-11-28t20:00:00z")).toBe("2026-11-29 05:00");
  vi.stubEnv("TZ", "America/St_Johns");
  expect(momentText("2026-11-28T20:00:01")).toBe("2026-11-28T20:00:01-03:30");
});

test("[CLI-18] the table has the state of each, and both ways to say its times", () => {
  const sale = roomEvent(START, { prequeueAt: instant(START - 600_000) });
  const past = roomEvent(START - 90_000_000, { id: 2, name: "past" });
  const table = eventTable([sale, past].map(eventResource), START - 1);
  expect(table).toEqual([
    "name  state     prequeue          start             end               shuffle  start and end in RFC 3339",
    "past  over      -                 2026-11-28 04:00  2026-11-28 05:00  -        2026-11-27T19:00:00.000Z 2026-11-27T20:00:00.000Z",
    "sale  prequeue  2026-11-29 04:50  2026-11-29 05:00  2026-11-29 06:00  -        2026-11-28T20:00:00.000Z 2026-11-28T21:00:00.000Z",
  ]);
});

/** A deployment that answers by method and path, and notes what was asked. */
const clientOn = (answers: Readonly<Record<string, unknown>>) => {
  const asked: string[] = [];
  const fetchWith = async (url: URL, init: { readonly method: string; readonly body?: string }) => {
    const path = url.href.replace(/^.*waiting_rooms\//, "").replace(/\?.*$/, "");
    const call = `${init.method} ${path}`;
    asked.push(init.body === undefined ? call : `${call} ${init.body}`);
    return Response.json({ success: true, errors: [], messages: [], result: answers[call] ?? [] });
  };
  const deployment = { server: "http://127.0.0.1:1", token: "secret" };
  const client = new ManagementClient(deployment, fetchWith as unknown as typeof fetch);
  return { client, asked };
};

const told = (): (() => string) => {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  return () => write.mock.calls.map(([text]) => String(text)).join("");
};

const run = (client: ManagementClient, ...argv: string[]) => {
  const command = commandOf(...argv);
  if (command.kind === "events") return changeEvents(client, command);
  if (command.kind === "rules") return changeRules(client, command);
  throw new Error("neither of the two");
};

test("[CLI-18] an event is found by its name in any case; one that is on is not removed unasked", async () => {
  const said = told();
  const event = eventResource(roomEvent(Date.now() - 1_000, { name: "Sale" }));
  const { client, asked } = clientOn({
    "GET shop/events": [event],
    [`PATCH shop/events/${event.id}`]: event,
  });
  await run(client, "events", "shop", "change", "sale", "suspended=true");
  expect(asked.at(-1)).toBe(`PATCH shop/events/${event.id} {"suspended":true}`);
  expect(said()).toBe("shop: the event Sale is changed\n");
  await expect(run(client, "events", "shop", "remove", "sale")).rejects.toMatchObject({
    code: "needs-yes",
    details: [expect.stringContaining("is on"), expect.anything()],
  });
  await expect(run(client, "events", "shop", "show", "sal")).rejects.toMatchObject({
    details: ["it has Sale"],
  });
  await run(client, "events", "shop", "remove", "sale", "--yes");
  expect(asked.at(-1)).toBe(`DELETE shop/events/${event.id}`);
});

test("[CLI-19] rules are named by their places, and the list as it is then is shown", async () => {
  const said = told();
  const rule = { id: "a".repeat(32), expression: "ssl", description: "", enabled: true };
  const { client, asked } = clientOn({
    "GET shop/rules": [rule],
    [`PATCH shop/rules/${rule.id}`]: [{ ...rule, enabled: false }],
  });
  await run(client, "rules", "shop", "change", "1", "enabled=false", "place=1");
  expect(asked.at(-1)).toBe(`PATCH shop/rules/${rule.id} {"enabled":false,"position":{"index":1}}`);
  expect(said()).toMatch(/^place {2}state .*\n1 {6}off {4}ssl {9}- {12}a{32}\n$/);
  await run(client, "rules", "shop", "add", "true", "description=all");
  expect(asked.at(-1)).toContain('"expression":"true"');
  await expect(run(client, "rules", "shop", "remove", "2")).rejects.toMatchObject({
    details: ["it has those at the places 1 to 1"],
  });
});
