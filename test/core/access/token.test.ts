import { expect, test } from "vitest";
import { allows, ADMINISTRATOR, SCOPES, type Operator } from "../../../src/core/access/scopes.ts";
import {
  beyondMaker,
  coversToken,
  hasExpired,
  holderOf,
  isTokenText,
  type OperatorToken,
} from "../../../src/core/access/token.ts";
import { parseRoomId, type RoomId } from "../../../src/core/ids.ts";
import { instant } from "../../../src/core/time.ts";

const idOf = (digit: string): RoomId => parseRoomId(digit.repeat(32)) as RoomId;
const [A, B] = [idOf("a"), idOf("b")];

const token = (more: Partial<OperatorToken> = {}): OperatorToken => ({
  id: "1".repeat(32),
  name: "till",
  scope: "operate",
  rooms: null,
  expiresAt: null,
  madeAt: instant(0),
  madeBy: "ADMIN_TOKEN",
  hash: "0".repeat(64),
  ...more,
});
const operator = (more: Partial<OperatorToken> = {}): Operator => holderOf(token(more));

test("[ACCESS-1] each scope includes those before it, and none after it", () => {
  const table = SCOPES.map((scope) =>
    SCOPES.map((needed) => allows(operator({ scope }), needed, A)),
  );
  expect(table).toEqual([
    [true, false, false],
    [true, true, false],
    [true, true, true],
  ]);
  expect(SCOPES.every((needed) => allows(ADMINISTRATOR, needed, null))).toBe(true);
});

test("[ACCESS-4] rooms limit every scope; what belongs to no room is for those with all", () => {
  const limited = operator({ scope: "admin", rooms: [A] });
  expect([A, B, null].map((room) => allows(limited, "read", room))).toEqual([true, false, false]);
  expect([A, B, null].map((room) => allows(limited, "admin", room))).toEqual([true, false, false]);
});

test("[ACCESS-8] nobody makes a token of more scope, rooms or time than its own", () => {
  const of = (maker: Partial<OperatorToken>, made: Partial<OperatorToken>) =>
    beyondMaker(operator(maker), token(made));
  expect(beyondMaker(ADMINISTRATOR, token({ scope: "admin" }))).toEqual([]);
  expect(of({ scope: "read" }, { scope: "operate" })).toEqual(["scope"]);
  expect(of({ rooms: [A] }, { rooms: null })).toEqual(["rooms"]);
  expect(of({ rooms: [A] }, { rooms: [A, B] })).toEqual(["rooms"]);
  expect(of({ rooms: [A, B] }, { rooms: [B] })).toEqual([]);
  expect(of({ expiresAt: instant(5) }, {})).toEqual(["expiresAt"]);
  expect(of({ expiresAt: instant(5) }, { expiresAt: instant(6) })).toEqual(["expiresAt"]);
  expect(of({ expiresAt: instant(5) }, { expiresAt: instant(5) })).toEqual([]);
  expect(of({ scope: "read", rooms: [A], expiresAt: instant(5) }, {})).toEqual([
    "scope",
    "rooms",
    "expiresAt",
  ]);
});

test("[ACCESS-8] a token for other rooms, or for all, is not seen by one for some", () => {
  const limited = operator({ rooms: [A] });
  const seen = [[A], [B], [A, B], null].map((rooms) => coversToken(limited, { rooms }));
  expect(seen).toEqual([true, false, false, false]);
});

test("[ACCESS-6] a token has expired at its end, not before; without one never", () => {
  const ends = token({ expiresAt: instant(1_000) });
  expect(hasExpired(ends, instant(999))).toBe(false);
  expect(hasExpired(ends, instant(1_000))).toBe(true);
  expect(hasExpired(token(), instant(1e15))).toBe(false);
});

test("[ACCESS-6] what is not srk_ and 43 characters is no token that was made", () => {
  const good = `srk_${"A".repeat(43)}`;
  const texts = [good, `${good}A`, good.slice(1), `srk_${"A".repeat(42)}`, `srk_${"+".repeat(43)}`];
  expect(texts.map(isTokenText)).toEqual([true, false, false, false, false]);
});
