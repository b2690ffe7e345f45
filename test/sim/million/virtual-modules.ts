import { fileURLToPath } from "node:url";
import { runInThisContext } from "node:vm";
import { build } from "esbuild";
import type { LobbyRpc, RoomRpc } from "../../../src/durable/contract.ts";
import type { backoff, jittered, returnsIn } from "../../../static/queue/client/timing.ts";
import type { VirtualPlatform } from "./virtual-platform.ts";

/** What the runtime calls besides. */
interface Woken {
  alarm(): void | Promise<void>;
  webSocketMessage(socket: unknown, message: string): void;
  webSocketClose(socket: unknown, code: number, reason: string): void;
}

type RoomObject = RoomRpc & Woken;
type LobbyObject = LobbyRpc & Woken;

/** The objects' classes as they stand in src/durable, and how the page spreads its tries, on a virtual platform. */
export interface VirtualModules {
  readonly Room: new (ctx: unknown, env: unknown) => RoomObject;
  readonly Lobby: new (ctx: unknown, env: unknown) => LobbyObject;
  readonly backoff: typeof backoff;
  readonly returnsIn: typeof returnsIn;
  readonly jittered: typeof jittered;
}

/** A text that a fault puts in the place of another, in a file. */
export type SourcePatch = readonly [file: string, there: string, instead: string];

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const WANTED = `
  export * from "./src/durable/room/room.ts";
  export * from "./src/durable/lobby/lobby.ts";
  export { backoff, jittered, returnsIn } from "./static/queue/client/timing.ts";
`;

/** What they take from the runtime, and where the virtual platform has it. */
const FROM_PLATFORM = {
  "Date.now": "platform.now",
  "scheduler.wait": "platform.wait",
  setTimeout: "platform.setTimeout",
  clearTimeout: "platform.clearTimeout",
  "crypto.randomUUID": "platform.randomUUID",
  "crypto.getRandomValues": "platform.getRandomValues",
  WebSocket: "platform.WebSocket",
  WebSocketPair: "platform.WebSocketPair",
  WebSocketRequestResponsePair: "platform.WebSocketRequestResponsePair",
  Response: "platform.Response",
  "console.error": "platform.logError",
  "console.log": "platform.logNews",
  "Math.random": "platform.random",
};

const RUNTIME = `
  export class DurableObject { constructor(ctx, env) { this.ctx = ctx; this.env = env; } }
  export class RpcTarget {}
`;

const bundled = new Map<string, Promise<string>>();

const bundle = async (patches: readonly SourcePatch[]): Promise<string> => {
  const unused = new Set(patches);
  const { outputFiles } = await build({
    stdin: { contents: WANTED, resolveDir: ROOT },
    bundle: true,
    format: "iife",
    globalName: "modules",
    platform: "neutral",
    target: "es2024",
    mainFields: ["module", "main"],
    define: FROM_PLATFORM,
    write: false,
    plugins: [
      {
        name: "virtual-runtime",
        setup: (bundler) => {
          bundler.onResolve({ filter: /^cloudflare:workers$/ }, () => ({
            path: "runtime",
            namespace: "virtual",
          }));
          bundler.onLoad({ filter: /./, namespace: "virtual" }, () => ({ contents: RUNTIME }));
          if (patches.length > 0)
            bundler.onLoad({ filter: /\.ts$/ }, ({ path }) => patched(path, unused));
        },
      },
    ],
  });
  for (const [file, there] of unused) throw new Error(`${file} has no "${there}" any more`);
  return outputFiles[0]?.text ?? "";
};

const patched = async (path: string, unused: Set<SourcePatch>) => {
  const { readFile } = await import("node:fs/promises");
  let contents = await readFile(path, "utf8");
  for (const patch of unused) {
    const [file, there, instead] = patch;
    if (path !== `${ROOT}${file}` || !contents.includes(there)) continue;
    contents = contents.replace(there, () => instead);
    unused.delete(patch);
  }
  return { contents, loader: "ts" as const };
};

type Make = (platform: VirtualPlatform) => VirtualModules;

/** The source is bundled once a process; what it takes from the platform is each world's own. */
export const virtualModules = async (
  platform: VirtualPlatform,
  patches: readonly SourcePatch[] = [],
): Promise<VirtualModules> => {
  const key = JSON.stringify(patches);
  const code = bundled.get(key) ?? bundle(patches);
  bundled.set(key, code);
  const text = `(platform) => {\n${await code}\nreturn modules;\n}`;
  const make = runInThisContext(text, "virtual-modules.js") as Make;
  return make(platform);
};
