/** What a client says of itself, to the commands as they are started. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Command } from "../support/command.ts";
import { ask } from "../support/http.ts";
import { recordingOrigin } from "../support/origin.ts";
import type { RecordingOrigin } from "../support/origin.ts";

const JOINS_MAX = 2;
const ROOM = {
  name: "shop",
  host: "*",
  path: "/tickets",
  total_active_users: 1,
  new_users_per_minute: 600,
  queue_all: true,
  seiriken: { joins_per_address_per_minute: JOINS_MAX },
};

/** All that some server or other takes for the client's address. */
const saysItComesFrom = (address: string): Record<string, string> => ({
  "CF-Connecting-IP": address,
  "CF-Connecting-IPv6": `2001:db8::${address.split(".").at(-1)}`,
  "CF-Pseudo-IPv4": address,
  "CF-Worker": "example.com",
  "MF-CF-Blob": JSON.stringify({ clientIp: address }),
  "X-Forwarded-For": address,
  "X-Real-IP": address,
  "True-Client-IP": address,
  Forwarded: `for=${address}`,
});
/** The same of its URL. */
const saysItIsFor = (url: string): Record<string, string> => ({
  "MF-Original-URL": url,
  "MF-Original-Hostname": new URL(url).hostname,
  "MF-Route-Override": "nothing",
  "X-Original-URL": new URL(url).pathname,
  "X-Forwarded-Host": new URL(url).host,
});

let directory: string;
let origin: RecordingOrigin;
let command: Command | null = null;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "seiriken-forged-"));
  origin = await recordingOrigin();
});
afterEach(async () => {
  await command?.end();
  await origin.close();
  rmSync(directory, { recursive: true, force: true });
});

describe.each(["cli/start.ts", "cli/serve.ts"])("%s", (script) => {
  test("[RUN-20] no header of a client says for which URL it asks, or from which address", async () => {
    const rooms = join(directory, "rooms.json");
    writeFileSync(rooms, JSON.stringify([ROOM]));
    const flags = ["--data", join(directory, "data"), "--rooms", rooms, "--origin", origin.url];
    command = new Command(script, ["--port", "0", "--json", ...flags]);
    const { url } = await command.event("ready");
    origin.reset();

    const joins: number[] = [];
    for (const last of [1, 2, 3, 4, 5, 6]) {
      const headers = saysItComesFrom(`203.0.113.${last}`);
      const { status } = await ask(`${url}/.seiriken/rooms/shop/tickets`, {
        method: "POST",
        headers,
      });
      joins.push(status);
    }
    // Two minutes may meet within the six, never three.
    expect(joins[0]).toBe(201);
    expect(joins.at(-1)).toBe(429);

    const queued = await ask(`${url}/tickets`, { headers: saysItIsFor(`${url}/about`) });
    expect(queued.headers["seiriken-status"]).toBe("queued; room=shop");
    expect(origin.requests).toEqual([]);

    const headers = { ...saysItIsFor(`${url}/tickets`), ...saysItComesFrom("203.0.113.9") };
    const open = await ask(`${url}/about`, { headers });
    expect(open.headers["seiriken-status"]).toBe("unprotected");
    expect(origin.requests.map((asked) => asked.url)).toEqual(["/about"]);
    const heard = origin.requests[0]?.headers ?? {};
    const { "x-forwarded-for": chain, ...others } = heard;
    expect(chain).toMatch(/, 127\.0\.0\.1$/);
    expect(JSON.stringify(others)).not.toMatch(/203\.0\.113|2001:db8|\/tickets|"mf-/);
  });
});
