import type { Op } from "../../../src/core/room/commands.ts";
import type { Plain, PlainNumber, PlainReply } from "./plain-numbers.ts";
import { limitsOfStarts } from "./plain-ring.ts";
import type { PlainRoom } from "./plain-room.ts";

/** What an op is answered with; a function is asked when the step is done. */
export type PlainAnswer = PlainReply | (() => PlainReply);
type OpOf<Kind extends Op["op"]> = Plain<Extract<Op, { op: Kind }>>;

const ENDED: PlainReply = { kind: "ended" };

/** Does what an op asks, and says how it must be answered. */
export const performOp = (room: PlainRoom, op: Plain<Op>, lobby: number): PlainAnswer => {
  switch (op.op) {
    case "request":
      return request(room, op, lobby);
    case "withdraw":
      return withdraw(room, op.number);
    case "moment":
      return moment(room, op.holdMs);
    case "baton":
      return baton(room, op.from, op.to);
    case "join":
      return join(room, lobby, op.address);
    case "rejoin":
      return back(room, op);
    case "leave":
      leave(room, op.number);
      return { kind: "done" };
    case "claim":
      return claim(room, op.number);
    case "enter":
      return enter(room, lobby, op.transient);
    case "renew":
      return renew(room, op.visit);
    case "peek":
      return room.visitReply(room.find(op.visit), false);
    case "end":
      return finish(room, op.visit, op.afterMs) ? { kind: "done" } : ENDED;
    default:
      return op satisfies never;
  }
};

const request = (
  room: PlainRoom,
  { ticket, holdMs, address }: OpOf<"request">,
  lobby: number,
): PlainAnswer => {
  const { now, limits } = room;
  const called = ticket === null ? null : room.find(ticket.number);
  if (called?.standing === "called") return claimCalled(room, called);
  const known = ticket === null ? null : inHand(room, ticket);
  if (known === null && isBeyondReturn(room)) return refused(room, "line-full", 30_000);
  let one = known;
  if (known === null || limits.closed !== null) {
    const joined = take(room, lobby, address);
    if ("kind" in joined) return joined;
    one = joined;
  }
  if (one === null) throw new Error("it has a number by now");
  one.promisedAt = null;
  one.standing = "present";
  const startAt = room.startAtOf(one.number);
  const asked = one;
  if (room.mayCall && startAt > now + holdMs) {
    asked.standing = "away";
    asked.isAttended = false;
    asked.promisedAt = startAt;
    return () => notYet(room, asked, startAt);
  }
  asked.isAttended = true;
  return () =>
    asked.standing === "visiting" ? room.visitReply(asked, true) : placeReply(room, asked);
};

/** The number of a ticket, if it still stands: whoever is in line, and who was gone only briefly. */
const inHand = (
  room: PlainRoom,
  { number, heardAt }: NonNullable<OpOf<"request">["ticket"]>,
): PlainNumber | null => {
  const one = room.find(number);
  if (one === null || one.standing === "spent" || one.standing === "visiting") return null;
  if (one.standing === "present" || room.now < heardAt + room.limits.returnWindowMs) return one;
  room.spend(one);
  return null;
};

/** Those who were sent away have all the starts until a new ticket would be good no more. */
const isBeyondReturn = (room: PlainRoom): boolean =>
  room.mayCall &&
  room.numbers.some(({ promisedAt }) => promisedAt !== null) &&
  room.startAtOf(room.numbers.length + 1) >= room.now + room.limits.returnWindowMs;

const notYet = (room: PlainRoom, one: PlainNumber | null, retryAt: number): PlainReply => {
  const place = room.placeOf(one);
  return place === null ? ENDED : { kind: "not-yet", place, retryAt };
};

const placeReply = (room: PlainRoom, one: PlainNumber | null): PlainReply => {
  const place = room.placeOf(one);
  return place === null ? ENDED : { kind: "place", place };
};

const withdraw = (room: PlainRoom, number: number): PlainAnswer => {
  const one = room.find(number);
  if (one?.standing === "visiting") return room.visitReply(one, false);
  if (one?.standing === "called") {
    room.calls.giveBack(one.calledAt);
    one.standing = "away";
  }
  if (one !== null) one.isAttended = false;
  room.disappears(one);
  const startAt = room.startAtOf(number);
  const turnIn = room.turnInSeconds(number);
  if (turnIn !== null && one !== null && one.standing !== "spent") {
    const comesAt = Math.max(startAt, room.now + turnIn * 1_000);
    one.promisedAt = comesAt;
    return () => notYet(room, room.find(number), comesAt);
  }
  const retryAt = startAt > room.now ? startAt : room.now + 1_000;
  return () => notYet(room, room.find(number), retryAt);
};

const moment = ({ schedule, now }: PlainRoom, holdMs: number): PlainReply => {
  if (schedule === null) return { kind: "start", startAt: now, left: null };
  const { at, inTime } = schedule.take(now, now + holdMs);
  if (!inTime) return { kind: "later", retryAt: at };
  return { kind: "start", startAt: at, left: schedule.left(at) };
};

type Refusal = Extract<PlainReply, { kind: "refused" }>["refusal"];
const refused = (room: PlainRoom, refusal: Refusal, retryAfterMs: number): PlainReply => {
  room.count("refused");
  return { kind: "refused", refusal, retryAfterMs };
};

/** Takes a new number, or says why not. */
const take = (room: PlainRoom, lobby: number, address: string | null): PlainNumber | PlainReply => {
  const { suspended, closed, lineMax, joinsPerAddressPerMinuteMax: most } = room.limits;
  if (suspended) return refused(room, "room-suspended", 0);
  if (closed !== null) return refused(room, "room-closed", 30_000);
  if (room.of("present", "unconfirmed").length >= lineMax)
    return refused(room, "line-full", 30_000);
  if (most !== null && address !== null) {
    const minute = room.addresses.get(address);
    if (minute === undefined || room.now >= minute.until) {
      room.addresses.set(address, { until: room.now + 60_000, joins: 1 });
    } else if (minute.joins >= most) {
      return refused(room, "too-many-joins", Math.max(1_000, minute.until - room.now));
    } else minute.joins += 1;
  }
  return room.issue(lobby, "present");
};

/** In a room of requests nobody is there but whose request waits. */
const join = (room: PlainRoom, lobby: number, address: string | null): PlainAnswer => {
  const taken = take(room, lobby, address);
  if ("kind" in taken) return taken;
  if (room.limits.permit === "request") taken.standing = "away";
  return () => placeReply(room, taken);
};

const back = (room: PlainRoom, { number, heardAt, exact }: OpOf<"rejoin">): PlainAnswer => {
  const one = room.find(number);
  const stands = one !== null && ["called", "visiting", "present"].includes(one.standing);
  const windowMs = room.limits.returnWindowMs * (exact ? 1 : 1.25);
  if (!stands && room.now >= heardAt + windowMs) {
    if (one !== null) room.spend(one);
    return ENDED;
  }
  if (!stands && room.limits.permit === "visit" && !room.appears(one)) return ENDED;
  return () => placeReply(room, room.find(number));
};

const leave = (room: PlainRoom, number: number): void => {
  const one = room.find(number);
  if (one === null || one.standing === "visiting") return;
  if (one.standing === "called") {
    room.calls.giveBack(one.calledAt);
    room.count("missed");
  }
  room.spend(one);
};

const claim = (room: PlainRoom, number: number): PlainAnswer => {
  const one = room.find(number);
  if (one?.standing === "called") return claimCalled(room, one);
  if (one?.standing === "visiting") return renew(room, number);
  if (room.limits.permit === "visit" && !room.appears(one)) return ENDED;
  return () => {
    const retryAt = room.find(number)?.standing === "called" ? room.now : room.now + 2_000;
    return notYet(room, room.find(number), retryAt);
  };
};

const claimCalled = (room: PlainRoom, one: PlainNumber): PlainAnswer => {
  if (room.limits.paused) return claimLater(room, one, room.now + 5_000);
  if (room.startsRoom === 0) {
    return claimLater(room, one, room.starts.nextAt(limitsOfStarts(room.limits), room.now));
  }
  room.starts.add(room.now);
  room.begin(one, false);
  room.count("entriesByUsher");
  return room.visitReply(one, true);
};

const claimLater = (room: PlainRoom, one: PlainNumber, retryAt: number): PlainAnswer => {
  one.claimBy = Math.max(one.claimBy, retryAt + room.limits.claimWithinMs);
  return notYet(room, one, retryAt);
};

const enter = (room: PlainRoom, lobby: number, isTransient: boolean): PlainAnswer => {
  if (room.mode !== "open") return { kind: "queue" };
  room.countStart();
  const one = room.issue(lobby, "spent");
  room.begin(one, isTransient);
  if (!isTransient) one.provisionalUntil = room.now + room.limits.claimWithinMs;
  room.count("entriesByDoor");
  return room.visitReply(one, true);
};

const renew = (room: PlainRoom, number: number): PlainReply => {
  const one = room.find(number);
  if (one?.standing !== "visiting") return ENDED;
  room.renew(one);
  return room.visitReply(one, false);
};

/** The lobby has let `to` go on under the permit of `from`. */
const baton = (room: PlainRoom, from: number, to: number): PlainAnswer => {
  const [giver, taker] = [room.find(from), room.find(to)];
  const gives = giver?.standing === "visiting";
  if (taker?.standing === "visiting") {
    if (gives) room.endVisit(giver, "finished");
    return room.visitReply(taker, false);
  }
  if (!gives) {
    if (taker?.standing === "called") return claimCalled(room, taker);
    if (taker !== null) room.spend(taker);
    return ENDED;
  }
  if (taker === null || taker.standing === "spent") {
    room.endVisit(giver, "finished");
    return ENDED;
  }
  if (taker.standing === "called") room.calls.giveBack(taker.calledAt);
  room.lasts(giver);
  giver.standing = "spent";
  room.count("finished");
  room.countStart();
  room.begin(taker, false);
  room.count("entriesByUsher");
  return room.visitReply(taker, true);
};

/** True if the visit lived. */
export const finish = (room: PlainRoom, number: number, afterMs: number): boolean => {
  const one = room.find(number);
  if (one?.standing !== "visiting") return false;
  const endsAt = room.now + afterMs;
  if (afterMs <= 0) room.endVisit(one, "finished");
  else if (one.endsAt === null || endsAt < one.endsAt) {
    one.endsAt = endsAt;
    one.isReleased = true;
  }
  return true;
};
