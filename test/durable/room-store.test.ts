import { runInDurableObject } from "cloudflare:test";
import { SqlRoomStore, type JournalLimits } from "../../src/durable/room/store.ts";
import { roomStoreContract } from "../core/room/store-contract.ts";
import { objects } from "./objects.ts";

let stores = 0;

const inSqlite = (limits: JournalLimits) => (use: (store: SqlRoomStore) => void) => {
  stores += 1;
  const stub = objects.ROOM.getByName(`store-${stores}`);
  return runInDurableObject(stub as never, (_: unknown, state: DurableObjectState) => {
    const store = new SqlRoomStore(state.storage, limits);
    store.prepare();
    use(store);
  });
};

const NEVER_QUIET = { characters: 1_000_000, quietMs: Infinity, quietPermits: 32 };
const ALWAYS_QUIET = { characters: 1_000_000, quietMs: 0, quietPermits: Infinity, steps: 1_000 };

roomStoreContract("in SQLite, every step in the tables", inSqlite(ALWAYS_QUIET));
roomStoreContract("in SQLite, steps in the journal", inSqlite({ ...NEVER_QUIET, steps: 1_000 }));
roomStoreContract("in SQLite, a journal of two steps", inSqlite({ ...NEVER_QUIET, steps: 2 }));
