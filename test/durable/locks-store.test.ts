import { runInDurableObject } from "cloudflare:test";
import { SqlLocksStore } from "../../src/durable/locks-store.ts";
import { locksStoreContract } from "../core/locks/store-contract.ts";
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
