/**
 * Reads a request once for everything that follows: host, path, client, reference. It judges
 * nothing.
 */
import type { Client, TrustedProxies } from "../../core/address/trusted-proxies.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import type { VisitorId } from "../../core/ids.ts";
import { SilentRegions } from "../../core/regions/silent-regions.ts";
import type { Whereabouts } from "../../core/regions/nearest.ts";
import { CHAIN_HEADER, clientIn, isFromTrusted, trustedBy } from "./client-address.ts";
import type { Env } from "../platform/env.ts";
import type { Ports } from "../platform/ports.ts";
import { referenceOf } from "../../core/reference.ts";
import { randomReference } from "../platform/reference.ts";
import { AskedUrl } from "./asked-url.ts";
import { SentHeaders } from "./sent-headers.ts";

/**
 * One request, with what is worked out of it once and early. A class, as an object with getters of
 * its own is expensive to make, and every request makes one.
 */
export class Arrival {
  readonly request: Request;
  readonly method: string;
  /** As parsed, so that plain dot segments and backslashes are resolved. The origin is sent this. */
  readonly asked: AskedUrl;
  readonly host: string;
  readonly isHttps: boolean;
  /** The canonical path first; null when the path has no single meaning. */
  readonly readings: readonly [string, ...string[]] | null;
  readonly env: Env;
  readonly waitUntil: (work: Promise<unknown>) => void;
  /** Ends the request's context in the middle of its work. */
  readonly abort: (reason: string) => void;
  /** What its isolate knows of regions that do not answer. */
  readonly silentRegions: SilentRegions;
  readonly #ports: Ports;
  /** The request as it came: only that one tells the client's address. */
  #client: Request;
  #headers: SentHeaders | null = null;
  #body: ReadableStream | null | undefined;
  #reference: string | null = null;
  #visitor: VisitorId | null = null;
  #visitorsReference: string | null = null;

  constructor(
    ports: Ports,
    request: Request,
    env: Env,
    waitUntil: (work: Promise<unknown>) => void,
    abort: (reason: string) => void = () => undefined,
    silentRegions: SilentRegions = new SilentRegions(ports.now),
  ) {
    this.request = request;
    this.#client = request;
    this.method = request.method;
    this.asked = new AskedUrl(request.url);
    this.host = this.asked.server.canonicalHost;
    this.readings = this.asked.readings;
    this.env = env;
    this.isHttps = isHttps(this);
    this.waitUntil = waitUntil;
    this.abort = abort;
    this.silentRegions = silentRegions;
    this.#ports = ports;
  }

  get url(): URL {
    return this.asked.whole;
  }

  get body(): ReadableStream | null {
    if (this.#body === undefined) this.#body = this.request.body;
    return this.#body;
  }

  get headers(): SentHeaders {
    return (this.#headers ??= new SentHeaders(this.request.headers));
  }

  /** Until somebody asks for them again. */
  forgetHeaders(): void {
    this.#headers = null;
  }

  /**
   * A short code on the page and in the log. A visitor's stays the same; without a known visitor it
   * is random. Made only when asked for, as most requests are let through and never show it.
   */
  get reference(): string {
    if (this.#visitor === null) return (this.#reference ??= randomReference(this.#ports));
    return (this.#visitorsReference ??= referenceOf(this.#visitor));
  }

  /** Notes the request's visitor: by visitor id, or by the reference in a pass. */
  isOf(visitor: VisitorId | null, reference: string | null = null): void {
    if (visitor !== null && visitor !== this.#visitor) {
      this.#visitor = visitor;
      this.#visitorsReference = null;
    }
    this.#reference = reference ?? this.#reference;
  }

  /** Where it came from, as far as the platform says. */
  get whereabouts(): Whereabouts {
    const { cf } = this.#client as { readonly cf?: Whereabouts };
    return cf ?? {};
  }

  /** The client's address, where it can be trusted, for what is counted for the whole deployment. */
  get address(): string | null {
    return this.clientOf(null).address;
  }

  /**
   * The client, and the chain of addresses that it sent itself, as the room sees them: a room may
   * trust other proxies than the deployment does.
   */
  clientOf(
    room: Pick<RoomDefinition, "trustedProxies"> | null,
    chain = this.#client.headers.get(CHAIN_HEADER) ?? "",
  ): Client {
    const trusted = room?.trustedProxies ?? this.#trusted();
    return clientIn(this.#client, this.env, trusted, chain);
  }

  /** Does a proxy stand before us that the room trusts? */
  isFromTrusted(room: Pick<RoomDefinition, "trustedProxies"> | null): boolean {
    return isFromTrusted(this.#client, this.env, room?.trustedProxies ?? this.#trusted());
  }

  /** A setting that cannot be read trusts nobody. */
  #trusted(): TrustedProxies | null {
    const trusted = trustedBy(this.env);
    if (trusted !== "unreadable") return trusted;
    const { reference } = this;
    this.#ports.log({ level: "error", event: "trusted-proxies-unreadable", reference });
    return null;
  }

  /** A copy for a request that was made anew from this one's. */
  with(request: Request): Arrival {
    const { env, waitUntil, abort, silentRegions } = this;
    const copy = new Arrival(this.#ports, request, env, waitUntil, abort, silentRegions);
    copy.#client = this.#client;
    copy.#reference = this.reference;
    copy.#visitor = this.#visitor;
    return copy;
  }
}

/**
 * Where the Worker runs on one machine, a proxy may end TLS. Any client is believed: it can spoil
 * only its own cookies.
 */
const isHttps = ({ asked, headers, env }: Pick<Arrival, "asked" | "headers" | "env">): boolean =>
  asked.server.protocol === "https:" ||
  (env.LOCAL === "1" && headers.get("x-forwarded-proto")?.split(",")[0]?.trim() === "https");
