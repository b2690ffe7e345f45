import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { base64url, CompactSign } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Command } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { ask } from "../support/http.ts";

/** One server for what operators, and those who would like to be, do to it. */
const ADMIN = "an-operator-token-for-tests";
const KEY = base64url.encode(new Uint8Array(32).fill(7));
const ZONE = "/.seiriken/client/v4/zones/local/waiting_rooms";
const room = { host: "*", total_active_users: 1, new_users_per_minute: 60, queue_all: true };

let directory: string;
let server: Command;
let url: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "seiriken-operators-"));
  const data = join(directory, "data");
  // As an older version left it.
  mkdirSync(join(data, "do", "seiriken-Registry"), { recursive: true });
  for (const path of [data, join(data, "do"), join(data, "do", "seiriken-Registry")])
    chmodSync(path, 0o755);
  const rooms = join(directory, "rooms.json");
  writeFileSync(rooms, JSON.stringify([{ ...room, name: "held", path: "/held" }]));
  const args = ["--port", "0", "--data", data, "--rooms", rooms, "--json"];
  server = new Command("cli/serve.ts", args, { ADMIN_TOKEN: ADMIN, SIGNING_KEYS: `k1:${KEY}` });
  url = (await server.event("ready"))["url"] as string;
});
afterAll(async () => {
  await server.end();
  rmSync(directory, { recursive: true, force: true });
});

const manage = (method: string, path: string, body?: string, token = ADMIN) =>
  ask(url + ZONE + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body }),
  });

test("[RUN-17] what lies in the data directory is for its owner only", () => {
  const data = join(directory, "data");
  const paths = [
    data,
    ...readdirSync(data, { recursive: true }).map((name) => join(data, String(name))),
  ];
  expect(paths.length).toBeGreaterThan(8);
  const open = paths.filter((path) => (statSync(path).mode & 0o077) !== 0);
  expect(open).toEqual([]);
});

test("[RUN-18] no command line of any process shows a secret", () => {
  const commands = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        return "";
      }
    });
  expect(commands.filter((command) => command.includes("workerd")).length).toBeGreaterThan(0);
  expect(commands.filter((command) => command.includes(ADMIN) || command.includes(KEY))).toEqual(
    [],
  );
});

/** What the log says of changes. */
const operatorLines = () =>
  server.events
    .filter(({ event, message }) => event === "log" && String(message).includes("operator-change"))
    .map(({ message }) => JSON.parse(message));

/** Those that it tells of, and those that it only counts. */
const operatorChanges = (): number =>
  operatorLines()
    .map(({ event, unsaid = 0 }) => unsaid + (event === "operator-change" ? 1 : 0))
    .reduce((sum, count) => sum + count, 0);

test("[OPLOG-1] [OPLOG-3] what an operator changes stands in the log of the server, and no secret", async () => {
  const secret = "a-secret-between-two-servers";
  const exempt = [{ header: { name: "X-Key", value: secret } }];
  const patch = { total_active_users: 7, seiriken: { message: "Back \u001b[2J soon", exempt } };
  expect((await manage("PATCH", "/held", JSON.stringify(patch))).status).toBe(200);
  const line = await eventually(() => {
    const found = operatorLines().find(({ changes }) => changes?.total_active_users?.[1] === 7);
    expect(found).toBeDefined();
    return found;
  });
  expect(line).toMatchObject({
    action: "room-changed",
    room: "held",
    by: "ADMIN_TOKEN",
    network: "127.0.0.1",
    changes: {
      total_active_users: [1, 7],
      "seiriken.message": [null, "Back \\u{1b}[2J soon"],
      "seiriken.exempt": ["0 not shown", "1 not shown"],
    },
  });
  expect(server.lines.join("\n")).not.toContain(secret);
  expect(server.lines.join("\n")).not.toContain(ADMIN);
});

test("[API-9] [API-14] [OPLOG-4] fifty patches at once, and a put among them, lose nothing", async () => {
  const before = operatorChanges();
  await manage("POST", "", JSON.stringify({ ...room, name: "busy", path: "/busy" }));
  const put = JSON.stringify({ ...room, name: "busy", path: "/busy", session_duration: 7 });
  const patches = Array.from({ length: 50 }, (_, n) =>
    manage("PATCH", "/busy", JSON.stringify({ seiriken: { line_max: n + 1 } })),
  );
  const answers = await Promise.all([...patches, manage("PUT", "/busy", put)]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const results = answers.map((answer) => answer.json().result);
  expect(new Set(results.map(({ modified_on }) => modified_on)).size).toBe(51);
  const last = results.toSorted((a, b) => (a.modified_on < b.modified_on ? -1 : 1)).at(-1);
  const now = (await manage("GET", "/busy")).json().result;
  expect(now).toEqual(last);
  expect(now.session_duration).toBe(7);
  await eventually(() => expect(operatorChanges() - before).toBe(52));
});

test("[API-16] [ROOM-20] depth and forbidden names are refused with their place", async () => {
  const deep = `${'{"seiriken":'.repeat(20_000)}1${"}".repeat(20_000)}`;
  for (const [body, pointer] of [
    [deep, "/seiriken".repeat(32)],
    ['{"__proto__":{"suspended":true}}', "/__proto__"],
  ] as const) {
    const answer = await manage("PATCH", "/held", body);
    expect(answer.status).toBe(400);
    expect(answer.json().errors[0].source.pointer).toBe(pointer);
  }
});

/** As somebody who read the key would make it. */
const passFor = async (lifeMs: number): Promise<string> => {
  const id = (await manage("GET", "/held")).json().result.id as string;
  const now = Date.now();
  const claims = { k: "pass", r: id, v: 4_711, e: 1, l: 0, m: now, u: now + lifeMs };
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: "HS256", kid: "k1" })
    .sign(base64url.decode(KEY));
};

test("[TOKEN-17] a minted pass of ten years opens nothing, where one of five minutes does", async () => {
  const statusWith = async (lifeMs: number) => {
    const headers = { "seiriken-pass": await passFor(lifeMs), accept: "application/json" };
    return (await ask(`${url}/held/`, { headers })).headers["seiriken-status"];
  };
  expect(await statusWith(300_000)).toMatch(/^admitted/);
  expect(await statusWith(10 * 365 * 86_400_000)).toMatch(/^queued/);
});

test("[API-17] wrong tokens are slowed, and the right one is not", async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 20; n += 1)
    statuses.push((await manage("GET", "", undefined, `guess-number-${n}`)).status);
  expect(statuses.slice(0, 10)).toEqual(new Array(10).fill(401));
  expect(statuses.slice(10)).toEqual(new Array(10).fill(429));
  expect((await manage("GET", "")).status).toBe(200);
});

test("[CLI-12] what a server answers can't act on the terminal", async () => {
  const hostile = "\u001b]0;owned\u0007\u009b2J\rready\u202e";
  const liar = createServer((request, response) => {
    const isList = request.url?.includes("per_page") === true;
    const rooms = [
      { name: hostile, host: hostile, additional_routes: [], seiriken: { closed: null } },
    ];
    response.writeHead(isList ? 200 : 400, { "content-type": "application/json" });
    response.end(
      JSON.stringify(
        isList
          ? { success: true, result: rooms }
          : { errors: [{ message: hostile }], detail: hostile },
      ),
    );
  }).listen(0, "127.0.0.1");
  await once(liar, "listening");
  const SEIRIKEN_SERVER = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`;
  const env = { SEIRIKEN_SERVER, ADMIN_TOKEN: ADMIN };
  const commands = [["list"], ["list", "--json"], ["pause", "shop"]].map(
    (args) => new Command("cli/rooms.ts", args, env),
  );
  await Promise.all(commands.map((command) => command.ended()));
  liar.close();
  for (const { lines, stderr } of commands) {
    const printed = [...lines, stderr].join("\n");
    expect(printed).toContain("owned");
    // oxlint-disable-next-line no-control-regex
    expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  }
});
