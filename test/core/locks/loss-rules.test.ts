import { expect, test } from "vitest";
import { instant } from "../../../src/core/time.ts";
import { granted, LEASE, nameOf, ownerOf, SECOND, sessionOf, World } from "./world.ts";

const DELAY = 10 * SECOND;

test.each([
  [LEASE, "held"],
  [LEASE + DELAY - 1, "held"],
  [LEASE + DELAY, "granted"],
])("[DELAY-1] %i ms after the grant of a lease that nobody renews: %s", (ms, kind) => {
  const world = new World();
  world.hold("17", "a");
  world.now += ms;
  expect(world.acquire("17", "b").kind).toBe(kind);
});

test.each([
  [DELAY - 1, []],
  [DELAY, ["b"]],
])("[DELAY-1] %i ms after a socket vanished the next in line: %j", (ms, next) => {
  const world = new World();
  world.open("17", "a");
  world.open("17", "b");
  world.close("a", false);
  expect(world.justGranted).toEqual([]);
  expect(world.wakeAt).toBe(world.now + DELAY);
  world.tick(ms);
  expect(world.justGranted).toEqual(next);
});

test("[DELAY-2] in the lock-delay the owner resumes, and keeps its fence", () => {
  const world = new World();
  const { fence } = granted(world.open("17", "a"));
  world.open("17", "b");
  world.close("a", false);
  world.now += DELAY - 1;
  expect(world.open("17", "a", "a2")).toMatchObject({
    kind: "granted",
    isNew: false,
    grant: { fence },
  });
  world.tick(3_600_000);
  expect(world.justGranted).toEqual([]);
  world.close("a2");
  expect(world.justGranted).toEqual(["b"]);
});

test("[DELAY-2] whoever comes later is a new one, with a higher fence", () => {
  const world = new World();
  const { fence } = granted(world.open("17", "a"));
  world.close("a", false);
  world.now += DELAY;
  const again = world.open("17", "a", "a2");
  expect(again).toMatchObject({ kind: "granted", isNew: true });
  expect(granted(again).fence).toBeGreaterThan(fence);
});

test("[DELAY-3] a clean close and a release have no delay, in the lock-delay either", () => {
  const world = new World();
  world.open("17", "a");
  world.open("17", "b");
  world.close("a");
  expect(world.justGranted).toEqual(["b"]);
  world.close("b", false);
  expect(world.release("17", "b")).toBe("released");
  expect(world.acquire("17", "c").kind).toBe("granted");
});

test("[DELAY-4] after a crash sockets are gone: the delay begins with the next life", () => {
  const world = new World();
  const { fence } = granted(world.open("17", "a"));
  world.now += 3_600_000;
  world.crash();
  expect(world.acquire("17", "b").kind).toBe("held");
  world.crash();
  world.now += DELAY - 1;
  expect(world.acquire("17", "b").kind).toBe("held");
  expect(granted(world.open("17", "a", "a2")).fence).toBe(fence);
});

test("[DELAY-4] that moment is written down: another crash does not put it off", () => {
  const world = new World();
  world.open("17", "a");
  world.crash();
  world.tick(5 * SECOND);
  expect(world.last?.changes).toMatchObject([{ put: "lock", holder: { tenure: { by: "lease" } } }]);
  world.crash();
  world.tick();
  expect([world.last?.changes, world.wakeAt]).toEqual([[], world.now + 5 * SECOND]);
  world.now += 5 * SECOND;
  expect(world.acquire("17", "b").kind).toBe("granted");
});

test("[DELAY-4] a lease outlives a crash to the millisecond", () => {
  const world = new World();
  const { fence } = world.hold("17", "a");
  world.crash();
  world.now += LEASE + DELAY - 1;
  expect(world.acquire("17", "b").kind).toBe("held");
  world.now += 1;
  world.crash();
  expect(world.hold("17", "b").fence).toBeGreaterThan(fence);
});

test("[DROP-1] a socket keeps its lock for as long as it is open", () => {
  const world = new World();
  world.open("17", "a");
  expect(world.wakeAt).toBeNull();
  world.now += 30 * 24 * 3_600_000;
  expect(world.acquire("17", "b").kind).toBe("held");
});

test("[DROP-2] a sleeping object finds its sockets again: the holder, and the line in its order", () => {
  const world = new World();
  world.open("17", "a");
  for (const who of ["b", "c", "d"]) world.open("17", who);
  world.sleep();
  expect(world.acquire("17", "e").kind).toBe("held");
  world.close("c", false);
  world.sleep();
  world.close("a");
  expect(world.justGranted).toEqual(["b"]);
  world.sleep();
  world.close("b");
  expect(world.justGranted).toEqual(["d"]);
});

test("[DROP-2] in whichever order its sockets are found, and newcomers stand behind them", () => {
  const world = new World();
  for (const who of ["a", "b", "c", "d"]) world.open("17", who);
  for (const who of ["e", "f"]) {
    const found = [...world.sockets].reverse();
    world.sockets.clear();
    for (const [session, live] of found) world.sockets.set(session, live);
    world.sleep();
    expect(world.state.sessions.size).toBe(world.sockets.size);
    expect(world.open("17", who)).toMatchObject({
      kind: "waiting",
      ahead: world.state.waiting - 1,
    });
  }
  expect([world.state.held, world.state.waiting]).toEqual([1, 5]);
  for (const [who, next] of ["ab", "bc", "cd", "de", "ef"]) {
    world.close(who!);
    expect(world.justGranted).toEqual([next]);
  }
});

test("[DROP-2] a socket that was taken over does not come back into the line", () => {
  const world = new World();
  world.open("17", "a", "a1");
  world.renew("17", "a");
  for (const session of ["b1", "b2"]) world.open("17", "b", session);
  world.sleep();
  expect([world.state.held, world.state.waiting]).toEqual([1, 1]);
  world.open("17", "c");
  expect(world.last?.reply).toMatchObject({ ahead: 1 });
});

test("[DROP-2] one that waits for a lock that is free by now gets it with the first step", () => {
  const world = new World();
  const since = instant(world.now);
  const seat = { session: sessionOf("b"), name: nameOf("17"), owner: ownerOf("b") };
  world.sockets.set(seat.session, { ...seat, arrival: 3, since });
  world.sleep();
  world.tick();
  expect(world.justGranted).toEqual(["b"]);
});

test("[DROP-2] a line whose holder vanished while the object slept is served in its turn", () => {
  const world = new World();
  world.open("17", "a");
  world.open("17", "b");
  world.sockets.delete(sessionOf("a"));
  world.sleep();
  world.tick(DELAY - 1);
  expect(world.justGranted).toEqual([]);
  world.tick(1);
  expect(world.justGranted).toEqual(["b"]);
});

test("[DROP-3] the owner may come over another socket: the older one counts no more", () => {
  const world = new World();
  const { fence } = granted(world.open("17", "a", "a1"));
  expect(world.open("17", "a", "a2")).toMatchObject({ isNew: false, grant: { fence } });
  expect(world.told).toMatchObject([{ event: "taken-over", to: { session: sessionOf("a1") } }]);
  world.close("a1", true);
  expect(world.acquire("17", "b").kind).toBe("held");
  world.close("a2", true);
  expect(world.acquire("17", "b").kind).toBe("granted");
});

test("[DROP-3] a socket's lock becomes a lease when its owner renews it, and back", () => {
  const world = new World();
  const { fence } = granted(world.open("17", "a"));
  expect(world.renew("17", "a")).toMatchObject({ grant: { fence, leaseUntil: world.now + LEASE } });
  world.close("a", true);
  expect(world.acquire("17", "b").kind).toBe("held");
  expect(world.open("17", "a", "a2")).toMatchObject({ grant: { fence, leaseUntil: null } });
});

test("[DROP-3] a release over HTTP takes the socket over as well", () => {
  const world = new World();
  world.open("17", "a");
  expect(world.release("17", "a")).toBe("released");
  expect(world.told).toMatchObject([{ event: "taken-over", to: { session: sessionOf("a") } }]);
});

test("[DROP-3] and so does a run that its owner has finished", () => {
  const world = new World();
  const { fence } = granted(world.begin("17", "a"));
  world.open("17", "a");
  expect(world.finish("17", "a", fence, { kind: "forget" })).toBe("released");
  expect(world.told).toMatchObject([{ event: "taken-over", to: { session: sessionOf("a") } }]);
  expect(world.state.sessions.size).toBe(0);
});

test("[DROP-4] a socket that closes twice, or that nobody knows, changes nothing", () => {
  const world = new World();
  world.open("17", "a");
  world.close("a");
  world.open("17", "b");
  world.close("a");
  world.close("nobody", false);
  expect(world.acquire("17", "c").kind).toBe("held");
});
