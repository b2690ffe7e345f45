/** The help desk: one visitor, found by what its page shows, and what an operator does for it. */
import { Hono } from "hono";
import type { Context } from "hono";
import { parseVisitorChange, parseVisitorName, visitorResource } from "../../api/rooms/visitor.ts";
import type { Changes, FullDifferences } from "../../core/differences.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import {
  deskRefusal,
  type DeskAct,
  type DeskRefusal,
  type DeskReply,
} from "../../core/room/desk.ts";
import type { VisitorFound } from "../../core/room/desk-view.ts";
import { instant, MINUTE_MS } from "../../core/time.ts";
import type { DeskWho } from "../../durable/contract.ts";
import { fieldErrorsOf } from "../answers/own-problem.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { callObject } from "../isolate/call-object.ts";
import { findRoom } from "../isolate/deployment.ts";
import { askedRoom, needs } from "../sign-in/needs.ts";
import { audit, tellChange, type OperatorAct } from "./audit.ts";
import { jsonBody } from "./bodies.ts";
import { OperatorRefusal } from "./refusal.ts";
import { roomObject } from "../platform/room-object.ts";

type C = Context<AppContext>;

/** Mounted at `/.seiriken/api`, behind its sign-in. */
export const visitorRoutes = new Hono<AppContext>();

const PATH = "/rooms/:room/visitors/:visitor";
const BODY_BYTES_MAX = 1_024;

const REFUSALS = {
  ended: "visitor-ended",
  "no-time": "visitor-without-time",
  enough: "more-time-given",
  leaving: "visitor-leaving",
  visiting: "visitor-inside",
} as const satisfies Record<DeskRefusal, string>;

visitorRoutes.get(PATH, needs("read"), async (c) => {
  const room = roomOf(c);
  return answer(c, room, await find(c, room));
});

visitorRoutes.patch(PATH, needs("operate"), async (c) => {
  const room = roomOf(c);
  return answer(c, room, await help(c, room, await actOf(c)));
});

visitorRoutes.delete(PATH, needs("operate"), async (c) => {
  const room = roomOf(c);
  const { number } = await help(c, room, { act: "end" });
  c.var.isolate.views.sawEnd(room, number);
  return c.body(null, 204);
});

const roomOf = (c: C): RoomDefinition => {
  const room = findRoom(c.get("deployment"), askedRoom(c));
  if (room === null) throw new OperatorRefusal("room-not-found");
  return room;
};

const answer = (c: C, room: RoomDefinition, visitor: VisitorFound): Response =>
  c.json(visitorResource(room.name, visitor, instant(c.var.isolate.ports.now())));

const ask = (c: C, room: RoomDefinition, who: DeskWho, act: DeskAct): Promise<DeskReply> =>
  callObject(c.var.isolate.ports, () => roomObject(c.env, room).desk(who, act));

/** Eight digits may be a number or a reference: a number that was issued is what is meant. */
const find = async (c: C, room: RoomDefinition): Promise<VisitorFound> => {
  const named = parseVisitorName(c.req.param("visitor") ?? "");
  if (named === null) throw new OperatorRefusal("visitor-not-found");
  const whos: DeskWho[] = [];
  if (named.number !== null) whos.push({ number: named.number });
  if (named.reference !== null) whos.push({ reference: named.reference });
  for (const who of whos) {
    const reply = await ask(c, room, who, { act: "look" });
    if (reply.kind === "found") return reply.visitor;
  }
  throw new OperatorRefusal("visitor-not-found");
};

/** What can't be kept in the audit log is not done, and what would be refused is not kept. */
const help = async (c: C, room: RoomDefinition, act: DeskAct): Promise<VisitorFound> => {
  const before = await find(c, room);
  refuse(deskRefusal(before, act));
  if (act.act === "end" && before.state === "ended") return before;
  const told = actionOf(act, before);
  if (!isOnlySaidAgain(act, before)) await audit(c, { room, target: before.number, ...told });
  const reply = await ask(c, room, { number: before.number }, act);
  if (reply.kind !== "found") throw new OperatorRefusal("visitor-not-found");
  refuse(reply.refused);
  if (reply.isChanged) {
    const target = before.number;
    tellChange(c, { action: told.action, room: room.name, target });
  }
  return reply.visitor;
};

/** Somebody who stands in line and has missed no call: at most a call is told once more. */
const isOnlySaidAgain = ({ act }: DeskAct, { state, misses }: VisitorFound): boolean =>
  act === "call-again" && state !== "away" && misses === 0;

const refuse = (refusal: DeskRefusal | null): void => {
  if (refusal !== null) throw new OperatorRefusal(REFUSALS[refusal]);
};

const actionOf = (
  act: DeskAct,
  { state, misses, givenMs }: VisitorFound,
): Pick<OperatorAct, "action" | "differences"> => {
  switch (act.act) {
    case "more-time": {
      const [before, after] = [givenMs, givenMs + act.ms].map((ms) => Math.round(ms / MINUTE_MS));
      return {
        action: "visitor-given-time",
        differences: changed({ more_minutes_given: [before ?? 0, after ?? 0] }),
      };
    }
    case "call-again":
      return { action: "visitor-called-again", differences: changed({ misses: [misses, 0] }) };
    default:
      return { action: "visitor-ended", differences: changed({ state: [state, "ended"] }) };
  }
};

const changed = (changes: Changes): FullDifferences => ({ changes, leftOut: [] });

const actOf = async (c: C): Promise<DeskAct> => {
  const change = parseVisitorChange(await jsonBody(c, BODY_BYTES_MAX));
  if (change.ok) return change.act;
  throw new OperatorRefusal("visitor-change-invalid", { errors: fieldErrorsOf(change.problems) });
};
