import { describe, expect, test } from "vitest";
import {
  decideAtDoor,
  decideFirst,
  decidePlace,
  decideWithoutPass,
  letsEveryoneThrough,
  turnsAway,
} from "../../../src/core/gate/decide.ts";
import type { CallerKind, GateFacts } from "../../../src/core/gate/decide.ts";
import type { RoomMode } from "../../../src/core/snapshot.ts";

const MODES: readonly RoomMode[] = ["open", "queues", "paused", "closed", "suspended"];
const KINDS: readonly CallerKind[] = ["document", "json", "subresource"];
const METHODS = ["GET", "HEAD", "POST", "DELETE", "OPTIONS"];
const QUEUEING = ["fifo", "random", "passthrough", "reject"] as const;
const EITHER = [false, true];

interface Options extends Partial<Omit<GateFacts, "room" | "snapshot">> {
  readonly mode?: RoomMode | null;
  readonly visiting?: number;
  readonly queueingMethod?: GateFacts["room"]["queueingMethod"];
  readonly onFailure?: "open" | "closed";
  readonly permit?: "visit" | "request";
  readonly suspended?: boolean;
}

const facts = ({
  mode = "queues",
  visiting = 1,
  queueingMethod = "fifo",
  onFailure = "closed",
  permit = "visit",
  suspended = false,
  ...rest
}: Options = {}): GateFacts => ({
  room: { queueingMethod, onFailure, limits: { permit, suspended } },
  snapshot: mode === null ? null : { mode, visiting },
  isLost: false,
  kind: "document",
  method: "GET",
  isPreflight: false,
  isUpgrade: false,
  isSpeculative: false,
  hasTicket: false,
  hasVisitorId: false,
  ...rest,
});

/** Every combination of what decides: some 14,000. */
function* everyCase(): Generator<GateFacts> {
  for (const mode of [...MODES, null])
    for (const queueingMethod of QUEUEING)
      for (const kind of KINDS)
        for (const method of METHODS)
          for (const hasTicket of EITHER)
            for (const hasVisitorId of hasTicket ? [true] : EITHER)
              for (const isSpeculative of EITHER)
                for (const isUpgrade of EITHER)
                  for (const isLost of EITHER)
                    for (const visiting of [0, 1])
                      for (const onFailure of ["open", "closed"] as const)
                        yield facts({
                          mode,
                          queueingMethod,
                          kind,
                          method,
                          hasTicket,
                          hasVisitorId,
                          isSpeculative,
                          isUpgrade,
                          isLost,
                          visiting,
                          onFailure,
                        });
}

describe("who is let through by the room as a whole", () => {
  test.each([
    ["[GATE-27] the snapshot says suspended", facts({ mode: "suspended" }), true],
    ["[GATE-27] the definition did, the snapshot is newer", facts({ suspended: true }), false],
    [
      "[GATE-27] no snapshot yet: the definition's word",
      facts({ mode: null, suspended: true }),
      true,
    ],
    ["[GATE-27] a lost one is not believed", facts({ mode: "suspended", isLost: true }), false],
    ["[GATE-28] passthrough", facts({ queueingMethod: "passthrough", isLost: true }), true],
  ])("%s", (_title, known, expected) => {
    expect(letsEveryoneThrough(known)).toBe(expected);
    expect(decideFirst(known).kind === "pass-on-free").toBe(expected);
  });
});

describe("before the pass is looked at", () => {
  test.each([
    ["[GATE-9] a true preflight", facts({ isPreflight: true, isLost: true }), "pass-on-preflight"],
    ["[GATE-1] a room of visits", facts(), "look-at-pass"],
    ["[GATE-1] a room of requests", facts({ permit: "request" }), "exempt-or"],
  ])("%s", (_title, known, kind) => {
    expect(decideFirst(known).kind).toBe(kind);
  });

  test("[GATE-1] in a room of requests a request that is not exempt waits here", () => {
    const decided = decideFirst(facts({ permit: "request" }));
    expect(decided).toEqual({ kind: "exempt-or", otherwise: { kind: "wait-here" } });
  });

  test("[FAIL-2] a room of requests that cannot be reached does as its operator said", () => {
    const lost = { permit: "request", isLost: true } as const;
    const decided = (options: Options) => decideFirst(facts({ ...lost, ...options }));
    expect(decided({})).toEqual({ kind: "exempt-or", otherwise: { kind: "unavailable" } });
    expect(decided({ onFailure: "open" })).toEqual({
      kind: "exempt-or",
      otherwise: { kind: "pass-on-unguarded" },
    });
  });
});

describe("without a live pass", () => {
  test.each(["none", "ended", "unknown"] as const)(
    "[GATE-43] [FAIL-2] a pass that is %s queues only where the room can be reached",
    (pass) => {
      for (const known of everyCase()) {
        const isOutOfReach = known.isLost || pass === "unknown";
        const failed = known.room.onFailure === "open" ? "pass-on-unguarded" : "unavailable";
        expect(decideWithoutPass(known, pass).kind).toBe(isOutOfReach ? failed : "queue");
      }
    },
  );
});

describe("at the door", () => {
  test("[GATE-1] [GATE-3] nobody enters but by an open door", () => {
    for (const known of everyCase()) {
      const decision = decideAtDoor(known);
      if (decision.kind === "enter") expect(known.snapshot?.mode).toBe("open");
    }
  });

  test("[GATE-7] [GATE-50] nothing that is fetched in advance, and no socket, enters", () => {
    for (const known of everyCase()) {
      if (!known.isSpeculative && !known.isUpgrade) continue;
      const { kind } = decideAtDoor(known);
      if (known.snapshot?.mode === "open") expect(kind).toBe("newcomer");
      else expect(kind).not.toBe("enter");
    }
  });

  test.each([
    ["[GATE-3] a document stays for a visit", facts(), "for-visit"],
    ["[GATE-3] also a form", facts({ method: "POST" }), "for-visit"],
    [
      "[GATE-4] an app without a visitor id, for this answer",
      facts({ kind: "json" }),
      "for-answer",
    ],
    ["[GATE-4] so does a part of a page", facts({ kind: "subresource" }), "for-answer"],
    ["[GATE-5] with one, for a visit", facts({ kind: "json", hasVisitorId: true }), "for-visit"],
    ["[GATE-6] HEAD, for this answer", facts({ method: "HEAD", hasVisitorId: true }), "for-answer"],
  ])("%s", (_title, known, stays) => {
    const open = { ...known, snapshot: { mode: "open" as const, visiting: 0 } };
    expect(decideAtDoor(open)).toEqual({ kind: "enter", stays });
  });

  test("[GATE-23] who holds a ticket and may use it stands by it, in an open room too", () => {
    const open = { mode: "open", hasTicket: true, hasVisitorId: true } as const;
    expect(decideAtDoor(facts(open)).kind).toBe("take-place");
    expect(decideAtDoor(facts({ ...open, method: "POST" })).kind).toBe("enter");
    expect(decideAtDoor(facts({ ...open, queueingMethod: "reject" })).kind).toBe("enter");
  });
});

describe("in the line", () => {
  test.each([
    ["fifo", false],
    ["random", false],
    ["passthrough", false],
    ["reject", true],
  ] as const)("[GATE-29] a full room that queues by %s turns visitors away: %s", (method, away) => {
    expect(turnsAway({ queueingMethod: method })).toBe(away);
  });

  test("[GATE-13] [GATE-14] [GATE-16] only a GET that somebody waits with takes a place", () => {
    for (const known of everyCase()) {
      if (decidePlace(known).kind !== "take-place") continue;
      expect(known).toMatchObject({ method: "GET", isSpeculative: false, hasVisitorId: true });
      expect(known.kind).not.toBe("subresource");
      expect(["fifo", "random"]).toContain(known.room.queueingMethod);
    }
  });

  test("[GATE-15] only an app's request that changes something is told its place and no more", () => {
    for (const known of everyCase()) {
      if (decidePlace(known).kind !== "tell-place") continue;
      expect(known).toMatchObject({ kind: "json", hasTicket: true });
      expect(["GET", "HEAD"]).not.toContain(known.method);
    }
  });

  test("[RANDOM-8] what becomes of a request does not depend on the order of the line", () => {
    for (const known of everyCase()) {
      if (known.room.queueingMethod !== "random") continue;
      const fifo: GateFacts = { ...known, room: { ...known.room, queueingMethod: "fifo" } };
      for (const decide of [decideFirst, decideAtDoor, decidePlace])
        expect(decide(known)).toEqual(decide(fifo));
    }
  });

  test.each([
    ["[GATE-11] a first contact", facts(), "newcomer"],
    ["[GATE-18] who came back with the visitor id", facts({ hasVisitorId: true }), "take-place"],
    [
      "[GATE-15] an app's POST with a ticket",
      facts({ kind: "json", method: "POST", hasTicket: true, hasVisitorId: true }),
      "tell-place",
    ],
    [
      "[GATE-15] an app's POST without one",
      facts({ kind: "json", method: "POST", hasVisitorId: true }),
      "newcomer",
    ],
    [
      "[GATE-29] a room that rejects",
      facts({ queueingMethod: "reject", hasTicket: true, hasVisitorId: true }),
      "newcomer",
    ],
    [
      "[GATE-30] a held room takes tickets",
      facts({ mode: "paused", hasVisitorId: true }),
      "take-place",
    ],
    ["[GATE-31] a closed room, a stranger", facts({ mode: "closed" }), "without-place"],
    [
      "[GATE-31] a closed room, who holds a ticket",
      facts({ mode: "closed", visiting: 0, hasTicket: true, hasVisitorId: true }),
      "take-place",
    ],
    [
      "[GATE-31] a closed room, who may have lost the pass",
      facts({ mode: "closed", visiting: 1, hasVisitorId: true }),
      "take-place",
    ],
    [
      "[GATE-31] a closed room in which nobody is",
      facts({ mode: "closed", visiting: 0, hasVisitorId: true }),
      "without-place",
    ],
  ])("%s", (_title, known, kind) => {
    expect(decidePlace(known).kind).toBe(kind);
  });
});
