/**
 * What a second's forecast of the waits costs the Room, in processor time: rooms of few and of very
 * many permits, all of them held, with a crowd in line. `node bench/wait-table.ts`; nothing is
 * written down.
 */
import { lobbyIndex } from "../src/core/ids.ts";
import { waitTableOf } from "../src/core/room/view.ts";
import { instant } from "../src/core/time.ts";
import { JOIN, World } from "../test/core/room/world.ts";
import { median } from "./support/stats.ts";

const ROOMS = [
  { permits: 100, waiting: 1_000 },
  { permits: 100, waiting: 1_000_000 },
  { permits: 20_000, waiting: 1_000_000 },
];
/** Visits of a quarter of the room end so often, so that much is known of their lengths. */
const ROUNDS = 12;
const ROUND_MS = 120_000;
const BATCH = 500;
/** The first are the compiler's. */
const WARM_UP = 50;
const TABLES = 100;
/** A table serves for a second. */
const NEXT_TABLE_MS = 1_001;

/** So many take a ticket, are called and claim. */
const enter = (world: World, count: number): number[] => {
  const visits: number[] = [];
  for (let left = count; left > 0; left -= BATCH) {
    const numbers = world.crowd(Math.min(BATCH, left));
    world.now += 500;
    world.run({ type: "tick" });
    const claims = numbers.map((number) => ({ op: "claim", number }) as const);
    for (const reply of world.batch(claims))
      if (reply.kind === "visit") visits.push(reply.visit.visit);
  }
  return visits;
};

const roomWith = (permits: number, waiting: number): World => {
  const world = new World({ permitsMax: permits, leaseMs: 3_600_000 });
  const inside = enter(world, permits);
  for (let round = 0; round < ROUNDS; round += 1) {
    const ending = inside.splice(0, Math.ceil(permits / 4));
    for (const visit of ending) world.end(visit);
    world.now += ROUND_MS;
    inside.push(...enter(world, ending.length));
  }
  for (let joined = 0; joined < waiting; joined += BATCH)
    world.batch(new Array(BATCH).fill(JOIN), { lobby: lobbyIndex(Math.floor(joined / 8_000)) });
  return world;
};

/** Milliseconds of processor time. */
const costOf = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

console.table(
  ROOMS.map(({ permits, waiting }) => {
    const world = roomWith(permits, waiting);
    const costs: number[] = [];
    for (let made = 0; made < WARM_UP + TABLES; made += 1) {
      world.now += NEXT_TABLE_MS;
      costs.push(
        costOf(() => {
          const { unknown } = waitTableOf(world.state, instant(world.now));
          if (unknown !== null) throw new Error(`nothing to foretell: ${unknown}`);
        }),
      );
    }
    const warm = costs.slice(WARM_UP);
    return {
      held: world.state.permits.held,
      waiting: world.state.line.waiting,
      "median (ms)": median(warm).toFixed(2),
      "slowest (ms)": Math.max(...warm).toFixed(2),
    };
  }),
);
