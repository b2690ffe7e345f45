import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, Failure } from "./failure.ts";

const TRY_AGAIN_MS = 50;

/**
 * Finds out now, with a clear message, whether we can listen there; 0 becomes a free port. A taken
 * one may become free `within` so many milliseconds.
 */
export const reservePort = async (host: string, port: number, within = 0): Promise<number> => {
  const giveUpAtMs = performance.now() + within;
  for (;;) {
    try {
      return await tryPort(host, port);
    } catch (thrown) {
      const isTaken = thrown instanceof Failure && thrown.code === "port-taken";
      if (!isTaken || performance.now() >= giveUpAtMs) throw thrown;
    }
    await sleep(TRY_AGAIN_MS);
  }
};

const tryPort = async (host: string, port: number): Promise<number> => {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
  } catch (thrown) {
    throw refusal(host, port, thrown);
  }
  const free = (server.address() as AddressInfo).port;
  server.close();
  await once(server, "close");
  return free;
};

const refusal = (host: string, port: number, thrown: unknown): Failure => {
  const code = (thrown as NodeJS.ErrnoException).code;
  switch (code) {
    case "EADDRINUSE":
      return new Failure("port-taken", `port ${port} on ${host} is taken`, [
        "stop what listens there, or take another one with --port (0 picks a free one)",
      ]);
    case "EACCES":
      return new Failure("port-forbidden", `port ${port} needs more rights than this user has`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new Failure("host", `${host} is no address of this machine`);
    default:
      return new Failure("port", `can't listen on ${host}:${port}: ${describe(thrown)}`);
  }
};

const isEveryAddress = (host: string): boolean => host === "0.0.0.0" || host === "::";

/** The names under which a server on `host` may be asked for. */
export const ownNames = (host: string): string[] => {
  const loopback = ["127.0.0.1", "localhost", "[::1]"];
  if (!isEveryAddress(host)) return [...new Set([...loopback, bracketed(host)])];
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const names = addresses.map(({ address }) => bracketed(address.replace(/%.*$/, "")));
  return [...new Set([...loopback, hostname().toLowerCase(), ...names])];
};

const bracketed = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/** A URL that reaches what listens on `host` from this machine. */
export const localUrl = (host: string, port: number): string => {
  return `http://${isEveryAddress(host) ? "127.0.0.1" : bracketed(host)}:${port}`;
};

export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
