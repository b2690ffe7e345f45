import { RpcTarget } from "cloudflare:workers";
import type { PermitInHand } from "../contract.ts";

/** What a request is given to hold. */
export class PermitHandle extends RpcTarget implements PermitInHand {
  readonly #end: () => Promise<void>;

  constructor(end: () => Promise<void>) {
    super();
    this.#end = end;
  }

  end(): Promise<void> {
    return this.#end();
  }
}
