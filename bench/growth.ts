/**
 * How each main cost grows with what there is: who waits, who is inside, what a room has lived
 * through, locks, rooms, rules. In the core, in plain Node, and for rooms also at the Worker.
 * `npx node bench/growth.ts [--quick]`; the drawing is bench/growth.svg.
 */
import { writeFileSync } from "node:fs";
import type { RoomDefinition } from "../src/core/definition.ts";
import { RouteTable } from "../src/core/gate/route-table.ts";
import type { Owner } from "../src/core/locks/lock.ts";
import { lockName, parseLockKey, parseNamespace } from "../src/core/locks/name.ts";
import type { LockName } from "../src/core/locks/name.ts";
import { MemoryLocksStore } from "../src/core/locks/memory-store.ts";
import { restoreLocks } from "../src/core/locks/state.ts";
import { step as locksStep } from "../src/core/locks/step.ts";
import { Bypass } from "../src/core/rules/bypass.ts";
import type { BypassRule } from "../src/core/rules/bypass-rule.ts";
import { instant } from "../src/core/time.ts";
import { readingsOf } from "../src/core/url/canonical.ts";
import { requestOf } from "../test/core/rules/requests.ts";
import { drawingOf, exponentOf } from "./support/curves.ts";
import type { Curve, Point } from "./support/curves.ts";
import { GrownRoom } from "./support/grown-room.ts";
import { onlyStatuses, requestText, startLoadGenerator, startOrigin } from "./support/load.ts";
import { full, isQuick } from "./support/options.ts";
import { publish } from "./support/report.ts";
import type { Figure } from "./support/report.ts";
import { RULE_KINDS } from "./support/rule-kinds.ts";
import { roomOf, serve } from "./support/serve.ts";
import { median } from "./support/stats.ts";

const MILLION = full(1_000_000, 10_000);
const SIZES = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000].filter((size) => size <= MILLION);
const TURNS = full(15, 3);
const TOGETHER = 200;
const NOW = 1_800_000_000_000;

/** Microseconds of one of many, the median of some turns; the first turns warm up. */
const microsecondsOf = (work: (at: number) => void, together = TOGETHER): number => {
  const turns: number[] = [];
  for (let turn = -2; turn < TURNS; turn += 1) {
    const startedAt = performance.now();
    for (let at = 0; at < together; at += 1) work(at);
    if (turn >= 0) turns.push(((performance.now() - startedAt) * 1_000) / together);
  }
  return median(turns);
};

const curves = new Map<string, { unit: string; points: Point[] }>();
const note = (name: string, unit: string, size: number, cost: number): void => {
  const curve = curves.get(name) ?? { unit, points: [] };
  curves.set(name, curve);
  curve.points.push({ size, cost });
  console.log(`${name}, ${size}: ${cost.toPrecision(3)} ${unit}`);
};

const byWaiting = (size: number): void => {
  const room = new GrownRoom({ permitsMax: 100 });
  room.join(size + 100);
  room.claim();
  note(
    "a join, by waiting",
    "µs a step",
    size,
    microsecondsOf(() => room.join(1)),
  );
  const last = room.joined;
  const asked = (at: number): number => 101 + ((at * 611_953) % (last - 100));
  note(
    "a position, by waiting",
    "µs a step",
    size,
    microsecondsOf((at) => void room.position(asked(at))),
  );
  note(
    "away and back, by waiting",
    "µs, 2 steps",
    size,
    microsecondsOf((at) => room.blink(asked(at))),
  );
  note(
    "a tick, by waiting",
    "µs a step",
    size,
    microsecondsOf(() => room.tick(), 20),
  );
  note(
    "a snapshot, by waiting",
    "µs a step",
    size,
    microsecondsOf(() => room.snapshot(), 20),
  );
  room.join(TOGETHER * (TURNS + 2));
  const turn = (): void => room.turnOver(1);
  note("an end, a call, a claim, by waiting", "µs, 2 steps", size, microsecondsOf(turn));
  note("a restart, by waiting", "ms", size, median([1, 2, 3].map(() => room.restart())));
};

const byAddresses = (size: number): void => {
  const room = new GrownRoom({ permitsMax: 100, joinsPerAddressPerMinuteMax: 5 });
  room.join(size, "new addresses");
  const join = (): void => room.join(1, "new addresses");
  note(
    "a join of a new address, by addresses of a minute",
    "µs a step",
    size,
    microsecondsOf(join),
  );
};

const byInside = (size: number): void => {
  const room = new GrownRoom({ permitsMax: size });
  room.join(size);
  room.claim();
  room.join(TOGETHER * (TURNS + 2));
  note(
    "a renewal, by permits held",
    "µs a step",
    size,
    microsecondsOf(() => room.renew()),
  );
  const turn = (): void => room.turnOver(1);
  note("an end, a call, a claim, by permits held", "µs, 2 steps", size, microsecondsOf(turn));
};

const byLived = (size: number): void => {
  const room = new GrownRoom({ permitsMax: 2_000 });
  room.live(size);
  room.join(2_100);
  room.claim();
  note(
    "a join, by tickets lived",
    "µs a step",
    size,
    microsecondsOf(() => room.join(1)),
  );
  const turn = (): void => room.turnOver(1);
  note("an end, a call, a claim, by tickets lived", "µs, 2 steps", size, microsecondsOf(turn));
  note("a restart, by tickets lived", "ms", size, median([1, 2, 3].map(() => room.restart())));
};

const nameOf = (key: string): LockName => {
  const [space, parsed] = [parseNamespace("orders"), parseLockKey(key)];
  if (space === null || parsed === null) throw new Error(`no name: ${key}`);
  return lockName(space, parsed);
};

/** A table of locks, as `npm start` has one for all 64 shards. */
const lockTable = () => {
  const state = restoreLocks(new MemoryLocksStore().load(), [], NOW, 64);
  const mode = { by: "lease", leaseMs: 3_600_000, waitMs: 0 } as const;
  const owner = "an-owner-of-locks-here" as Owner;
  let now = NOW;
  const hold = (name: LockName): void => {
    // A namespace may ask a shard so often in a second.
    now += 10;
    const { reply } = locksStep<"acquire">(state, { type: "acquire", name, owner, mode }, now);
    if (reply.kind !== "granted") throw new Error(`not granted but ${reply.kind}`);
  };
  const pair = (name: LockName): void => {
    hold(name);
    locksStep<"release">(state, { type: "release", name, owner }, now);
  };
  return { hold, pair };
};

const byLocks = (size: number): void => {
  const { hold, pair } = lockTable();
  for (let at = 0; at < size; at += 1) hold(nameOf(`held-${at}`));
  const again = (at: number): void => pair(nameOf(`key-${at}`));
  note("a lock taken and given back, by locks held", "µs, 2 steps", size, microsecondsOf(again));
};

const byKeys = (size: number): void => {
  const { pair } = lockTable();
  let key = 0;
  const fresh = (): void => pair(nameOf(`key-${(key += 1)}`));
  for (let at = 0; at < size; at += 1) fresh();
  note("a lock of a new key, by keys so far", "µs, 2 steps", size, microsecondsOf(fresh));
};

const definitionAt = (at: number, host: string) =>
  ({
    id: `room-${at}`,
    name: `room-${at}`,
    routes: [{ host, path: `/room-${at}` }],
    origin: null,
    exempt: [],
  }) as unknown as RoomDefinition;

const byRooms = (size: number): void => {
  const all = Array.from({ length: size }, (_, at) => at);
  const one = new RouteTable(all.map((at) => definitionAt(at, "shop.example")));
  const many = new RouteTable(
    all.map((at) => definitionAt(at, `shop-${at}.example`)),
    "http://o",
  );
  const find = (table: RouteTable, host: string, at: number): void => {
    const owner = table.ownerOf(host, readingsOf(`/room-${at}/seats`) ?? []);
    if (owner.kind !== "one" || !table.guards(host)) throw new Error(`found ${owner.kind}`);
  };
  const room = (at: number): number => (at * 7) % size;
  const paths = microsecondsOf((at) => find(one, "shop.example", room(at)), 1_000);
  note("a path's room, by rooms of one host", "µs", size, paths);
  const hosts = microsecondsOf((at) => find(many, `shop-${room(at)}.example`, room(at)), 1_000);
  note("a path's room, by rooms with a host each", "µs", size, hosts);
};

const byRules = (size: number): void => {
  const rules = Array.from({ length: size }, (_, n): BypassRule => {
    const expression = RULE_KINDS[n % RULE_KINDS.length]?.(n) ?? "false";
    return {
      id: `${n}`,
      version: 1,
      expression,
      description: "",
      enabled: true,
      updatedAt: instant(0),
    };
  });
  const bypass = new Bypass(rules);
  const request = requestOf({ url: "https://shop.example/tickets/4711?from=list", headers: {} });
  const readings = readingsOf(request.path) ?? [];
  const cost = microsecondsOf(() => void bypass.ruleFor(request, readings), 1_000);
  note("rules that do not match, by rules", "µs", size, cost);
};

/** A request that is refused without asking any object, by the rooms that there are. */
const atTheWorker = async (): Promise<void> => {
  const origin = await startOrigin();
  const load = startLoadGenerator();
  const served = await serve({ origin: origin.url });
  let made = 0;
  for (const size of full([1, 10, 100, 1_000], [1, 10])) {
    for (; made < size; made += 1)
      await served.rooms.createRoom(roomOf(`room-${made}`, { queue_all: true }));
    // An isolate keeps definitions for 5 s.
    await new Promise((done) => setTimeout(done, 6_000));
    const { host } = new URL(served.url);
    const requests = [requestText("GET", "/room-0/picture.png", host, { Accept: "image/*" })];
    const costs: number[] = [];
    for (let round = 0; round <= full(5, 1); round += 1) {
      const before = served.cpuMs();
      const run = { url: served.url, requests, connections: 64, seconds: full(2, 1) };
      const { answers } = onlyStatuses(await load.run(run), 503);
      if (round > 0) costs.push(((served.cpuMs() - before) * 1_000) / answers);
    }
    note("a request that is refused, by rooms", "µs of processor time", size, median(costs));
  }
  load.stop();
  origin.stop();
  await served.stop();
};

for (const size of SIZES) byWaiting(size);
for (const size of SIZES) byAddresses(size);
for (const size of SIZES.filter((size) => size <= 100_000)) byInside(size);
for (const size of [...SIZES, ...full([10_000_000], [])]) byLived(size);
for (const size of SIZES.filter((size) => size <= 10_000)) byLocks(size);
for (const size of SIZES) byKeys(size);
for (const size of SIZES.filter((size) => size <= 1_000)) byRooms(size);
for (const size of [1, 10, 100]) byRules(size);
await atTheWorker();

/**
 * What grows as its work does: a restart reads all who wait, and the visits of the last minutes whose
 * passes may still live; a tick tells where everybody stands; and each rule is asked.
 */
const GROWS = new Map([
  ["a restart, by waiting", 1],
  ["a restart, by tickets lived", 0.4],
  ["a tick, by waiting", 1],
  ["rules that do not match, by rules", 1],
]);
/** A power that a cost which does not grow stays below, with the noise of caches and collections. */
const FLAT = 0.1;

const drawn = [...curves].map(([name, { unit, points }]): Curve => ({ name, unit, points }));
if (!isQuick) writeFileSync(new URL("growth.svg", import.meta.url), drawingOf(drawn));
publish({
  name: "growth",
  title: "How costs grow",
  about:
    "Each cost at 1, 10, 100 and so on of what it could grow with; the figure is the power of the size by which it " +
    "grows, least squares over both logarithms: 0 does not grow, 1 grows as the size does. The core in plain Node, " +
    `its rows in memory; medians of ${TURNS} turns. [The curves](growth.svg).`,
  figures: drawn.map(({ name, points }): Figure => {
    const most = (GROWS.get(name) ?? 0) + FLAT;
    return { what: name, unit: "power", ours: exponentOf(points), target: { of: "ours", most } };
  }),
  notes: drawn.map(
    ({ name, unit, points }) =>
      `${name} (${unit}): ${points.map(({ size, cost }) => `${size.toLocaleString("en")}: ${cost.toPrecision(3)}`).join(", ")}.`,
  ),
});
