import type { Op, OpReply } from "../../../src/core/room/commands.ts";
import type { Minutes, NaiveNumber, NaiveRoom } from "./naive-room.ts";

export type Expected = Partial<
  Record<"kind" | "refusal" | "state" | "number" | "isNew" | "ahead", unknown>
>;
/** What an op must be answered with; a function is asked when the step is done. */
export type Expectation = Expected | (() => Expected);

/** Does what an op asks, and says how it must be answered. */
export const performOp = (room: NaiveRoom, op: Op, lobby: number): Expectation => {
  switch (op.op) {
    case "join":
      return join(room, lobby, op);
    case "rejoin":
      return back(room, op);
    case "leave":
      leave(room, op.number);
      return { kind: "done" };
    case "claim":
      return claim(room, op);
    case "enter":
      return enter(room, lobby, op);
    case "renew":
      return renew(room, op.visit);
    case "peek":
      return visitReply(room, op.visit);
    case "end":
      return { kind: finish(room, op.visit, op.afterMs) === true ? "done" : "ended" };
    default:
      throw new Error(`no rule for ${op.op} here`);
  }
};

type OpOf<Name extends Op["op"]> = Extract<Op, { op: Name }>;

/** The visit of this visitor, if there is one. */
const visitBy = (room: NaiveRoom, visitor: string | null = null): NaiveNumber | null =>
  room.of("visiting").find((one) => visitor !== null && one.visitor === visitor) ?? null;

const join = (room: NaiveRoom, lobby: number, { address, visitor }: OpOf<"join">): Expectation => {
  const visit = visitBy(room, visitor);
  if (visit !== null) return () => place(room, visit.number);
  const refusal = joinRefusal(room, address);
  if (refusal !== null) return { kind: "refused", refusal };
  const { number } = room.issue(lobby, "present");
  return () => place(room, number);
};

const joinRefusal = (room: NaiveRoom, address: string | null): string | null => {
  const { suspended, closed, lineMax } = room.limits;
  if (suspended) return "room-suspended";
  if (closed !== null) return "room-closed";
  if (room.of("present", "unconfirmed").length >= lineMax) return "line-full";
  return addressRefusal(room, room.addresses, address);
};

const addressRefusal = (room: NaiveRoom, minutes: Minutes, address: string | null) => {
  const most = room.limits.joinsPerAddressPerMinuteMax;
  if (most === null || address === null) return null;
  const minute = minutes.get(address);
  if (minute === undefined || room.now >= minute.until) {
    minutes.set(address, { until: room.now + 60_000, joins: 1 });
    return null;
  }
  if (minute.joins >= most) return "too-many-joins";
  minute.joins += 1;
  return null;
};

const place = (room: NaiveRoom, number: number): Expected => {
  const one = room.find(number);
  if (one === null || one.standing === "spent") return { kind: "ended" };
  const state = { present: "waiting", unconfirmed: "away" }[one.standing as string] ?? one.standing;
  const inLine = state === "waiting" || state === "away";
  return { kind: "place", number, state, ahead: inLine ? room.ahead(number) : 0 };
};

const back = (room: NaiveRoom, { number, heardAt, exact }: OpOf<"rejoin">): Expectation => {
  const one = room.find(number);
  if (one === null) return { kind: "ended" };
  const stands = comesBack(room, one, heardAt, exact);
  if (!stands && !room.heard(one)) return { kind: "ended" };
  return () => place(room, number);
};

/** True if it stands where no window counts; away too long it is spent. */
const comesBack = (room: NaiveRoom, one: NaiveNumber, heardAt: number, exact: boolean): boolean => {
  const stands = ["called", "visiting", "present"].includes(one.standing);
  const window = room.limits.returnWindowMs * (exact ? 1 : 1.25);
  if (!stands && room.now >= heardAt + window) one.standing = "spent";
  return stands;
};

const leave = (room: NaiveRoom, number: number): void => {
  const one = room.find(number);
  if (one === null || one.standing === "visiting") return;
  if (one.standing === "called") {
    room.calls.giveBack(one.calledAt);
    room.count("missed");
  }
  one.standing = "spent";
};

const claim = (
  room: NaiveRoom,
  { number, visitor, heardAt, exact }: OpOf<"claim">,
): Expectation => {
  const visit = visitBy(room, visitor);
  if (visit !== null && visit.number !== number) {
    leave(room, number);
    return renew(room, visit.number);
  }
  const one = room.find(number);
  if (one?.standing === "visiting") return renew(room, number);
  if (one?.standing === "called") return claimCalled(room, one, visitor);
  if (one !== null && heardAt !== undefined) comesBack(room, one, heardAt, exact === true);
  if (!room.heard(one)) return { kind: "ended" };
  return () => {
    const stands = place(room, number);
    return stands.kind === "ended" ? stands : { ...stands, kind: "not-yet" };
  };
};

const startsRoom = (room: NaiveRoom): number => {
  return room.starts.room(room.limits, room.limits.ringGuardMs, room.now);
};

const claimCalled = (
  room: NaiveRoom,
  one: NaiveNumber,
  visitor: string | null = null,
): Expectation => {
  if (room.own.paused) return claimLater(room, one, room.now + 5_000);
  if (startsRoom(room) === 0) {
    let retryAt = room.now + 1;
    const { limits } = room;
    while (room.starts.room(limits, limits.ringGuardMs, retryAt) === 0) retryAt += 1;
    return claimLater(room, one, retryAt);
  }
  begin(room, one, false, visitor);
  return visitReply(room, one.number, true);
};

const claimLater = (room: NaiveRoom, one: NaiveNumber, retryAt: number): Expectation => {
  one.claimBy = Math.max(one.claimBy, retryAt + room.limits.claimWithinMs);
  return { kind: "not-yet", number: one.number, state: "called", ahead: 0 };
};

const begin = (
  room: NaiveRoom,
  one: NaiveNumber,
  transient: boolean,
  visitor: string | null,
): void => {
  const { now, limits } = room;
  one.visitor = visitor;
  one.standing = "visiting";
  one.transient = transient;
  one.endsAt = limits.visitMaxMs === null ? null : now + limits.visitMaxMs;
  one.leaseUntil = now + leaseMs(room, transient);
  one.passesUntil = Math.min(now + 300_000, one.leaseUntil, one.endsAt ?? Infinity);
  room.starts.add(now);
};

const leaseMs = (room: NaiveRoom, transient: boolean): number => {
  return transient ? Math.min(room.limits.leaseMs, 60_000) : room.limits.leaseMs;
};

export const visitReply = (room: NaiveRoom, number: number, isNew = false): Expected => {
  const isLive = room.find(number)?.standing === "visiting";
  return isLive ? { kind: "visit", number, isNew } : { kind: "ended" };
};

const enter = (room: NaiveRoom, lobby: number, op: OpOf<"enter">): Expectation => {
  const { transient, visitor = null, number = null, address = null } = op;
  const visit = visitBy(room, visitor);
  if (visit !== null) {
    if (number !== null && number !== visit.number) leave(room, number);
    return renew(room, visit.number);
  }
  const one = number === null ? null : room.find(number);
  if (one?.standing === "visiting") return renew(room, one.number);
  if (one?.standing === "called") return claimCalled(room, one, visitor);
  const { permitsMax, claimWithinMs } = room.limits;
  const provisional = room.of("visiting").filter((one) => one.provisionalUntil !== null).length;
  const isOpen =
    room.mayCall &&
    room.of("present", "unconfirmed").length === 0 &&
    room.free > 0 &&
    provisional < Math.max(1, Math.floor(permitsMax / 2)) &&
    startsRoom(room) > 0;
  if (!isOpen) return { kind: "queue" };
  const refusal = addressRefusal(room, transient ? room.answers : room.addresses, address);
  if (refusal !== null) return { kind: "refused", refusal };
  if (one !== null) one.standing = "spent";
  room.calls.add(room.now);
  const entered = room.issue(lobby, "visiting");
  begin(room, entered, transient, visitor);
  entered.provisionalUntil = transient ? null : room.now + claimWithinMs;
  room.count("entriesByDoor");
  return visitReply(room, entered.number, true);
};

const renew = (room: NaiveRoom, number: number): Expectation => {
  const one = room.find(number);
  if (one?.standing !== "visiting") return { kind: "ended" };
  one.provisionalUntil = null;
  if (room.limits.leaseRenews || one.transient) {
    one.leaseUntil = room.now + leaseMs(room, one.transient);
  }
  const pass = Math.min(room.now + 300_000, one.leaseUntil, one.endsAt ?? Infinity);
  one.passesUntil = Math.max(one.passesUntil, pass);
  return visitReply(room, number);
};

/** True if the visit lived. */
export const finish = (room: NaiveRoom, number: number, afterMs: number): boolean => {
  const one = room.find(number);
  if (one?.standing !== "visiting") return false;
  const endsAt = room.now + afterMs;
  if (afterMs <= 0) room.endVisit(one, "finished");
  else if (one.endsAt === null || endsAt < one.endsAt) {
    Object.assign(one, { endsAt, released: true });
  }
  return true;
};

/** The parts of a reply that the naive room foretells. */
export const essence = (reply: OpReply): Expected => {
  switch (reply.kind) {
    case "place":
    case "not-yet": {
      const { number, state, ahead } = reply.place;
      return { kind: reply.kind, number, state, ahead };
    }
    case "visit":
      return { kind: "visit", number: reply.visit.visit, isNew: reply.isNew };
    case "refused":
      return { kind: "refused", refusal: reply.refusal };
    default:
      return { kind: reply.kind };
  }
};
