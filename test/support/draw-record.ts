/** A draw as it should be: announced an hour before, with quicknet's round 1,000. */
import { roundAt, QUICKNET, type DrandRound } from "../../src/core/draw/drand-chain.ts";
import { outcomeOf, type DrawRecord, type PublicValue } from "../../src/core/draw/record.ts";
import { commitmentOf } from "../../src/core/draw/seed.ts";
import { hex } from "../../src/core/hex.ts";
import { ticketNumber } from "../../src/core/ids.ts";
import { after, instant } from "../../src/core/time.ts";
import { QUICKNET_1000 } from "./drand-rounds.ts";

export const SECRET = Uint8Array.from({ length: 32 }, (_, at) => 255 - at);
const dueAt = roundAt(QUICKNET, QUICKNET_1000.round);
const startsAt = after(dueAt, -6_000);

type Closed = DrawRecord & {
  readonly closed: NonNullable<DrawRecord["closed"]>;
  readonly drawn: null;
};

export const CLOSED: Closed = {
  room: "shop",
  event: "699d98642c564d2e855e9661899b7252",
  announced: {
    at: after(startsAt, -3_600_000),
    startsAt,
    commitment: commitmentOf(SECRET),
    publicValue: { from: "drand", chain: QUICKNET, round: QUICKNET_1000.round },
  },
  closed: { at: after(startsAt, 200), first: ticketNumber(101), last: ticketNumber(4_100) },
  drawn: null,
};

export const valueOf = ({ round, signature, previousSignature }: DrandRound): PublicValue => ({
  from: "drand",
  round,
  signature,
  previousSignature,
});

export const drawnWith = (
  value: PublicValue,
  closed: Closed = CLOSED,
  secret = SECRET,
): DrawRecord => ({
  ...closed,
  drawn: outcomeOf(closed.closed, hex(secret), value, instant(dueAt + 1_000)),
});

export const DRAWN = drawnWith(valueOf(QUICKNET_1000));
