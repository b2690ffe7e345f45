import { Hono } from "hono";
import { PREFIX } from "../durable/contract.ts";
import { Room } from "../durable/room.ts"; // bites: no-restricted-imports no-cycle

export const app = { Hono, PREFIX, Room };
