import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManagementClient } from "../../cli/api-client.ts";
import { applyRooms } from "../../cli/apply-rooms.ts";
import { launch } from "../../cli/launch/launch.ts";
import { isAlive, killNow } from "../../cli/launch/processes.ts";
import type { LaunchEvent, Report } from "../../cli/launch/report.ts";
import type { StartRuntime } from "../../cli/launch/runtime.ts";
import { startWorkerd } from "../../cli/launch/workerd.ts";
import { parseRooms } from "../../src/api/rooms-file/file.ts";
import { eventually } from "./eventually.ts";
import { ask } from "./http.ts";
import type { Answer } from "./http.ts";
import { startMiniflare } from "./miniflare.ts";
import { recordingOrigin } from "./origin.ts";
import type { RecordingOrigin } from "./origin.ts";
import { Visitor } from "./visitor.ts";
import type { VisitorOptions } from "./visitor.ts";

export type RuntimeName = "workerd" | "miniflare";

export interface SeirikenOptions {
  /** `workerd` by default, as `npm start` and `npm run serve`; `miniflare` puts another Worker before ours. */
  readonly runtime?: RuntimeName;
  /** On workerd: the header in which requests bring what Cloudflare would say of them, as JSON. */
  readonly cfHeader?: string;
  /** Rooms in the management API's shape; put by name at each start. */
  readonly rooms?: readonly unknown[];
  /** One that outlives this server; without it there is a fresh one, closed by `stop`. */
  readonly origin?: RecordingOrigin;
  /** A directory that outlives this server; without it there is a fresh one, removed by `stop`. */
  readonly data?: string;
  /** 0, any free one, by default; give the old one to come back where clients look. */
  readonly port?: number;
  /** ORIGIN_SECRET, SIGNING_KEYS, PASS_HOSTS. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Seiriken {
  readonly url: string;
  readonly port: number;
  readonly adminToken: string;
  readonly lockToken: string;
  readonly origin: RecordingOrigin;
  /** What the Worker and the launcher said. */
  readonly events: readonly LaunchEvent[];
  visitor(options?: VisitorOptions): Visitor;
  /** The management API: `path` from `/waiting_rooms` on. */
  manage(method: string, path: string, body?: unknown): Promise<Answer>;
  /** The process ids of workerd. */
  pids(): readonly number[];
  /** `kill -9` of workerd; resolves when the one that replaces it answers. */
  kill9(): Promise<void>;
  stop(): Promise<void>;
}

const ADMIN_TOKEN = "an-admin-token-for-tests";
const LOCK_TOKEN = "a-lock-token-for-tests";

export const startSeiriken = async (options: SeirikenOptions = {}): Promise<Seiriken> => {
  const events: LaunchEvent[] = [];
  const report: Report = { tell: (event) => events.push(event), fail: () => undefined };
  const origin = options.origin ?? (await recordingOrigin());
  const dataDir = options.data ?? mkdtempSync(join(tmpdir(), "seiriken-"));
  const forget = async () => {
    if (options.origin === undefined) await origin.close();
    if (options.data === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const launched = await launch({
      settings: {
        port: options.port ?? 0,
        host: "127.0.0.1",
        origin: origin.url,
        allowMissingOrigin: true,
        roomsFile: null,
        dataDir,
        adminToken: ADMIN_TOKEN,
        lockToken: LOCK_TOKEN,
      },
      startRuntime: runtimeOf(options),
      report,
      env: options.env ?? {},
      onLost: (reason) => events.push({ event: "warning", message: reason }),
    });
    const deployment = { server: launched.url, token: ADMIN_TOKEN };
    await applyRooms(new ManagementClient(deployment), validRooms(options.rooms ?? []), {
      prune: false,
      onApplied: () => undefined,
    });
    origin.reset();
    return running(launched, origin, events, async () => {
      await launched.stop();
      await forget();
    });
  } catch (thrown) {
    await forget();
    throw thrown;
  }
};

const runtimeOf = ({ runtime, cfHeader }: SeirikenOptions): StartRuntime => {
  if (runtime === "miniflare") return startMiniflare;
  return (plan) => startWorkerd({ ...plan, ...(cfHeader === undefined ? {} : { cfHeader }) });
};

const running = (
  launched: Awaited<ReturnType<typeof launch>>,
  origin: RecordingOrigin,
  events: readonly LaunchEvent[],
  stop: () => Promise<void>,
): Seiriken => ({
  url: launched.url,
  port: Number(new URL(launched.url).port),
  adminToken: launched.adminToken,
  lockToken: LOCK_TOKEN,
  origin,
  events,
  visitor: (visitorOptions) => new Visitor(launched.url, visitorOptions),
  manage: (method, path, body) =>
    ask(`${launched.url}/.seiriken/client/v4/zones/local${path}`, {
      method,
      headers: {
        authorization: `Bearer ${launched.adminToken}`,
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  pids: () => launched.pids(),
  async kill9() {
    const killed = launched.pids();
    if (killed.length === 0) throw new Error("no workerd found to kill");
    killed.forEach(killNow);
    await eventually(() => !killed.some(isAlive));
    await eventually(() => launched.pids().length > 0);
    // A crowd that comes back at once keeps a small machine busy for a while.
    await eventually(() => ask(`${launched.url}/.seiriken/rooms/none`, { within: 5_000 }));
  },
  stop,
});

const validRooms = (rooms: readonly unknown[]) => {
  const parsed = parseRooms(rooms);
  if (parsed.ok) return parsed.rooms;
  throw new Error(parsed.problems.map(({ path, message }) => `${path}: ${message}`).join("\n"));
};
