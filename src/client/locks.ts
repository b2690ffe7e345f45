/**
 * A client of the lock service, for Node (20 and later, with the package `ws`) and Workers.
 *
 *     const locks = new Locks({ server: "https://shop.example", token: LOCK_TOKEN });
 *     await using lock = await locks.acquire("orders", "order-17", { waitSeconds: 30 });
 *     await pay(order, { fence: lock.fence, signal: lock.signal });
 */
import { connectHere, type Connect } from "./connect.ts";
import { LocksError } from "./errors.ts";
import { LeaseLock } from "./lease-lock.ts";
import type { Lock } from "./lock.ts";
import { SocketLock } from "./socket-lock.ts";

export { LocksError } from "./errors.ts";
export type { Lock } from "./lock.ts";
export type { Connect } from "./connect.ts";

export interface LocksOptions {
  /** The deployment, such as `https://shop.example`. */
  readonly server: string;
  /** Its LOCK_TOKEN. */
  readonly token: string;
  readonly connect?: Connect;
  readonly fetch?: typeof fetch;
}

export interface AcquireOptions {
  /** Gives up waiting. It has no say over a lock that is held. */
  readonly signal?: AbortSignal;
  /** 0: now or not at all (`lock-held`). Without it: as long as it takes. */
  readonly waitSeconds?: number;
  /**
   * socket: the lock lives as long as this process and its connection. lease: over HTTP, renewed.
   * auto (default): a socket, and a lease where no socket can be opened.
   */
  readonly by?: "auto" | "socket" | "lease";
  /** Of a lease: 1 to 3,600, 30 by default. */
  readonly leaseSeconds?: number;
  /** The secret of an earlier hold that is to be resumed. 22 to 128 of A-Z, a-z, 0-9, - and _. */
  readonly owner?: string;
}

const OWNER_BYTES = 16;
const LEASE_SECONDS_DEFAULT = 30;

const newOwner = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(OWNER_BYTES))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

export class Locks {
  readonly #base: string;
  readonly #token: string;
  readonly #connect: Connect;
  readonly #fetch: typeof fetch;

  constructor({ server, token, connect, fetch: given }: LocksOptions) {
    this.#base = `${new URL(server).origin}/.seiriken/locks`;
    this.#token = token;
    this.#connect = connect ?? connectHere;
    this.#fetch = given ?? ((...args) => fetch(...args));
  }

  /** Waits for the lock and takes it. Rejects with a `LocksError`, or with the signal's reason. */
  async acquire(namespace: string, key: string, options: AcquireOptions = {}): Promise<Lock> {
    const { by = "auto", owner = newOwner(), signal, waitSeconds } = options;
    const url = `${this.#base}/${encodeURIComponent(namespace)}/${encodeURIComponent(key)}`;
    const ask = {
      namespace,
      key,
      owner,
      headers: { Authorization: `Bearer ${this.#token}`, "Seiriken-Owner": owner },
      waitMs: waitSeconds === undefined ? null : waitSeconds * 1_000,
      signal: signal ?? null,
    };
    if (by !== "lease") {
      try {
        const connect = this.#connect;
        return await SocketLock.acquire({ ...ask, connect, url: url.replace(/^http/, "ws") });
      } catch (error) {
        const noSocket = error instanceof LocksError && NO_SOCKET.includes(error.code);
        if (by === "socket" || !noSocket) throw error;
      }
    }
    const leaseSeconds = options.leaseSeconds ?? LEASE_SECONDS_DEFAULT;
    return LeaseLock.acquire({ ...ask, url, leaseSeconds, fetch: this.#fetch });
  }
}

/** Something between us and the server takes no upgrades, or there is no server at all. */
const NO_SOCKET: readonly string[] = ["unreachable", "upgrade-required", "bad-answer"];
