/** What rules may ask of a request. How their expressions are read and run is core/rules. */
import { parseAddress, type IpAddress } from "../../core/address/ip-address.ts";
import type { RuleRequest, TextMap } from "../../core/rules/fields.ts";
import type { GateContext } from "../admission/context.ts";

const NOTHING: Readonly<Record<string, unknown>> = {};

/** A request as a rule asks it. What is expensive to work out is worked out when it is asked for, once. */
export class AskedRequest implements RuleRequest {
  readonly #context: Pick<GateContext, "arrival" | "room">;
  #address: IpAddress | null | undefined = undefined;
  #headers: TextMap | null = null;
  #cookies: TextMap | null = null;
  #parameters: TextMap | null = null;
  #edge: Readonly<Record<string, unknown>> | null = null;

  constructor(context: Pick<GateContext, "arrival" | "room">) {
    this.#context = context;
  }

  get host(): string {
    return this.#context.arrival.host;
  }

  get path(): string {
    return this.#context.arrival.url.pathname;
  }

  get query(): string {
    return this.#context.arrival.url.search.slice(1);
  }

  get method(): string {
    return this.#context.arrival.request.method;
  }

  get isHttps(): boolean {
    return this.#context.arrival.isHttps;
  }

  get address(): IpAddress | null {
    if (this.#address === undefined) {
      const { arrival, room } = this.#context;
      this.#address = parseAddress(arrival.clientOf(room).address ?? "");
    }
    return this.#address;
  }

  get headers(): TextMap {
    return (this.#headers ??= listed(this.#context.arrival.request.headers));
  }

  get cookies(): TextMap {
    return (this.#cookies ??= listed(cookiesIn(this.header("cookie") ?? "")));
  }

  get parameters(): TextMap {
    return (this.#parameters ??= listed(this.#context.arrival.url.searchParams));
  }

  /**
   * What the edge says is of the peer that is connected to it: behind a proxy that is no client, and on
   * one's own machine there is no edge.
   */
  get edge(): Readonly<Record<string, unknown>> {
    const { arrival, room } = this.#context;
    if (this.#edge !== null) return this.#edge;
    const { cf } = arrival.request as { cf?: unknown };
    const isClients = arrival.env.LOCAL !== "1" && !arrival.isFromTrusted(room);
    this.#edge =
      isClients && typeof cf === "object" && cf !== null
        ? (cf as Readonly<Record<string, unknown>>)
        : NOTHING;
    return this.#edge;
  }

  header(name: string): string | null {
    return this.#context.arrival.request.headers.get(name);
  }
}

const listed = (pairs: Iterable<readonly [string, string]>): TextMap => {
  const map = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const values = map.get(name);
    if (values === undefined) map.set(name, [value]);
    else values.push(value);
  }
  return map;
};

function* cookiesIn(header: string): Generator<readonly [string, string]> {
  for (const part of header.split(";")) {
    const equals = part.indexOf("=");
    if (equals > 0) yield [part.slice(0, equals).trim(), part.slice(equals + 1).trim()];
  }
}
