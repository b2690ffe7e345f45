import { Hono } from "hono"; // bites: no-restricted-imports
import { app } from "../worker/app.ts"; // bites: no-restricted-imports no-cycle
import { instant } from "../core/pure.ts";

export class Room {
  readonly parts = { Hono, app, instant };
}
