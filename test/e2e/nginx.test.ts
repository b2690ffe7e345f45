import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { reservePort } from "../../cli/launch/ports.ts";
import { Command } from "../support/command.ts";
import { read } from "../support/docs.ts";
import { eventually } from "../support/eventually.ts";
import { recordingOrigin } from "../support/origin.ts";
import { DOCUMENT } from "../support/visitor.ts";

const CONFIG = read("docs/examples/nginx.conf");

test("[PROXIED-1] every line of the recipe's nginx.conf is a block or a directive, and each block ends", () => {
  const lines = CONFIG.split("\n").filter((line) => !/^\s*(#.*)?$/.test(line));
  expect(lines.filter((line) => !/[;{}]$/.test(line))).toEqual([]);
  const count = (mark: string) => CONFIG.split(mark).length;
  expect(count("{")).toBe(count("}"));
});

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

const isThere = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { stdio: "ignore" }).status === 0;

/** The recipe on a port of its own, with a certificate made for this run. */
const startNginx = async (seirikenPort: string): Promise<number> => {
  const directory = mkdtempSync(join(tmpdir(), "seiriken-nginx-"));
  undo.push(() => rmSync(directory, { recursive: true, force: true }));
  mkdirSync(join(directory, "temp"));
  const [key, certificate] = [join(directory, "key.pem"), join(directory, "cert.pem")];
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"];
  const where = ["-subj", "/CN=shop.example", "-keyout", key, "-out", certificate];
  execFileSync("openssl", [...made, ...where], { stdio: "ignore" });
  const port = await reservePort("127.0.0.1", 0);
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const temporary = kinds.map((kind) => `${kind}_temp_path ${directory}/temp/${kind};`).join(" ");
  const config = CONFIG.replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
    .replace("/etc/ssl/shop.example.crt", certificate)
    .replace("/etc/ssl/shop.example.key", key)
    .replace("server 127.0.0.1:8787", `server 127.0.0.1:${seirikenPort}`)
    .replace("worker_connections 16384", "worker_connections 512")
    .replace("http {", `http { access_log off; ${temporary}`);
  const file = join(directory, "nginx.conf");
  writeFileSync(file, config);
  const args = ["-p", directory, "-c", file, "-e", join(directory, "error.log")];
  const globals = `daemon off; pid ${directory}/nginx.pid;`;
  const checked = spawnSync("nginx", [...args, "-t", "-g", globals], { encoding: "utf8" });
  expect([checked.status, checked.stderr]).toEqual([
    0,
    expect.stringContaining("test is successful"),
  ]);
  const nginx = spawn("nginx", [...args, "-g", globals], { stdio: "ignore" });
  undo.push(async () => {
    nginx.kill("SIGQUIT");
    setTimeout(() => nginx.kill("SIGTERM"), 500).unref();
    if (nginx.exitCode === null) await once(nginx, "exit");
  });
  return port;
};

interface Said {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly json: Record<string, any>;
}

const ask = (
  port: number,
  path: string,
  headers: OutgoingHttpHeaders,
  method = "GET",
): Promise<Said> =>
  new Promise((resolve, reject) => {
    const all = { host: "shop.example", ...headers };
    const options = {
      host: "127.0.0.1",
      port,
      path,
      method,
      headers: all,
      rejectUnauthorized: false,
      agent: false,
    };
    const asked = request(options, (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          json: text.startsWith("{") ? JSON.parse(text) : {},
        }),
      );
    });
    asked.on("error", reject);
    asked.end();
  });

test("[PROXIED-1] through the recipe's nginx a room knows name, scheme and address, and speaks over sockets", async () => {
  // without nginx there is nothing to run; the file was looked at above
  if (!isThere("nginx", "-v") || !isThere("openssl", "version")) return;
  const origin = await recordingOrigin();
  undo.push(() => origin.close());
  const directory = mkdtempSync(join(tmpdir(), "seiriken-proxied-"));
  undo.push(() => rmSync(directory, { recursive: true, force: true }));
  const room = {
    name: "shop",
    host: "shop.example",
    total_active_users: 1,
    new_users_per_minute: 6_000,
  };
  const rooms = join(directory, "rooms.json");
  writeFileSync(
    rooms,
    JSON.stringify([{ ...room, seiriken: { joins_per_address_per_minute: 3 } }]),
  );
  const flags = [
    "--port",
    "0",
    "--data",
    join(directory, "data"),
    "--origin",
    origin.url,
    "--json",
  ];
  const serve = new Command("cli/serve.ts", [...flags, "--rooms", rooms, "--trusted-proxies", "1"]);
  undo.push(() => serve.end());
  const { url } = await serve.event("ready");
  const port = await startNginx(new URL(url).port);
  const forged = { "x-forwarded-for": "203.0.113.9", "x-real-ip": "203.0.113.9" };
  await eventually(() => ask(port, "/.seiriken/rooms/shop", {}));

  const entered = await ask(port, "/", { ...DOCUMENT, ...forged });
  expect(entered.headers["seiriken-status"]).toBe("admitted; room=shop");
  const cookies = entered.headers["set-cookie"] ?? [];
  expect(cookies.find((cookie) => cookie.startsWith("__Host-seiriken-pass-shop="))).toContain(
    "Secure",
  );
  const heard = origin.requests.at(-1)?.headers;
  expect(heard).toMatchObject({
    "x-forwarded-host": "shop.example",
    "x-forwarded-proto": "https",
    "x-real-ip": "127.0.0.1",
  });
  expect(heard?.["x-forwarded-for"]).toMatch(/127\.0\.0\.1$/);

  const join_ = (address: string) =>
    ask(port, "/.seiriken/rooms/shop/tickets", { "x-forwarded-for": address }, "POST");
  const first = await join_("203.0.113.1");
  expect([first.status, first.json["state"]]).toEqual([201, "waiting"]);
  expect((await join_("203.0.113.2")).status).toBe(201);
  // the fourth of this minute from one address, whatever each says of itself
  expect((await join_("203.0.113.3")).json["code"]).toBe("too-many-joins");

  const socket = new WebSocket(`wss://127.0.0.1:${port}/.seiriken/rooms/shop/socket`, {
    headers: { host: "shop.example", "seiriken-ticket": String(first.json["ticket"]) },
    rejectUnauthorized: false,
  });
  undo.push(() => socket.terminate());
  const [message] = (await once(socket, "message")) as [Buffer];
  expect(JSON.parse(message.toString())).toMatchObject({ type: "position", state: "waiting" });
}, 120_000);
