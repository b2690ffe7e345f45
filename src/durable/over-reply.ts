import type { OpReply } from "../core/room/commands.ts";
import type { VisitReply } from "./contract.ts";

/** The answer about a visit that is over: how it ended, where the Room's reply says so. */
export const overReply = (reply: OpReply): VisitReply =>
  reply.kind === "ended" && reply.end !== undefined
    ? { kind: "ended", end: reply.end }
    : { kind: "ended" };
