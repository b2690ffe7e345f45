import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { SqlLocksStore } from "../../src/durable/locks/store.ts";
import { locksStoreContract } from "../core/locks/store-contract.ts";
import { nameOf } from "../core/locks/world.ts";
import { locksObjects } from "./locks-objects.ts";

let stores = 0;

locksStoreContract("in SQLite", (use) => {
  stores += 1;
  const stub = locksObjects.getByName(`store-${stores}`);
  return runInDurableObject(stub as never, (_: unknown, state: DurableObjectState) => {
    const store = new SqlLocksStore(state.storage);
    store.prepare();
    use(store);
  });
});

test("[LOCK-16] a table of an earlier version is opened, and its records are nobody's", () => {
  const stub = locksObjects.getByName("store-of-earlier");
  return runInDurableObject(stub as never, (_: unknown, state: DurableObjectState) => {
    const { sql } = state.storage;
    sql.exec("DROP TABLE IF EXISTS answer");
    sql.exec(
      `CREATE TABLE answer (name TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, fence INTEGER NOT NULL, until INTEGER NOT NULL, state TEXT NOT NULL, status INTEGER NOT NULL, bytes INTEGER NOT NULL) WITHOUT ROWID`,
    );
    sql.exec("INSERT INTO answer VALUES (?, 'f', 7, 600000, 'finished', 201, 600)", nameOf("17"));
    const store = new SqlLocksStore(state.storage);
    store.prepare();
    store.prepare();
    const record = store.record(nameOf("17"))!;
    expect(record).toMatchObject({ client: 0, status: 201 });
    store.write([{ put: "answer", record: { ...record, fence: record.fence }, content: null }]);
    expect([...store.load().stocks]).toEqual([{ until: 600_000, client: 0, count: 1, bytes: 600 }]);
  });
});
