import { resolve } from "node:path";
import { usageFailure } from "./failure.ts";
import type { FlagSpecs, Flags } from "./flags.ts";

export interface Settings {
  /** 0: any free one. */
  readonly port: number;
  readonly host: string;
  /** Null: the demo shop. */
  readonly origin: string | null;
  readonly allowMissingOrigin: boolean;
  /** Path of rooms.json. */
  readonly roomsFile: string | null;
  /** Path of locks.json. */
  readonly locksFile?: string | null;
  readonly dataDir: string;
  readonly adminToken: string | null;
  readonly lockToken: string | null;
}

export const settingSpecs: FlagSpecs = {
  port: { value: "PORT", help: "where to listen; 0 picks a free port (8787)" },
  host: { value: "HOST", help: "the address to listen on (127.0.0.1)" },
  origin: { value: "URL", help: "the site behind the rooms (a small demo shop)" },
  "allow-missing-origin": { help: "start although the origin does not answer yet" },
  rooms: { value: "FILE", help: "rooms.json, applied at each start (a demo room)" },
  locks: { value: "FILE", help: "locks.json, lock rules applied at each start" },
  data: { value: "DIR", help: "where state is kept (.seiriken)" },
  "admin-token": { value: "TOKEN", help: "turns the management API on (or ADMIN_TOKEN)" },
  "lock-token": { value: "TOKEN", help: "turns the lock service on (or LOCK_TOKEN)" },
  json: { help: "one JSON object a line on stdout" },
  help: { help: "this text" },
};

type Environment = Readonly<Record<string, string | undefined>>;

const TOKEN_LENGTH_MIN = 8;

export const readSettings = (flags: Flags, env: Environment): Settings => {
  return {
    port: readPort(flags.text("port") ?? "8787"),
    host: flags.text("host") ?? "127.0.0.1",
    origin: readOrigin(flags.text("origin")),
    allowMissingOrigin: flags.isOn("allow-missing-origin"),
    roomsFile: flags.text("rooms"),
    locksFile: flags.text("locks"),
    dataDir: resolve(flags.text("data") ?? ".seiriken"),
    adminToken: readToken("admin-token", flags.text("admin-token") ?? env["ADMIN_TOKEN"]),
    lockToken: readToken("lock-token", flags.text("lock-token") ?? env["LOCK_TOKEN"]),
  };
};

const readPort = (text: string): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw usageFailure(`--port ${text}: a port is a whole number from 0 to 65535`);
  return port;
};

const readOrigin = (text: string | null): string | null => {
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw usageFailure(`--origin ${text}: give a URL such as http://127.0.0.1:3000`);
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "")
    throw usageFailure(`--origin ${text}: only scheme, host and port; try ${url.origin}`);
  return url.origin;
};

const readToken = (flag: string, text: string | undefined): string | null => {
  if (text === undefined || text === "") return null;
  if (text.length < TOKEN_LENGTH_MIN || !/^[\x21-\x7e]+$/.test(text))
    throw usageFailure(
      `--${flag}: at least ${TOKEN_LENGTH_MIN} characters, printable and without spaces`,
    );
  return text;
};
