/**
 * The rules of a room that let requests pass it by, at `…/waiting_rooms/{room}/rules`. Each call
 * answers the whole list, in order.
 */
import { Hono, type Context } from "hono";
import { differencesOf } from "../../core/differences.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import { hex } from "../../core/hex.ts";
import type { RulesChange } from "../../core/rules/rule-list.ts";
import { instant } from "../../core/time.ts";
import {
  ApiRefusal,
  ERROR_CODES,
  refusedFields,
  succeeded,
  type EnvelopeNote,
} from "../../api/envelope.ts";
import { edgeFieldsOf, ruleResource } from "../../api/rules/resource.ts";
import {
  readNewRule,
  readRuleEdit,
  readRuleList,
  type RuleReading,
} from "../../api/rules/schema.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { askedRoom, needs } from "../sign-in/needs.ts";
import { authorOf, tellChange } from "./audit.ts";
import { etagAt, isKnown, readAtOf } from "./entity-tags.ts";
import { findRoom } from "./rooms.ts";

type C = Context<AppContext>;
/** Reads a body of JSON, or throws a refusal. */
type JsonReader = (c: C) => Promise<unknown>;

/** Mounted below the sign-in and the errors of the management API. */
export const rulesApp = (jsonOf: JsonReader): Hono<AppContext> => {
  const app = new Hono<AppContext>();
  const rules = "/:room/rules";

  app.get(rules, needs("read"), async (c) => {
    const room = await findRoom(c.env, askedRoom(c));
    const etag = etagOf(room);
    if (!isKnown(c, etag)) return answer(c, room);
    c.header("ETag", etag);
    return c.body(null, 304);
  });

  app.post(rules, needs("operate"), async (c) => {
    const { settings, position } = valid(readNewRule(await jsonOf(c)));
    return answer(c, await change(c, { do: "add", id: newId(), settings, position }));
  });

  app.put(rules, needs("operate"), async (c) => {
    const given = valid(readRuleList(await jsonOf(c)));
    const list = given.map((rule) => ({ ...rule, newId: newId() }));
    return answer(c, await change(c, { do: "replace", rules: list }));
  });

  app.patch(`${rules}/:rule`, needs("operate"), async (c) => {
    const { settings, position } = valid(readRuleEdit(await jsonOf(c)));
    const id = c.req.param("rule");
    return answer(c, await change(c, { do: "edit", id, settings, position }));
  });

  app.delete(`${rules}/:rule`, needs("operate"), async (c) =>
    answer(c, await change(c, { do: "remove", id: c.req.param("rule") })),
  );
  return app;
};

const newId = (): string => hex(crypto.getRandomValues(new Uint8Array(16)));

const answer = (c: C, room: RoomDefinition): Response => {
  c.header("ETag", etagOf(room));
  const list = room.rules?.list ?? [];
  return c.json(succeeded(list.map(ruleResource), notesOn(c, room)));
};

const change = async (c: C, rules: RulesChange): Promise<RoomDefinition> => {
  const registry = c.env.REGISTRY.getByName("registry");
  const reply = await registry.changeRules(
    askedRoom(c),
    rules,
    readAtOf(c, "these rules"),
    authorOf(c),
  );
  if (!reply.ok) {
    const { problem } = reply;
    if (problem.code === "invalid") throw refusedFields(problem.problems, "The rules");
    throw new ApiRefusal(problem.code, problem.detail);
  }
  const { value, before } = reply;
  if (before !== undefined && etagOf(before) !== etagOf(value)) tell(c, before, value);
  return value;
};

/** Expressions may hold secrets of headers: the log says which rules changed, and not what they say. */
const tell = (c: C, before: RoomDefinition, after: RoomDefinition) => {
  const { changes, more } = differencesOf(outlineOf(before), outlineOf(after));
  tellChange(c, {
    action: "rules-changed",
    room: after.name,
    changes: { ...changes, ...(isReordered(before, after) ? { order: [null, "changed"] } : {}) },
    ...(more === 0 ? {} : { more }),
  });
};

/** By as much of each id as tells a hundred apart, so that the line stays one that is read. */
const outlineOf = ({ rules }: RoomDefinition): object => ({
  rules: rules?.list.length ?? 0,
  ...Object.fromEntries(
    (rules?.list ?? []).map(({ id, version, enabled }) => [
      id.slice(0, 8),
      `version ${version}, ${enabled ? "on" : "off"}`,
    ]),
  ),
});

/** Do rules that were there and still are stand in another order? */
const isReordered = (before: RoomDefinition, after: RoomDefinition): boolean => {
  const [old, now] = [before, after].map(({ rules }) => (rules?.list ?? []).map(({ id }) => id));
  const stayed = old?.filter((id) => now?.includes(id)) ?? [];
  const common = now?.filter((id) => old?.includes(id)) ?? [];
  return stayed.join() !== common.join();
};

const valid = <T>(reading: RuleReading<T>): T => {
  if (!reading.ok) throw refusedFields(reading.problems, "The rules");
  return reading.value;
};

/** What an expression asks and nobody here can answer is said. */
const notesOn = ({ env }: C, { rules }: RoomDefinition): readonly EnvelopeNote[] => {
  if (env.LOCAL !== "1") return [];
  return (rules?.list ?? []).flatMap((rule, index) => {
    const fields = edgeFieldsOf(rule);
    if (fields.length === 0) return [];
    const message =
      `${fields.join(", ")}: known on Cloudflare's edge only. Here no test of it ever holds, ` +
      "so a not before one always does.";
    return [
      { code: ERROR_CODES["edge-only"], message, source: { pointer: `/${index}/expression` } },
    ];
  });
};

/** The list's version: every change moves its time. */
const etagOf = ({ rules }: RoomDefinition): string => etagAt(rules?.changedAt ?? instant(0));
