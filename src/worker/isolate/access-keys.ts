/** The keys by which Cloudflare Access signs who it let in, as an isolate knows them. */
import { importJWK, type JWK } from "jose";
import { MINUTE_MS, SECOND_MS } from "../../core/time.ts";
import type { Arrival } from "../arrival/arrival.ts";
import type { Ports } from "../platform/ports.ts";
import {
  StaleWhileRevalidate,
  type Fetched,
  type RevalidateTimes,
} from "./stale-while-revalidate.ts";

type KeysByName = ReadonlyMap<string, CryptoKey>;

const TIMES: RevalidateTimes = {
  freshMs: 10 * MINUTE_MS,
  staleMs: 60 * MINUTE_MS,
  waitMs: 3 * SECOND_MS,
  lapseMs: 5 * SECOND_MS,
  pauseMs: 10 * SECOND_MS,
};
/** Access changes its keys every few weeks; those of a day ago may have been withdrawn. */
const UNHEARD_MAX_MS = 24 * 60 * MINUTE_MS;
/** A key that nobody knows may be new: then all are fetched again, so often at most. */
const ASKED_AGAIN_MS = MINUTE_MS;
const KEYS_MAX = 16;
const LENGTH_MAX = 65_536;

export class AccessKeys {
  readonly #ports: Ports;
  readonly #kept: StaleWhileRevalidate<KeysByName>;
  #askedAgainAt = Number.NEGATIVE_INFINITY;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#kept = new StaleWhileRevalidate(ports, TIMES);
  }

  /** Null: there is none of this name, or nobody could say. */
  async find(arrival: Arrival, url: string, kid: string): Promise<CryptoKey | null> {
    const known = (await this.#read(arrival, url))?.get(kid);
    if (known !== undefined) return known;
    const now = this.#ports.now();
    if (now - this.#askedAgainAt < ASKED_AGAIN_MS) return null;
    this.#askedAgainAt = now;
    this.#kept.expire();
    return (await this.#read(arrival, url))?.get(kid) ?? null;
  }

  async #read(arrival: Arrival, url: string): Promise<KeysByName | null> {
    const taken = await this.#kept.read(() => this.#ask(url), arrival.waitUntil);
    const { failure } = this.#kept;
    if (failure !== null) {
      const { reference } = arrival;
      const line = { level: "error", event: "access-keys-unreachable", reference } as const;
      this.#ports.log({ ...line, ...this.#kept.silence });
    }
    return taken !== null && this.#kept.ageMs < UNHEARD_MAX_MS ? taken.value : null;
  }

  async #ask(url: string): Promise<Fetched<KeysByName>> {
    const takenAt = this.#ports.now();
    const answer = await this.#ports.fetch(url, { redirect: "manual" });
    if (answer.status !== 200) {
      await answer.body?.cancel();
      throw new Error(`keys: status ${answer.status}`);
    }
    const value = await keysIn(await textWithin(answer));
    if (value.size === 0) throw new Error("keys: none that can be used");
    return { value, takenAt };
  }
}

/** At most so many bytes of a body. */
const textWithin = async (answer: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of answer.body ?? []) {
    text += decoder.decode(piece as Uint8Array, { stream: true });
    if (text.length > LENGTH_MAX) throw new Error("keys: too long");
  }
  return text;
};

/** Keys that are not of RSA, or have no name, are none of Access's. */
const keysIn = async (text: string): Promise<KeysByName> => {
  const { keys } = JSON.parse(text) as { readonly keys?: unknown };
  const found = new Map<string, CryptoKey>();
  for (const jwk of (Array.isArray(keys) ? keys : []).slice(0, KEYS_MAX) as JWK[]) {
    if (jwk.kty !== "RSA" || typeof jwk.kid !== "string" || "d" in jwk) continue;
    const key = await importJWK({ ...jwk, alg: "RS256" }, "RS256");
    if (key instanceof CryptoKey) found.set(jwk.kid, key);
  }
  return found;
};
