import { describe, expect, test } from "vitest";
import type { RoomLimits } from "../../../src/core/definition.ts";
import { World } from "./world.ts";

describe("the open door", () => {
  test("[DOOR-1] a room without a line lets a visitor in at once", () => {
    const w = new World({ permitsMax: 2 });
    expect(w.snapshot().mode).toBe("open");
    expect(w.entered()).toMatchObject({ visit: 1, provisional: true });
    expect(w.state.history.current).toMatchObject({ entriesByDoor: 1, issued: 1 });
  });

  const queues: readonly [string, Partial<RoomLimits>, (w: World) => void][] = [
    ["every permit is out", { permitsMax: 1 }, (w) => w.visit(w.join())],
    ["somebody waits", { permitsMax: 2 }, (w) => w.crowd(3)],
    ["the second is full", { startsPerSecondMax: 1 }, (w) => w.entered(true)],
    ["the minute is full", { startsPerMinuteMax: 1 }, (w) => w.entered(true)],
    ["half of P is provisional", { permitsMax: 3 }, (w) => w.entered()],
  ];
  test.each(queues)("[DOOR-2] it queues when %s", (_, limits, make) => {
    const w = new World(limits);
    make(w);
    expect(w.snapshot().mode).toBe("queues");
    expect(w.enter()).toEqual({ kind: "queue" });
  });

  test("[DOOR-2] it queues while somebody may still come back after a start", () => {
    const w = new World({ permitsMax: 2 });
    w.crowd(3);
    w.crash();
    w.leave(1);
    expect([w.state.line.waiting, w.state.line.unconfirmed, w.state.permits.free]).toEqual([
      0, 1, 1,
    ]);
    expect(w.snapshot().mode).toBe("queues");
    expect(w.enter()).toEqual({ kind: "queue" });
    w.leave(3);
    expect(w.snapshot().mode).toBe("open");
  });

  test.each([
    [{ paused: true }, "paused"],
    [{ closed: "sold out", paused: true }, "closed"],
    [{ suspended: true, closed: "sold out", paused: true }, "suspended"],
  ])("[DOOR-2] %o: the room is %s", (limits, mode) => {
    const w = new World(limits);
    expect(w.snapshot().mode).toBe(mode);
    expect(w.enter()).toEqual({ kind: "queue" });
  });

  test("[DOOR-2] away and called numbers do not keep the door shut", () => {
    const w = new World({ permitsMax: 3 });
    w.crowd(1);
    w.tick(60_000);
    w.crowd(1);
    expect([w.standing(1), w.standing(2)]).toEqual(["away", "called"]);
    expect(w.enter()).toMatchObject({ kind: "visit" });
  });
});

describe("provisional permits", () => {
  test("[DOOR-3] the first renewal confirms a visit; a look does not", () => {
    const w = new World();
    const { visit } = w.entered();
    expect(w.look(visit)).toMatchObject({ visit: { provisional: true } });
    expect(w.renew(visit)).toMatchObject({ visit: { provisional: false } });
    w.crash();
    expect(w.look(visit)).toMatchObject({ visit: { provisional: false } });
  });

  /** Two of four permits are provisional and the others claimed; entries are 1 s apart. */
  const full = () => {
    const w = new World({ permitsMax: 4, claimWithinMs: 60_000 });
    w.entered();
    w.now += 1_000;
    w.entered();
    w.crowd(2);
    w.visit(3);
    w.visit(4);
    return w;
  };

  test("[DOOR-4] while nobody waits they live as long as any visit", () => {
    const w = full();
    w.tick(120_000);
    expect(w.visiting).toBe(4);
  });

  test("[DOOR-4] after the claim time they make way for those who wait, oldest first", () => {
    const w = full();
    w.crowd(3);
    w.tick(58_999);
    expect(w.called).toBe(0);
    w.tick(1);
    expect([w.justCalled, w.look(1).kind, w.look(2).kind]).toEqual([[5], "ended", "visit"]);
    w.tick(1_000);
    expect([w.justCalled, w.look(2).kind]).toEqual([[6], "ended"]);
    expect(w.state.history.current).toMatchObject({ revoked: 2 });
    w.tick(1_000);
    expect(w.justCalled).toEqual([]);
  });

  test("[DOOR-4] oldest first also after a crash, and no more than there are who wait", () => {
    const w = new World({ permitsMax: 4, claimWithinMs: 60_000 });
    w.visit(w.join());
    w.entered();
    w.now += 1_000;
    w.end(1);
    w.entered();
    w.now += 120_000;
    w.crash();
    w.crowd(2);
    for (const number of [4, 5]) w.visit(number);
    w.crowd(1);
    expect([w.standing(2), w.standing(3), w.standing(6)]).toEqual(["ended", "visiting", "called"]);
  });

  test("[DOOR-4] a permit that is provisional is not taken back while the ring calls nobody", () => {
    const w = full();
    w.configure({ startsPerMinuteMax: 4 });
    w.crowd(1);
    w.tick(58_000);
    expect(w.visiting).toBe(4);
    w.tick(2_000);
    expect([w.visiting, w.called]).toEqual([3, 1]);
  });

  test("[DOOR-4] one is not taken back in a full second, nor while more than P are out", () => {
    const w = full();
    w.crowd(2);
    w.now += 59_000;
    w.configure({ startsPerMinuteMax: 1 });
    expect([w.visiting, w.called]).toEqual([4, 0]);
    w.configure({ startsPerMinuteMax: 100_000, permitsMax: 2 });
    expect([w.visiting, w.called, w.tally("revoked")]).toEqual([4, 0, 0]);
    w.configure({ permitsMax: 4 });
    expect([w.visiting, w.called]).toEqual([3, 1]);
  });

  test("[DOOR-4] free permits and provisional ones go on in one step", () => {
    const w = full();
    w.tick(120_000);
    w.configure({ paused: true });
    w.crowd(3);
    w.end(3);
    w.configure({ paused: false });
    expect([w.justCalled, w.visiting]).toEqual([[5, 6, 7], 1]);
  });

  test("[DOOR-4] a delayed release changes nothing about their order", () => {
    const w = full();
    w.end(1, 200_000);
    w.crowd(1);
    w.tick(120_000);
    expect([w.standing(1), w.standing(2)]).toEqual(["ended", "visiting"]);
  });

  test.each([
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 2],
    [9, 4],
  ])("[DOOR-5] of P=%i at most %i are provisional", (permitsMax, most) => {
    const w = new World({ permitsMax });
    for (let entry = 0; entry < most; entry += 1) w.entered();
    expect(w.enter()).toEqual({ kind: "queue" });
    w.renew(1);
    expect(w.enter().kind).toBe(permitsMax > most ? "visit" : "queue");
  });

  test("[DOOR-6] a permit for one answer is not provisional, and goes on when it ends", () => {
    const w = new World({ permitsMax: 1 });
    const { visit, provisional } = w.entered(true);
    expect(provisional).toBe(false);
    w.join();
    w.tick(59_999);
    expect(w.called).toBe(0);
    w.end(visit);
    expect(w.justCalled).toEqual([2]);
  });
});
