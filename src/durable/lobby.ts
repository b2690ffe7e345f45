import { DurableObject } from "cloudflare:workers";

export class Lobby extends DurableObject {}
