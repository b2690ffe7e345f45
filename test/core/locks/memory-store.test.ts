import { MemoryLocksStore } from "../../../src/core/locks/memory-store.ts";
import { locksStoreContract } from "./store-contract.ts";

locksStoreContract("in memory", (use) => use(new MemoryLocksStore()));
