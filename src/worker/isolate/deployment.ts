/**
 * This isolate's copy of rooms and keys, refreshed from the Registry. How long a copy is good is
 * stale-while-revalidate.ts.
 */
import type { RoomDefinition } from "../../core/definition.ts";
import { DEFINITIONS_UNHEARD_MAX_MS } from "../../core/token-lives.ts";
import { ZONE_DEFAULTS, type ZoneSettings } from "../../core/zone-settings.ts";
import type { Arrival } from "../arrival/arrival.ts";
import type { Ports } from "../platform/ports.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import { Keyring, parseSigningKeys } from "../tokens/keyring.ts";
import { RouteTable } from "../../core/gate/route-table.ts";
import { callObject } from "./call-object.ts";
import { KnownTokens } from "./known-tokens.ts";
import { DEFINITION_TIMES, StaleWhileRevalidate } from "./stale-while-revalidate.ts";
import type { Fetched } from "./stale-while-revalidate.ts";

/** All that one deployment's rooms share, at one version of the definitions. */
export interface Deployment {
  readonly version: number;
  readonly rooms: readonly RoomDefinition[];
  readonly routes: RouteTable;
  readonly keys: Keyring;
  readonly settings: ZoneSettings;
  readonly tokens: KnownTokens;
}

/** This isolate's copy of the rooms' definitions and the signing keys. */
export class Deployments {
  readonly #ports: Ports;
  readonly #kept: StaleWhileRevalidate<Deployment>;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#kept = new StaleWhileRevalidate(ports, DEFINITION_TIMES);
  }

  /** Null when there never was one, or the last is a day old: then nothing may pass. */
  current(arrival: Arrival): MaybePromise<Deployment | null> {
    const { fresh } = this.#kept;
    return fresh === null ? this.#refreshed(arrival) : fresh.value;
  }

  /**
   * The tokens of operators. Null while the Registry is silent: a token that may have been revoked
   * since opens nothing.
   */
  async tokens(arrival: Arrival): Promise<KnownTokens | null> {
    const deployment = await this.current(arrival);
    return this.#kept.ageMs < DEFINITION_TIMES.staleMs ? (deployment?.tokens ?? null) : null;
  }

  /** A definition has just been changed through this isolate. */
  expire(): void {
    this.#kept.expire();
  }

  async #refreshed(arrival: Arrival): Promise<Deployment | null> {
    const taken = await this.#kept.read(() => this.#ask(arrival), arrival.waitUntil);
    if (this.#kept.ageMs >= DEFINITION_TIMES.staleMs) this.#logSilence(arrival, taken !== null);
    return taken !== null && this.#kept.ageMs < DEFINITIONS_UNHEARD_MAX_MS ? taken.value : null;
  }

  async #ask(arrival: Arrival): Promise<Fetched<Deployment>> {
    const askedAt = this.#ports.now();
    const known = this.#kept.taken?.value ?? null;
    const { env } = arrival;
    const reply = await callObject(this.#ports, () =>
      env.REGISTRY.getByName("registry").definitions(known?.version ?? null),
    );
    if (reply === null) {
      if (known === null) throw new Error("the Registry gave no definitions");
      return { value: known, takenAt: askedAt };
    }
    const signing =
      env.SIGNING_KEYS === undefined ? reply.keys : parseSigningKeys(env.SIGNING_KEYS);
    const value: Deployment = {
      version: reply.version,
      rooms: reply.rooms,
      routes: new RouteTable(reply.rooms, env.ORIGIN),
      keys: await Keyring.of(signing),
      settings: reply.settings ?? ZONE_DEFAULTS,
      tokens: new KnownTokens(reply.tokens ?? []),
    };
    return { value, takenAt: askedAt };
  }

  #logSilence(arrival: Arrival, isOld: boolean): void {
    this.#ports.log({
      level: "error",
      event: isOld ? "definitions-old" : "definitions-missing",
      reference: arrival.reference,
      ...this.#kept.silence,
    });
  }
}

/** A room by name (in any case) or id. */
export const findRoom = (deployment: Deployment, nameOrId: string): RoomDefinition | null => {
  const wanted = nameOrId.toLowerCase();
  return (
    deployment.rooms.find((room) => room.id === wanted || room.name.toLowerCase() === wanted) ??
    null
  );
};
