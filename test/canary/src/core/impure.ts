import { readFileSync } from "node:fs"; // bites: no-restricted-imports
import { Hono } from "hono"; // bites: no-restricted-imports
import { Room } from "../durable/room.ts"; // bites: no-restricted-imports
import type { LobbyRpc } from "../durable/contract.ts"; // bites: no-restricted-imports
import { app } from "../worker/app.ts"; // bites: no-restricted-imports
import { instant } from "./pure.ts";

export const imported = { readFileSync, Hono, Room, app, instant };
export type Imported = LobbyRpc;

export const readsTheClock = () => Date.now(); // bites: no-restricted-globals no-restricted-properties
export const readsItToo = () => new Date(); // bites: no-restricted-globals
export const readsItFinely = () => performance.now(); // bites: no-restricted-globals
export const throwsDice = () => Math.random(); // bites: no-restricted-properties
export const makesIds = () => crypto.randomUUID(); // bites: no-restricted-globals
export const asksTheNetwork = () => fetch("http://127.0.0.1/"); // bites: no-restricted-globals
export const waits = () => setTimeout(() => undefined, 1); // bites: no-restricted-globals
export const repeats = () => setInterval(() => undefined, 1); // bites: no-restricted-globals
export const evades = () => globalThis.Date.now(); // bites: no-restricted-globals
export const talks = () => console.log("hello"); // bites: no-console
