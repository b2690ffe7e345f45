import { RpcTarget } from "cloudflare:workers";
import type { PermitStub } from "../contract.ts";

/** The object that a request is given along with its permit, to end its visit by. */
export class PermitHandle extends RpcTarget implements PermitStub {
  readonly #end: () => Promise<void>;

  constructor(end: () => Promise<void>) {
    super();
    this.#end = end;
  }

  end(): Promise<void> {
    return this.#end();
  }
}
