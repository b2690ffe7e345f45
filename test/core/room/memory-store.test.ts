import { MemoryRoomStore } from "../../../src/core/room/memory-store.ts";
import { roomStoreContract } from "./store-contract.ts";

roomStoreContract("in memory", (use) => use(new MemoryRoomStore()));
