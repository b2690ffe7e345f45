import { expect, test } from "vitest";
import type { RuleResource } from "../../src/api/rules/resource.ts";
import { ROOMS, withApi as withBench, type Answer } from "../durable/management-bench.ts";
import { room } from "../durable/registry-harness.ts";

const RULES = `${ROOMS}/shop/rules`;
const ACTION = "bypass_waiting_room";
const SSL = { action: ACTION, expression: "ssl" };

const rulesIn = (answer: Answer): readonly RuleResource[] => {
  expect(answer, JSON.stringify(answer.errors)).toMatchObject({ status: 200, success: true });
  return answer.result as readonly RuleResource[];
};
const expressionsIn = (answer: Answer) => rulesIn(answer).map(({ expression }) => expression);

const withApi = (...[name, ...rest]: Parameters<typeof withBench>) =>
  withBench(`rules ${name}`, ...rest);

test("[RULES-1] list, POST, PATCH, DELETE and PUT each answer the whole list, in order", () =>
  withApi("all", async ({ call }) => {
    expect(rulesIn(await call("GET", RULES))).toEqual([]);
    const [first] = rulesIn(await call("POST", RULES, SSL));
    expect(first).toEqual({
      ...SSL,
      id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      version: "1",
      description: "",
      enabled: true,
      last_updated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    });
    const second = { action: ACTION, expression: "not ssl", description: "d", enabled: false };
    const two = rulesIn(await call("POST", RULES, second));
    expect(two).toEqual([first, expect.objectContaining({ ...second, version: "1" })]);

    const moved = await call("PATCH", `${RULES}/${two[1]?.id}`, {
      ...second,
      enabled: true,
      position: { index: 1 },
    });
    expect(rulesIn(moved)).toMatchObject([
      { expression: "not ssl", enabled: true, version: "2" },
      first,
    ]);
    const back = await call("PATCH", `${RULES}/${first?.id}`, { position: { before: "" } });
    expect(expressionsIn(back)).toEqual(["ssl", "not ssl"]);
    const end = await call("PATCH", `${RULES}/${first?.id}`, { position: { after: two[1]?.id } });
    expect(expressionsIn(end)).toEqual(["not ssl", "ssl"]);

    const left = await call("DELETE", `${RULES}/${two[1]?.id}`);
    expect(expressionsIn(left)).toEqual(["ssl"]);
    const put = await call("PUT", RULES, [{ ...SSL, expression: "true" }, SSL]);
    expect(rulesIn(put)).toMatchObject([{ expression: "true" }, { id: first?.id, version: "1" }]);
    expect(rulesIn(await call("GET", RULES))).toEqual(put.result);
    expect(rulesIn(await call("PUT", RULES, []))).toEqual([]);
    expect(rulesIn(await call("GET", RULES))).toEqual([]);
  }));

test("[RULES-1] what was read can be sent back, and changes nothing", () =>
  withApi("again", async ({ call, registry }) => {
    await call("POST", RULES, SSL);
    const read = await call("POST", RULES, { ...SSL, expression: "not ssl" });
    const before = await registry.definitions(null);
    const again = await call("PUT", RULES, read.result);
    expect(again.result).toEqual(read.result);
    expect(again.headers.get("ETag")).toBe(read.headers.get("ETag"));
    expect((await registry.definitions(null))?.version).toBe(before?.version);
    // A provider that knows no ids sends none.
    const bare = rulesIn(read).map(({ action, expression }) => ({ action, expression }));
    expect((await call("PUT", RULES, bare)).result).toEqual(read.result);
  }));

test("[RULES-2] every problem is told at once, with its pointer, and nothing changes", () =>
  withApi("problems", async ({ call }) => {
    const [standing] = rulesIn(await call("POST", RULES, SSL));
    const refused = await call("PUT", RULES, [
      { action: "block", expression: "ssl" },
      { action: ACTION, expression: 'http.host eq "a" nad ssl', enabled: "yes" },
      { action: ACTION, expression: "ssl", description: "d".repeat(1_025), status: "enabled" },
      { action: ACTION },
    ]);
    expect(refused).toMatchObject({ status: 400, success: false, result: null });
    const told = refused.errors.map(({ code, source, message }) => [
      code,
      source?.pointer,
      message,
    ]);
    expect(told).toEqual([
      [48003, "/0/action", expect.stringContaining('"bypass_waiting_room"')],
      [
        48003,
        "/1/expression",
        expect.stringMatching(/column 18: expected and, or, xor.*found nad/),
      ],
      [48003, "/1/enabled", expect.stringContaining("true or false")],
      [48003, "/2/description", expect.stringContaining("1024 characters")],
      [48003, "/2/status", expect.stringContaining("misspelt")],
      [48003, "/3/expression", expect.stringContaining("required")],
    ]);
    expect(rulesIn(await call("GET", RULES))).toEqual([standing]);
  }));

test.each<[string, unknown, string, RegExp]>([
  ["POST", { ...SSL, position: { index: 0 } }, "/position/index", /from 1 to 100/],
  ["POST", { ...SSL, position: { index: 3 } }, "/position", /no place/],
  ["POST", { ...SSL, position: {} }, "/position", /one of/],
  ["POST", { ...SSL, position: { index: 1, after: "" } }, "/position", /one of/],
  ["POST", { ...SSL, position: { before: "x" } }, "/position/before", /id of a rule, or empty/],
  ["POST", { ...SSL, position: { after: "f".repeat(32) } }, "/position", /no place/],
  ["POST", [SSL], "", /must be an object/],
  ["PUT", SSL, "", /must be a list/],
  ["PUT", Array.from({ length: 101 }, () => SSL), "", /at most 100/],
  ["PUT", [{ ...SSL, id: "f" }], "/0/id", /32 hexadecimal/],
])("[RULES-2] %s %j: %s", (method, body, pointer, message) =>
  withApi(`refused ${method} ${JSON.stringify(body).slice(0, 90)}`, async ({ call }) => {
    await call("POST", RULES, SSL);
    const refused = await call(method, RULES, body);
    expect(refused.status).toBe(400);
    expect(refused.errors).toMatchObject([
      { source: { pointer }, message: expect.stringMatching(message) as string },
    ]);
  }),
);

test("[RULES-3] a room, rule or call that is not there says so", () =>
  withApi("missing", async ({ call }) => {
    for (const answer of [
      await call("GET", `${ROOMS}/nobody/rules`),
      await call("POST", `${ROOMS}/nobody/rules`, SSL),
      await call("PATCH", `${RULES}/${"0".repeat(32)}`, { enabled: false }),
      await call("DELETE", `${RULES}/nope`),
    ])
      expect(answer).toMatchObject({ status: 404, errors: [{ code: 48001 }] });
    const wrong = await call("PATCH", RULES, {});
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("Allow")).toBe("GET, POST, PUT");
    const one = await call("GET", `${RULES}/${"0".repeat(32)}`);
    expect(one.status).toBe(405);
    expect(one.headers.get("Allow")).toBe("PATCH, DELETE");
  }));

test("[RULES-4] a change with If-Match of an older list is refused", () =>
  withApi("etag", async ({ call }) => {
    const none = (await call("GET", RULES)).headers.get("ETag") ?? "";
    const made = await call("POST", RULES, SSL, { "If-Match": none });
    expect(made.status).toBe(200);
    const again = await call("POST", RULES, SSL, { "If-Match": none });
    expect(again).toMatchObject({ status: 412, errors: [{ code: 48008 }] });
    expect(again.errors[0]?.message).toBe("Somebody else changed the rules. Read again.");
    const standing = made.headers.get("ETag") ?? "";
    expect((await call("GET", RULES, undefined, { "If-None-Match": standing })).status).toBe(304);
    expect((await call("GET", RULES, undefined, { "If-None-Match": none })).status).toBe(200);
    const [rule] = rulesIn(made);
    const edited = await call(
      "PATCH",
      `${RULES}/${rule?.id}`,
      { enabled: false },
      { "If-Match": standing },
    );
    expect(edited.status).toBe(200);
    expect((await call("PUT", RULES, [], { "If-Match": standing })).status).toBe(412);
    expect((await call("PUT", RULES, [], { "If-Match": '"x"' })).status).toBe(412);
    expect((await call("PUT", RULES, [], { "If-Match": "*" })).status).toBe(200);
  }));

test("[RULES-5] changes at the same moment all succeed", () =>
  withApi("together", async ({ call }) => {
    const all = Array.from({ length: 20 }, (_, index) => `ip.src.asnum eq ${index}`);
    await Promise.all(all.map((expression) => call("POST", RULES, { ...SSL, expression })));
    expect(expressionsIn(await call("GET", RULES)).toSorted()).toEqual(all.toSorted());
  }));

test("[RULES-6] the rules stay when their room is changed, renamed, deleted and restored", () =>
  withApi("room", async ({ call, registry, restart, rooms }) => {
    const made = await call("POST", RULES, SSL);
    const told = rooms.told.length;
    await call("PATCH", RULES.replace("/rules", ""), { total_active_users: 7, name: "boutique" });
    await call("PUT", `${ROOMS}/boutique`, room("boutique"));
    expect((await call("GET", `${ROOMS}/boutique/rules`)).result).toEqual(made.result);
    const [definition] = (await registry.definitions(null))?.rooms ?? [];
    expect(definition?.rules?.list).toHaveLength(1);
    expect(rooms.told.length).toBe(told + 2);
    await registry.remove(definition!.id);
    expect((await restart().restore("boutique")).ok).toBe(true);
    const restored = (await restart().definitions(null))?.rooms;
    expect(restored?.[0]?.rules).toEqual(definition?.rules);
  }));

test("[RULES-6] a room that an older version stored has none", () =>
  withApi("older", async ({ call, state, restart }) => {
    const [row] = state.storage.sql.exec<{ definition: string }>("SELECT definition FROM rooms");
    expect(JSON.parse(row?.definition ?? "{}")).not.toHaveProperty("rules");
    expect((await restart().definitions(null))?.rooms[0]?.rules).toBeUndefined();
    expect(rulesIn(await call("PUT", RULES, []))).toEqual([]);
  }));

test("[RULES-7] the log says which rules changed, and not what they say", () =>
  withApi("log", async ({ call, log }) => {
    const secret = { ...SSL, expression: 'http.request.headers["x-key"][0] eq "hunter2"' };
    const [rule] = rulesIn(await call("POST", RULES, secret));
    await call("PATCH", `${RULES}/${rule?.id}`, { enabled: false });
    await call("PATCH", `${RULES}/${rule?.id}`, { enabled: false });
    const lines = log.filter(({ action }) => action === "rules-changed");
    const short = rule?.id.slice(0, 8) ?? "";
    expect(lines).toMatchObject([
      { room: "shop", changes: { rules: [0, 1], [short]: [null, "version 1, on"] } },
      { room: "shop", changes: { [short]: ["version 1, on", "version 2, off"] } },
    ]);
    expect(Object.keys(lines[1]?.changes ?? {})).toEqual([short]);
    expect(JSON.stringify(log)).not.toContain("hunter2");
  }));

test("[RULES-7] a change of a hundred rules is one line that is read to its end", () =>
  withApi("long log", async ({ call, log }) => {
    const all = Array.from({ length: 100 }, (_, n) => ({
      ...SSL,
      expression: `ip.src.asnum eq ${n}`,
    }));
    await call("PUT", RULES, all);
    const made = rulesIn(await call("GET", RULES));
    await call("PUT", RULES, made.toReversed());
    const [first, second] = log.filter(({ action }) => action === "rules-changed");
    expect(JSON.stringify(first).length).toBeLessThan(2_000);
    expect(first).toMatchObject({ changes: { rules: [0, 100] }, more: 77 });
    expect(second?.changes).toEqual({ order: [null, "changed"] });
  }));

test("[RULES-8] where no edge says it, a message names the fields that nobody can answer", () =>
  withApi(
    "edge",
    async ({ call }) => {
      const asks = 'ip.src.country eq "JP" or cf.client.bot or ip.src.country eq "US"';
      const made = await call("PUT", RULES, [SSL, { ...SSL, expression: asks }]);
      expect(made.messages).toMatchObject([
        {
          code: 48102,
          message: expect.stringContaining("ip.src.country, cf.client.bot: known on") as string,
          source: { pointer: "/1/expression" },
        },
      ]);
    },
    { LOCAL: "1" },
  ));

test("[RULES-8] on the edge nothing is said", () =>
  withApi("on the edge", async ({ call }) => {
    const made = await call("POST", RULES, { ...SSL, expression: "cf.client.bot" });
    expect(made.messages).toEqual([]);
  }));
