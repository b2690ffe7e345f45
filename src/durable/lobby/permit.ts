import { RpcTarget } from "cloudflare:workers";
import type { PermitStub } from "../contract.ts";

/** What a request is given to hold. */
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
