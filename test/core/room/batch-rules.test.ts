import { describe, expect, test } from "vitest";
import { lobbyIndex, ticketNumber } from "../../../src/core/ids.ts";
import type { Batch, Op } from "../../../src/core/room/commands.ts";
import { JOIN, World } from "./world.ts";

const ENTER: Op = { op: "enter", transient: false };
const run = (w: World, batch: Batch) => w.run({ type: "batch", batch });

describe("a batch that is repeated", () => {
  test("[BATCH-1] gets the same answer, and nothing happens twice", () => {
    const w = new World({ permitsMax: 4 });
    const batch = w.compose([ENTER, ENTER, JOIN, JOIN, { op: "claim", number: ticketNumber(3) }]);
    const first = run(w, batch);
    expect(first.replies).toHaveLength(batch.ops.length);
    expect(run(w, batch)).toEqual(first);
    expect([w.state.line.issued, w.visiting, w.called]).toEqual([4, 2, 2]);
  });

  test("[BATCH-1] also when much has happened in between", () => {
    const w = new World({ permitsMax: 1 });
    const batch = w.compose([JOIN]);
    const first = run(w, batch);
    w.tick(60_000);
    w.crowd(3, { lobby: lobbyIndex(1) });
    expect(run(w, batch).replies).toEqual(first.replies);
    expect(w.state.line.issued).toBe(4);
  });

  test.each([
    ["join", JOIN],
    ["enter", ENTER],
  ])("[BATCH-2] after a crash as well: %s", (_, op) => {
    const w = new World({ permitsMax: 4 });
    const batch = w.compose([op, op]);
    const first = run(w, batch);
    w.crash();
    expect(run(w, batch).replies).toEqual(first.replies);
    expect([w.state.line.issued, w.state.permits.out]).toEqual([2, 2]);
  });

  test("[BATCH-2] claims and ends that are repeated after a crash change nothing more", () => {
    const w = new World({ permitsMax: 2 });
    w.crowd(4);
    w.visit(1);
    const batch = w.compose([
      { op: "claim", number: ticketNumber(2) },
      { op: "end", visit: ticketNumber(1), afterMs: 0 },
    ]);
    run(w, batch);
    w.crash();
    const [claimed, ended] = run(w, batch).replies;
    expect(claimed).toMatchObject({ kind: "visit", isNew: false, visit: { visit: 2 } });
    expect(ended).toEqual({ kind: "ended" });
    expect([w.visiting, w.called]).toEqual([1, 1]);
  });

  test("[BATCH-3] one that is older than the last is answered busy, op by op, and not done", () => {
    const w = new World();
    const old = w.compose([JOIN, JOIN]);
    run(w, old);
    w.join();
    const { replies } = run(w, old);
    expect(replies).toHaveLength(2);
    for (const reply of replies) expect(reply).toMatchObject({ kind: "refused", refusal: "busy" });
    expect(w.state.line.issued).toBe(3);
  });

  test("[BATCH-3] another instance of the lobby counts from 1 again", () => {
    const w = new World();
    w.crowd(1);
    w.crowd(1);
    expect(w.crowd(1, { instance: "b" })).toEqual([3]);
    expect(w.crowd(1, { lobby: lobbyIndex(1) })).toEqual([4]);
  });
});

describe("a lobby that began anew", () => {
  test("[BATCH-7] an echo of its former life is answered as it was, and changes nothing", () => {
    const w = new World({ permitsMax: 1 });
    const echo = w.compose([JOIN, JOIN]);
    const first = run(w, echo).replies;
    w.crowd(1, { instance: "b" });
    expect(run(w, echo)).toEqual({
      replies: first,
      waitMs: 0,
      reportWanted: false,
    });
    expect(w.state.line.issued).toBe(3);
    expect(w.state.lobbies.get(echo.lobby)).toMatchObject({ instance: "b" });
    expect(w.crowd(1, { instance: "b" })).toEqual([4]);
  });

  test("[BATCH-7] one that was taken for gone and speaks on is the living one again", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(1);
    w.crowd(1, { instance: "b" });
    const spoken = w.compose([JOIN]);
    expect(run(w, spoken).replies).toMatchObject([{ place: { number: 3 } }]);
    expect(run(w, spoken).replies).toMatchObject([{ place: { number: 3 } }]);
    expect(w.crowd(1)).toEqual([4]);
    expect(run(w, spoken).replies).toMatchObject([{ kind: "refused", refusal: "busy" }]);
  });

  test("[BATCH-7] last words that come late do not make the living one repeat itself", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(1);
    const living = w.compose([JOIN], { instance: "b" });
    const first = run(w, living).replies;
    w.crowd(1);
    expect(run(w, living).replies).toEqual(first);
    expect(w.answer([], { instance: "b" })).toMatchObject({ reportWanted: true });
    expect(w.state.line.issued).toBe(3);
  });
});

describe("the order within a batch", () => {
  test("[BATCH-4] presence first, then the ops as they came, then the usher", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(4);
    w.visit(1);
    const replies = w.batch(
      [
        { op: "end", visit: ticketNumber(1), afterMs: 0 },
        { op: "claim", number: ticketNumber(3) },
        { op: "end", visit: ticketNumber(3), afterMs: 0 },
        JOIN,
      ],
      { away: [ticketNumber(2)] },
    );
    expect(replies.map(({ kind }) => kind)).toEqual(["done", "visit", "done", "place"]);
    expect([w.standing(2), w.standing(4), w.standing(5)]).toEqual(["away", "called", "waiting"]);
  });

  test("[BATCH-5] an answer tells where a number stands once the whole step is done", () => {
    const w = new World({ permitsMax: 1 });
    const [first, second] = w.batch([JOIN, JOIN, { op: "leave", number: ticketNumber(1) }]);
    expect(first).toEqual({ kind: "ended" });
    expect(second).toMatchObject({ place: { number: 2, state: "called" } });
  });

  test("[BATCH-6] only what must not be done twice, and the first of an instance, costs a row", () => {
    const w = new World();
    w.join();
    expect(w.written("lobby")).toHaveLength(1);
    w.batch([{ op: "claim", number: ticketNumber(1) }]);
    expect(w.written("lobby")).toHaveLength(0);
    for (const op of [JOIN, ENTER, { op: "request", ticket: null, holdMs: 0, address: null }]) {
      w.batch([op as Op, { op: "peek", visit: ticketNumber(1) }]);
      expect(w.written("lobby")).toHaveLength(1);
    }
    w.answer([], { instance: "b" });
    expect(w.written("lobby")).toMatchObject([{ row: { instance: "b", sequence: 1 } }]);
    w.crash();
    w.batch([{ op: "peek", visit: ticketNumber(1) }], { instance: "b" });
    expect(w.written("lobby")).toHaveLength(0);
  });
});
