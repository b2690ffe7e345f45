import { describe, expect, test } from "vitest";
import { lobbyIndex, ticketNumber } from "../../../src/core/ids.ts";
import { JoinsPerAddress } from "../../../src/core/room/addresses.ts";
import { instant } from "../../../src/core/time.ts";
import { JOIN, World } from "./world.ts";

describe("numbers", () => {
  test("[ISSUE-1] joins and entries take the next number, from 1 up", () => {
    const w = new World({ permitsMax: 3 });
    expect(w.entered().visit).toBe(1);
    expect(w.join()).toBe(2);
    expect(w.crowd(3)).toEqual([3, 4, 5]);
    expect(w.join({ lobby: lobbyIndex(7) })).toBe(6);
  });

  test("[ISSUE-2] after a crash numbers go on above all that were written", () => {
    const w = new World();
    w.crowd(3);
    w.crash();
    expect(w.join()).toBe(4);
    const w2 = new World();
    w2.entered();
    w2.crash();
    expect(w2.join()).toBe(2);
  });

  test("[ISSUE-2] a number whose answer was lost is not issued to anybody else", () => {
    const w = new World();
    const batch = w.compose([JOIN]);
    w.run({ type: "batch", batch });
    w.crash();
    expect(w.join({ lobby: lobbyIndex(1) })).toBe(2);
    expect(w.run({ type: "batch", batch }).replies).toMatchObject([{ place: { number: 1 } }]);
  });

  test("[ISSUE-3] the joins of one batch are written as one row", () => {
    const w = new World();
    w.crowd(500);
    expect(w.written("issue").map(({ run }) => run)).toEqual([{ first: 1, count: 500, lobby: 0 }]);
    w.batch([JOIN, JOIN, { op: "leave", number: ticketNumber(9) }, JOIN]);
    expect(w.written("issue").map(({ run }) => run.count)).toEqual([3]);
  });

  test("[ISSUE-3] a row covers no number that was given to somebody at the door", () => {
    const w = new World({ permitsMax: 4 });
    w.batch([
      JOIN,
      { op: "leave", number: ticketNumber(1) },
      { op: "enter", transient: false },
      JOIN,
    ]);
    expect(w.written("issue").map(({ run }) => [run.first, run.count])).toEqual([
      [1, 1],
      [3, 1],
    ]);
    w.crash();
    expect([w.standing(2), w.standing(3)]).toEqual(["visiting", "called"]);
  });

  test("[ISSUE-4] joining does not fail for lack of a permit, nor in a held room", () => {
    const w = new World({ permitsMax: 1 });
    expect(w.crowd(2_000)).toHaveLength(2_000);
    w.configure({ paused: true });
    expect(w.join()).toBe(2_001);
  });
});

describe("who may not join", () => {
  const refusal = (w: World) => {
    const reply = w.one(JOIN);
    return reply.kind === "refused" ? reply.refusal : reply.kind;
  };

  test("[ISSUE-5] at lineMax present numbers the line is full, and one less is not", () => {
    const w = new World({ permitsMax: 1, lineMax: 3 });
    w.join();
    w.crowd(2);
    expect(refusal(w)).toBe("place");
    expect(refusal(w)).toBe("line-full");
    w.away(3);
    expect(refusal(w)).toBe("place");
    expect(w.state.line.issued).toBe(5);
  });

  test("[ISSUE-5] while the room settles, those who may be present count too", () => {
    const w = new World({ permitsMax: 1, lineMax: 3 });
    w.crowd(1);
    w.crowd(3);
    w.crash();
    expect(refusal(w)).toBe("line-full");
  });

  test("[ISSUE-6] an address joins so often in a minute that begins with its first join", () => {
    const w = new World({ joinsPerAddressPerMinuteMax: 2 });
    const from = (address: string | null) => w.one({ op: "join", address });
    from("a");
    w.now += 30_000;
    expect(from("a")).toMatchObject({ kind: "place" });
    w.now += 29_999;
    expect(from("a")).toMatchObject({ refusal: "too-many-joins", retryAfterMs: 1_000 });
    expect(from("b")).toMatchObject({ kind: "place" });
    expect(from(null)).toMatchObject({ kind: "place" });
    w.now += 1;
    expect(from("a")).toMatchObject({ kind: "place" });
  });

  test("[ISSUE-6] nobody is counted without a limit, or without an address", () => {
    const free = new World();
    const limited = new World({ joinsPerAddressPerMinuteMax: 1 });
    for (let join = 0; join < 3; join += 1) {
      expect(free.one({ op: "join", address: "a" })).toMatchObject({ kind: "place" });
      expect(limited.one({ op: "join", address: null })).toMatchObject({ kind: "place" });
    }
  });

  test("[ISSUE-6] a join that is refused for another reason is not held against the address", () => {
    const w = new World({ joinsPerAddressPerMinuteMax: 1, closed: "sold out" });
    expect(w.one({ op: "join", address: "a" })).toMatchObject({ refusal: "room-closed" });
    w.configure({ closed: null });
    expect(w.one({ op: "join", address: "a" })).toMatchObject({ kind: "place" });
  });

  test("[ISSUE-6] of more than 50,000 addresses in a minute the oldest are forgotten", () => {
    const addresses = new JoinsPerAddress();
    const now = instant(0);
    for (let n = 0; n < 50_000; n += 1) addresses.tryJoin(`${n}`, 1, now);
    expect(addresses.tryJoin("0", 1, now)).toBe(false);
    expect(addresses.tryJoin("50000", 1, now)).toBe(true);
    expect(addresses.tryJoin("1", 1, now)).toBe(false);
    expect(addresses.tryJoin("0", 1, now)).toBe(true);
  });

  test("[ISSUE-6] the oldest is the one whose minute began first, and 50,000 have room", () => {
    const addresses = new JoinsPerAddress();
    const later = instant(60_000);
    for (let n = 0; n < 50_000; n += 1) addresses.tryJoin(`${n}`, 1, instant(0));
    expect(addresses.tryJoin("0", 1, instant(59_999))).toBe(false);
    expect(addresses.retryAt("0", instant(59_999))).toBe(60_000);
    expect(addresses.tryJoin("0", 1, later)).toBe(true);
    expect(addresses.tryJoin("0", 1, later)).toBe(false);
    addresses.tryJoin("50000", 1, later);
    addresses.tryJoin("50001", 1, later);
    expect(addresses.tryJoin("0", 1, later)).toBe(false);
    expect(addresses.retryAt("nobody", later)).toBe(later);
    addresses.tryJoin("7", 1, later);
    for (let n = 0; n < 10; n += 1) addresses.tryJoin(`new-${n}`, 1, later);
    expect(addresses.tryJoin("7", 1, later)).toBe(false);
  });

  test.each([
    [{ closed: "sold out" }, "room-closed"],
    [{ suspended: true }, "room-suspended"],
    [{ suspended: true, closed: "sold out" }, "room-suspended"],
  ] as const)("[ISSUE-7] %o: %s", (limits, expected) => {
    const w = new World(limits);
    expect(refusal(w)).toBe(expected);
    expect(w.state.line.issued).toBe(0);
  });

  test("[ISSUE-8] a lobby with 16,384 unspent tickets takes no more; another one does", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(16_384);
    expect(refusal(w)).toBe("lobby-full");
    expect(w.one(JOIN, { lobby: lobbyIndex(1) })).toMatchObject({ kind: "place" });
    w.visit(1);
    expect(refusal(w)).toBe("place");
  });
});
