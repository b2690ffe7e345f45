import { expect, test } from "vitest";
import type { AnswerContent } from "../../../src/core/locks/answers.ts";
import { RECORDS_MAX, AnswerRetention } from "../../../src/core/locks/answers.ts";
import type { Grant } from "../../../src/core/locks/commands.ts";
import { instant } from "../../../src/core/time.ts";
import { clientOf, granted, LEASE, nameOf, SECOND, World } from "./world.ts";

const HOUR = 3_600_000;

const content: AnswerContent = {
  status: 201,
  headers: [["content-type", "text/plain"]],
  body: new TextEncoder().encode("order 17"),
};

const started = (world: World, key = "k", owner = "a"): Grant => granted(world.begin(key, owner));

const finished = (world: World, key = "k"): void => {
  const { fence } = started(world, key);
  world.finish(key, "a", fence, { kind: "keep", content });
};

test("[IDEM-1] a run begins once; while it runs every other one is told that it runs", () => {
  const world = new World();
  expect(world.begin("k", "a")).toMatchObject({ kind: "granted", isNew: true });
  expect(world.begin("k", "b")).toEqual({ kind: "running", retryAfterMs: 10_000 });
  world.now += 25 * SECOND;
  expect(world.begin("k", "b")).toEqual({ kind: "running", retryAfterMs: 5_000 });
});

test("[IDEM-1] the one that began may ask again, for its answer may have been lost", () => {
  const world = new World();
  const { fence } = started(world);
  world.now += 5 * SECOND;
  const leaseUntil = world.now + LEASE;
  expect(world.begin("k", "a")).toMatchObject({
    kind: "granted",
    isNew: false,
    grant: { fence, leaseUntil },
  });
});

test("[IDEM-2] its answer is on record byte for byte, also after a crash", () => {
  const world = new World();
  finished(world);
  world.crash();
  expect(world.begin("k", "b").kind).toBe("replay");
  expect(world.store.content(nameOf("k"))).toEqual(content);
  expect(world.state.held).toBe(0);
});

test("[IDEM-3] another payload under the name is refused, whatever became of the first", () => {
  const world = new World();
  const { fence } = started(world);
  expect(world.begin("k", "b", "other").kind).toBe("mismatch");
  world.finish("k", "a", fence, { kind: "keep", content });
  expect(world.begin("k", "b", "other").kind).toBe("mismatch");
});

test.each([
  [LEASE + 9_999, "running"],
  [LEASE + 10_000, "unknown"],
  [59 * 60 * SECOND, "unknown"],
])("[IDEM-4] %i ms after a run that died: %s", (ms, kind) => {
  const world = new World();
  started(world);
  world.crash();
  world.now += ms;
  expect(world.begin("k", "b").kind).toBe(kind);
});

test("[IDEM-4] nobody can say: neither can the next, and it does not run again", () => {
  const world = new World();
  const { fence } = started(world);
  world.finish("k", "a", fence, { kind: "unknown" });
  expect(world.begin("k", "b").kind).toBe("unknown");
  expect(world.begin("k", "a").kind).toBe("unknown");
});

test("[IDEM-5] an answer that comes after its lock was lost makes the unknown known", () => {
  const world = new World();
  const { fence } = started(world);
  world.tick(LEASE + 10_000);
  expect(world.begin("k", "b").kind).toBe("unknown");
  expect(world.finish("k", "a", fence, { kind: "keep", content })).toBe("not-yours");
  expect(world.begin("k", "b").kind).toBe("replay");
});

test("[IDEM-6] a run that never happened leaves nothing, and the next one begins", () => {
  const world = new World();
  const { fence } = started(world);
  world.finish("k", "a", fence, { kind: "forget" });
  expect(world.record("k")).toBeNull();
  expect(world.state.retention.count).toBe(0);
  expect(granted(world.begin("k", "b", "other")).fence).toBeGreaterThan(fence);
});

test("[IDEM-6] one whose beginning was not heard of is taken back without its fence", () => {
  const world = new World();
  started(world);
  expect(world.finish("k", "b", null, { kind: "forget" })).toBe("not-yours");
  expect(world.begin("k", "b").kind).toBe("running");
  expect(world.finish("k", "a", null, { kind: "forget" })).toBe("released");
  expect(world.finish("k", "a", null, { kind: "forget" })).toBe("not-yours");
  expect(world.begin("k", "b").kind).toBe("granted");
});

test("[IDEM-7] of an answer too large to keep its status is known, and it does not run again", () => {
  const world = new World();
  const { fence } = started(world);
  world.finish("k", "a", fence, { kind: "too-large", status: 200 });
  expect(world.begin("k", "b")).toEqual({ kind: "not-kept", status: 200 });
});

test("[IDEM-8] a record is kept for its retention, and ten minutes longer at most", () => {
  const world = new World();
  world.now = Math.ceil(world.now / HOUR) * HOUR + 1;
  finished(world);
  world.now += HOUR;
  expect(world.begin("k", "b").kind).toBe("replay");
  world.now += 10 * 60 * SECOND - 1;
  const { fence } = started(world, "k", "b");
  expect(world.state.retention.count).toBe(1);
  world.finish("k", "b", fence, { kind: "forget" });
  expect(world.state.retention.count).toBe(0);
});

test("[IDEM-8] the shard wakes up to forget, and counts what it holds after a crash", () => {
  const world = new World();
  for (const key of ["k", "l", "m"]) finished(world, key);
  expect(world.state.retention.count).toBe(3);
  world.crash();
  expect(world.state.retention.count).toBe(3);
  world.tick();
  world.now = world.wakeAt!;
  world.tick();
  expect(world.state.retention.count).toBe(0);
  expect(world.record("k")).toBeNull();
  expect(world.wakeAt).toBeNull();
});

test("[IDEM-9] a full record takes no new run rather than forget an old one", () => {
  const world = new World();
  finished(world);
  const until = instant(world.now + 24 * HOUR);
  const full = new AnswerRetention([{ client: clientOf(0), until, count: RECORDS_MAX, bytes: 0 }]);
  Object.assign(world.state, { retention: full });
  expect(world.begin("l", "a")).toMatchObject({ kind: "refused", refusal: "table-full" });
  expect(world.begin("k", "b").kind).toBe("replay");
});

test("[IDEM-1] a lock that is held for something else is waited out", () => {
  const world = new World();
  world.hold("k", "x");
  expect(world.begin("k", "a").kind).toBe("running");
  expect(world.begin("k", "x").kind).toBe("running");
  world.release("k", "x");
  expect(world.begin("k", "a").kind).toBe("granted");
});

test("[IDEM-10] only the run itself writes its answer", () => {
  const world = new World();
  const { fence } = started(world);
  expect(world.finish("k", "b", fence, { kind: "unknown" })).toBe("not-yours");
  const other = (fence - 1) as Grant["fence"];
  expect(world.finish("k", "a", other, { kind: "keep", content })).toBe("not-yours");
  expect(world.begin("k", "b").kind).toBe("running");
  world.finish("k", "a", fence, { kind: "keep", content });
  world.finish("k", "a", fence, { kind: "forget" });
  expect(world.begin("k", "b").kind).toBe("replay");
});
