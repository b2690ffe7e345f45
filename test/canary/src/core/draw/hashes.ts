import { sha256 } from "@noble/hashes/sha2.js";
import { createHash } from "node:crypto"; // bites: no-restricted-imports
import { Hono } from "hono"; // bites: no-restricted-imports
import { Room } from "../../durable/room.ts"; // bites: no-restricted-imports
import { instant } from "../pure.ts";

export const imported = { sha256, createHash, Hono, Room, instant };
export const throwsDice = () => crypto.getRandomValues(new Uint8Array(32)); // bites: no-restricted-globals
