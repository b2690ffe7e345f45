import { DurableObject } from "cloudflare:workers";

export class Registry extends DurableObject {}
