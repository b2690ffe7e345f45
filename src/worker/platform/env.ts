import type { LobbyRpc, RegistryRpc, RoomRpc } from "../../durable/contract.ts";
import type { LocksRpc } from "../../durable/locks/contract.ts";
import type { ObjectsOf } from "../../core/regions/objects.ts";

export type { ObjectsOf };

/** The bindings of wrangler.toml, and the secrets and variables an operator may set. */
export interface Env {
  readonly ROOM: ObjectsOf<RoomRpc>;
  readonly LOBBY: ObjectsOf<LobbyRpc>;
  readonly REGISTRY: ObjectsOf<RegistryRpc>;
  /** Absent: this deployment has no locks and no lock rules. */
  readonly LOCKS?: ObjectsOf<LocksRpc>;
  /** Turns the management API on. */
  readonly ADMIN_TOKEN?: string;
  /** Cloudflare Access before the management: `https://TEAM.cloudflareaccess.com`. With the audience it signs in. */
  readonly ACCESS_TEAM_URL?: string;
  /** The audience tags of its applications, comma-separated. */
  readonly ACCESS_AUDIENCE?: string;
  /** What those may do whom it lets in: `read` by default. */
  readonly ACCESS_SCOPE?: string;
  /** Where its keys are published, in place of the team's own address for them. */
  readonly ACCESS_CERTS_URL?: string;
  /** Turns the lock service on. */
  readonly LOCK_TOKEN?: string;
  /** `kid:secret` pairs, comma-separated, first signs; instead of the Registry's keys. */
  readonly SIGNING_KEYS?: string;
  /** Turns `Seiriken-Signature` on. `kid:secret`, or a bare secret (kid `1`). */
  readonly ORIGIN_SECRET?: string;
  /** The deployment's origin: a URL or `service:NAME`. Absent: the zone's own, by route. */
  readonly ORIGIN?: string;
  /** With a URL origin: hosts besides those of rooms that are forwarded. Comma-separated. */
  readonly PASS_HOSTS?: string;
  /** The same under `npm start` and `npm run serve`, by default, until a room names a host. */
  readonly OWN_HOSTS?: string;
  /** Turnstile's keys: with both, rooms may ask for it. */
  readonly TURNSTILE_SITE_KEY?: string;
  readonly TURNSTILE_SECRET_KEY?: string;
  /** Where tokens are verified, and the widget's script, in place of Cloudflare's. */
  readonly TURNSTILE_VERIFY_URL?: string;
  readonly TURNSTILE_SCRIPT_URL?: string;
  /** Proxies of one's own before this: how many, or their networks, comma-separated. None by default. */
  readonly TRUSTED_PROXIES?: string;
  /** What drand's GET /info answers of the chain whose rounds draws are promised by. quicknet by default. */
  readonly DRAND_CHAIN?: string;
  /** Relays of drand, comma-separated: Rooms fetch the rounds of their draws there. Cloudflare's by default. */
  readonly DRAND_URL?: string;
  /** "1" under `npm start` and `npm run serve` only: plain HTTP is expected, addresses come from the socket. */
  readonly LOCAL?: string;
}
