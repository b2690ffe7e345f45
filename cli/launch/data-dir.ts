/** One launcher for one data directory. What lies in it is the objects', and leftover.ts's. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { realpathSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, Failure } from "./failure.ts";
import { makePrivateDir } from "./private-dir.ts";

export interface ClaimedDir {
  readonly path: string;
  /** False: other users can read what lies in it, and it is not ours to change that. */
  readonly isPrivate: boolean;
  /** Notes the URL of this server, for the next launcher that asks. */
  announce(url: string): void;
  release(): void;
}

/** Socket paths longer than this are refused by some systems. */
const SOCKET_PATH_MAX = 100;
const WHO_WITHIN_MS = 1_000;

/**
 * Two runtimes on one data directory would each believe in their own Room. A socket that the owner
 * listens on says that it lives; unlike a file with a process id it can't outlive its owner.
 */
export const claimDataDir = async (directory: string): Promise<ClaimedDir> => {
  let isPrivate: boolean;
  try {
    isPrivate = makePrivateDir(directory);
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    throw new Failure("data", `the data directory can't be made: ${describe(thrown)}`);
  }
  const path = realpathSync(directory);
  const socket = socketPath(path);
  let url = "";
  const tell = () => `process ${process.pid}${url === "" ? "" : `, ${url}`}`;
  const server = await listen(socket, tell).catch(async (thrown: unknown) => {
    if (!isInUse(thrown)) throw notUsable(path, thrown);
    const owner = await askOwner(socket);
    if (owner !== null)
      throw new Failure("data-in-use", `${path} is in use by another Seiriken (${owner})`, [
        "stop that one, or give this one its own place and port: --data DIR --port 0",
      ]);
    rmSync(socket, { force: true });
    return listen(socket, tell).catch((again: unknown) => {
      throw notUsable(path, again);
    });
  });
  return {
    path,
    isPrivate,
    announce: (where) => void (url = where),
    release: () => server.close(),
  };
};

const notUsable = (path: string, thrown: unknown): Failure =>
  new Failure("data", `the data directory ${path} can't be used: ${describe(thrown)}`);

const socketPath = (directory: string): string => {
  const name = createHash("sha256").update(directory).digest("hex").slice(0, 16);
  if (process.platform === "win32") return `\\\\.\\pipe\\seiriken-${name}`;
  const inside = join(directory, "owner.sock");
  return inside.length <= SOCKET_PATH_MAX ? inside : join(tmpdir(), `seiriken-${name}.sock`);
};

const listen = async (socket: string, tell: () => string): Promise<Server> => {
  const server = createServer((client) => {
    client.on("error", () => undefined);
    client.end(tell());
  });
  server.listen(socket);
  await once(server, "listening");
  return server.unref();
};

const isInUse = (thrown: unknown): boolean =>
  thrown instanceof Error && (thrown as NodeJS.ErrnoException).code === "EADDRINUSE";

/** What a living owner says of itself, or null when nobody answers there. */
const askOwner = (socket: string): Promise<string | null> =>
  new Promise((resolve) => {
    const client = connect(socket);
    let heard = "";
    client.setTimeout(WHO_WITHIN_MS, () => client.destroy());
    client.on("data", (chunk) => (heard += chunk.toString()));
    client.on("error", () => resolve(null));
    client.on("close", () => resolve(heard === "" ? "it does not say which" : heard));
  });
