import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { lobbyIndex } from "../../src/core/ids.ts";
import { SqlRoomStore, type JournalLimits } from "../../src/durable/room/store.ts";
import { seeded } from "../core/room/seeded.ts";
import { contentsOf } from "../core/room/stored-contents.ts";
import { World } from "../core/room/world.ts";
import { objects } from "./objects.ts";

let stores = 0;
const inStorage = (use: (storage: DurableObjectStorage) => void): Promise<void> => {
  stores += 1;
  const stub = objects.ROOM.getByName(`journal-${stores}`);
  return runInDurableObject(stub as never, (_: unknown, { storage }: DurableObjectState) =>
    use(storage),
  );
};

const LIMITS: JournalLimits = {
  steps: 100,
  characters: 1_000_000,
  quietMs: 2_000,
  quietPermits: 32,
};
const storeOf = (storage: DurableObjectStorage, limits: Partial<JournalLimits> = {}) => {
  const store = new SqlRoomStore(storage, { ...LIMITS, ...limits });
  store.prepare();
  return store;
};

const countOf = (storage: DurableObjectStorage, what: string): number =>
  Number(storage.sql.exec(`SELECT count(*) AS n FROM ${what}`).one()["n"]);
const headOf = (storage: DurableObjectStorage): string =>
  String(storage.sql.exec("SELECT value FROM head").one()["value"]);

/** Writes what the world's last step has changed. */
const writeTo = (store: SqlRoomStore, { last }: World): void => store.write(last?.changes ?? []);

/** A room whose steps come 10 ms after one another, and that writes to this store as well. */
const busyRoom = (store: SqlRoomStore) => {
  const world = new World({ permitsMax: 5 });
  world.alerts = null;
  let written = 0;
  writeTo(store, world);
  const step = (run: () => void): void => {
    world.now += 10;
    run();
    writeTo(store, world);
    if ((world.last?.changes.length ?? 0) > 0) written += 1;
  };
  /** Answers how many steps had anything to write. */
  const live = (visitors: number): number => {
    const before = written;
    for (let visitor = 0; visitor < visitors; visitor += 1) {
      let number = 0;
      step(() => (number = world.join({ lobby: lobbyIndex(0) })));
      step(() => world.claim(number));
      if (world.visiting > 3)
        step(() => world.end(Number([...world.state.permits.all()][0]?.permit.number)));
    }
    return written - before;
  };
  return { world, live };
};

/** How many rows the statements wrote that ran meanwhile. */
const rowsWritten = ({ sql }: DurableObjectStorage, work: () => void): number => {
  const { exec } = sql;
  let rows = 0;
  sql.exec = ((query: string, ...bindings: SqlStorageValue[]) => {
    const cursor = exec.call(sql, query, ...bindings);
    const found = cursor.toArray();
    rows += cursor.rowsWritten;
    return { toArray: () => found };
  }) as never;
  work();
  sql.exec = exec;
  return rows;
};

test("[STORE-12] whenever the object dies, its rows say what the steps before have said", () =>
  inStorage((storage) => {
    const random = seeded(14);
    const world = new World({ permitsMax: 3, claimWithinMs: 5_000 });
    world.alerts = null;
    let store = storeOf(storage, { steps: 7 });
    writeTo(store, world);
    for (let count = 0; count < 600; count += 1) {
      world.now += random(3) === 0 ? 2_500 : 20;
      const out = [...world.state.permits.all()].map(({ permit }) => permit);
      const number = Number(out[random(out.length || 1)]?.number ?? 1);
      const choice = random(6);
      if (choice < 2) world.join({ lobby: lobbyIndex(random(2)) });
      else if (choice === 2) world.claim(number);
      else if (choice === 3) world.end(number);
      else if (choice === 4) world.leave(world.state.line.issued - random(4));
      else world.tick();
      writeTo(store, world);
      if (random(10) > 0) continue;
      store = storeOf(storage, { steps: 7 });
      expect(contentsOf(store.load())).toEqual(contentsOf(world.store.load()));
    }
    expect(world.tally("finished")).toBeGreaterThan(20);
  }));

test("[STORE-13] a step of a busy room costs one row, and the tables are written once in so many", () =>
  inStorage((storage) => {
    const store = storeOf(storage);
    const { world, live } = busyRoom(store);
    live(10);
    for (let step = 0; step < 60; step += 1) {
      world.now += 10;
      world.join();
      const isMarked = headOf(storage).startsWith("journal/2 ");
      const rows = rowsWritten(storage, () => writeTo(store, world));
      if (isMarked && headOf(storage).startsWith("journal/2 ")) expect(rows).toBe(1);
    }
    let steps = 0;
    const rows = rowsWritten(storage, () => (steps = live(300)));
    expect(steps).toBeGreaterThanOrEqual(300);
    // For each 100 steps besides, the few rows that they have changed.
    expect(rows).toBeLessThan(steps * 1.15);
    expect(countOf(storage, "journal")).toBe(100);
    expect(contentsOf(storeOf(storage).load())).toEqual(contentsOf(world.store.load()));
  }));

test("[STORE-13] the tables are written before the journal is too long, and with a step that is", () =>
  inStorage((storage) => {
    const store = storeOf(storage, { characters: 40_000 });
    const { world, live } = busyRoom(store);
    const size = () => {
      const [, since] = headOf(storage).split("journal/2 ");
      if (since === undefined) return 0;
      const sql = "SELECT sum(length(value)) AS n FROM journal WHERE sequence > ?";
      return Number(storage.sql.exec(sql, Number(since)).one()["n"]);
    };
    let longest = 0;
    for (let visitor = 0; visitor < 60; visitor += 1) {
      live(1);
      longest = Math.max(longest, size());
    }
    expect(longest).toBeGreaterThan(20_000);
    expect(longest).toBeLessThanOrEqual(40_000);
    world.now += 10;
    world.crowd(2_000);
    writeTo(store, world);
    // The journal goes on with the head.
    expect(size()).toBeLessThan(2_000);
    expect(contentsOf(store.load())).toEqual(contentsOf(world.store.load()));
  }));

test("[STORE-14] a step that comes 2 s after the one before it leaves everything in the tables, as earlier versions had it", () =>
  inStorage((storage) => {
    const store = storeOf(storage);
    const { world, live } = busyRoom(store);
    live(5);
    world.now += 1_999;
    world.join();
    writeTo(store, world);
    expect(headOf(storage)).toMatch(/^journal\/2 \d+$/);
    world.now += 2_000;
    world.join();
    writeTo(store, world);
    expect(JSON.parse(headOf(storage))).toMatchObject({ issued: 7 });
    storage.sql.exec("DELETE FROM journal");
    expect(contentsOf(storeOf(storage).load())).toEqual(contentsOf(world.store.load()));
  }));

test("[STORE-14] an earlier version cannot read a room whose last steps are in the journal only", () =>
  inStorage((storage) => {
    const { live } = busyRoom(storeOf(storage));
    live(5);
    expect(() => JSON.parse(headOf(storage)) as unknown).toThrow(SyntaxError);
  }));

test("[STORE-14] what an earlier version wrote to the tables meanwhile is not overwritten by an old journal", () =>
  inStorage((storage) => {
    const store = storeOf(storage);
    const { world, live } = busyRoom(store);
    live(5);
    world.now += 5_000;
    world.join();
    writeTo(store, world);
    const head = { ...(JSON.parse(headOf(storage)) as { issued: number }), issued: 900 };
    storage.sql.exec("UPDATE head SET value = ?", JSON.stringify(head));
    const again = storeOf(storage);
    expect(again.load().head).toMatchObject({ issued: 900 });
    live(2);
    expect(storeOf(storage).load().head).toMatchObject({ issued: 8 });
  }));

test("[STORE-16] permits that move in a busy room are many to a row, and each has its row once the room is quiet", () =>
  inStorage((storage) => {
    const store = storeOf(storage);
    const world = new World({ permitsMax: 600, startsPerMinuteMax: 1_000_000 });
    world.alerts = null;
    writeTo(store, world);
    const numbers = world.crowd(600);
    writeTo(store, world);
    for (const number of numbers) {
      world.now += 10;
      world.claim(number);
      writeTo(store, world);
    }
    expect(countOf(storage, "permit")).toBe(0);
    expect(countOf(storage, "permit_page")).toBe(3);
    expect(contentsOf(storeOf(storage).load())).toEqual(contentsOf(world.store.load()));
    world.now += 2_000;
    world.end(numbers[0] ?? 0);
    writeTo(storeOf(storage), world);
    expect(countOf(storage, "permit_page")).toBe(0);
    expect(countOf(storage, "permit")).toBe(599);
    expect(JSON.parse(headOf(storage))).toMatchObject({ issued: 600 });
    expect(contentsOf(storeOf(storage).load())).toEqual(contentsOf(world.store.load()));
  }));

test("[STORE-16] a step after which a large room is quiet gives so many permits their rows, and the next ones the others", () =>
  inStorage((storage) => {
    const store = storeOf(storage, { characters: 10_000_000 });
    const world = new World({ permitsMax: 6_000, startsPerMinuteMax: 1_000_000 });
    world.alerts = null;
    writeTo(store, world);
    for (const crowd of [2_000, 2_000, 2_000]) {
      world.crowd(crowd);
      writeTo(store, world);
    }
    world.now += 10;
    // What comes over a hundred steps goes to the tables.
    for (let step = 0; step < 100; step += 1) {
      world.join({ lobby: lobbyIndex(0) });
      writeTo(store, world);
    }
    const pages = countOf(storage, "permit_page");
    expect(pages).toBe(Math.ceil(6_000 / 256));
    world.now += 2_000;
    world.join();
    writeTo(store, world);
    expect(countOf(storage, "permit_page")).toBe(pages - 16);
    expect(countOf(storage, "permit")).toBe(16 * 256);
    expect(headOf(storage)).toMatch(/^journal\/2 /);
    expect(contentsOf(storeOf(storage).load())).toEqual(contentsOf(world.store.load()));
    world.now += 2_000;
    world.join();
    writeTo(storeOf(storage), world);
    expect(countOf(storage, "permit")).toBe(6_000);
    expect(JSON.parse(headOf(storage))).toMatchObject({ issued: 6_102 });
  }));

test("[STORE-16] a permit that has moved since its page was written is written once", () =>
  inStorage((storage) => {
    const store = storeOf(storage);
    const world = new World({ permitsMax: 60, startsPerMinuteMax: 1_000_000 });
    world.alerts = null;
    writeTo(store, world);
    const numbers = world.crowd(60);
    writeTo(store, world);
    for (let step = 0; countOf(storage, "permit_page") === 0 && step < 120; step += 1) {
      world.now += 10;
      world.join();
      writeTo(store, world);
    }
    expect(countOf(storage, "permit_page")).toBe(1);
    for (const number of numbers) {
      world.leave(number);
      writeTo(store, world);
    }
    for (let waiting = 61; world.visiting + world.called > 0; waiting += 1) {
      world.leave(waiting);
      writeTo(store, world);
    }
    world.now += 2_000;
    world.tick();
    world.join();
    const rows = rowsWritten(storage, () => writeTo(store, world));
    expect(countOf(storage, "permit")).toBe(1);
    expect(rows).toBeLessThan(20);
    expect(contentsOf(storeOf(storage).load())).toEqual(contentsOf(world.store.load()));
  }));

test.each([
  [32, 32],
  [33, 0],
])(
  "[STORE-17] a step after a quiet time that calls %i visitors writes %i rows of permits",
  (visitors, rows) =>
    inStorage((storage) => {
      const store = storeOf(storage);
      const world = new World({ permitsMax: 100, startsPerMinuteMax: 1_000_000 });
      world.alerts = null;
      writeTo(store, world);
      world.now += 2_000;
      world.crowd(visitors);
      writeTo(store, world);
      expect(countOf(storage, "permit")).toBe(rows);
      expect(headOf(storage).startsWith("journal/2 ")).toBe(rows === 0);
      expect(contentsOf(storeOf(storage).load())).toEqual(contentsOf(world.store.load()));
      world.now += 2_000;
      world.tick();
      world.claim(1);
      writeTo(storeOf(storage), world);
      expect(countOf(storage, "permit")).toBe(visitors);
      expect(JSON.parse(headOf(storage))).toMatchObject({ issued: visitors });
    }),
);

test("[STORE-16] what the version before wrote, whose journal knew no pages of permits, is read", () =>
  inStorage((storage) => {
    const { world, live } = busyRoom(storeOf(storage));
    live(5);
    storage.sql.exec("UPDATE head SET value = replace(value, 'journal/2', 'journal')");
    storage.sql.exec("DROP TABLE permit_page");
    expect(contentsOf(storeOf(storage).load())).toEqual(contentsOf(world.store.load()));
  }));

test("[STORE-15] a journal that lacks a step is not taken for a whole one", () =>
  inStorage((storage) => {
    const { live } = busyRoom(storeOf(storage));
    live(5);
    const sql = "DELETE FROM journal WHERE sequence = (SELECT max(sequence) - 1 FROM journal)";
    storage.sql.exec(sql);
    expect(() => storeOf(storage).load()).toThrow("no step of the journal is missing");
    storage.sql.exec("DELETE FROM journal");
    expect(() => storeOf(storage).load()).toThrow("has steps");
  }));
