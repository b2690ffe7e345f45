import { runInDurableObject } from "cloudflare:test";
import { SqlRoomStore } from "../../src/durable/room/store.ts";
import { roomStoreContract } from "../core/room/store-contract.ts";
import { objects } from "./objects.ts";

let stores = 0;

roomStoreContract("in SQLite", (use) => {
  stores += 1;
  const stub = objects.ROOM.getByName(`store-${stores}`);
  return runInDurableObject(stub as never, (_: unknown, state: DurableObjectState) => {
    const store = new SqlRoomStore(state.storage);
    store.prepare();
    use(store);
  });
});
