/** What `npm start` and `npm run serve` were asked, checked. What is done with it is launch.ts. */
import { resolve } from "node:path";
import { parseTrustedProxies, TRUSTED_WANTED } from "../../src/core/address/trusted-proxies.ts";
import { TOKEN_LENGTH_MIN } from "../../src/core/tries.ts";
import { tokenFrom } from "../token.ts";
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
  /**
   * Applies rooms.json over the rooms as they stand, also where an operator has changed them since.
   */
  readonly appliesRooms?: boolean;
  /** Path of locks.json. */
  readonly locksFile?: string | null;
  /** Proxies before this, as the variable of the same name says it. */
  readonly trustedProxies?: string | null;
  readonly dataDir: string;
  readonly adminToken: string | null;
  readonly lockToken: string | null;
  /** Flags whose token the list of processes shows. */
  readonly tokensInSight?: readonly string[];
}

export const settingSpecs: FlagSpecs = {
  port: { value: "PORT", help: "where to listen; 0 picks a free port (8787)" },
  host: { value: "HOST", help: "the address to listen on (127.0.0.1)" },
  origin: { value: "URL", help: "the site behind the rooms (a small demo shop)" },
  "allow-missing-origin": { help: "start although the origin does not answer yet" },
  rooms: {
    value: "FILE",
    help: "rooms.json; leaves alone what somebody changed since (a demo room)",
  },
  "apply-rooms": { help: "rooms.json over whatever stands" },
  locks: { value: "FILE", help: "locks.json, lock rules applied at each start" },
  "trusted-proxies": {
    value: "PROXIES",
    help: "proxies before this that name their clients: how many, or networks (or TRUSTED_PROXIES)",
  },
  data: { value: "DIR", help: "where state is kept (.seiriken)" },
  "admin-token-file": { value: "FILE", help: "turns the management API on (or ADMIN_TOKEN)" },
  "lock-token-file": { value: "FILE", help: "turns the lock service on (or LOCK_TOKEN)" },
  "admin-token": {
    value: "TOKEN",
    help: "the same, for everybody to read in the list of processes",
  },
  "lock-token": {
    value: "TOKEN",
    help: "the same, for everybody to read in the list of processes",
  },
  json: { help: "one JSON object a line on stdout" },
  version: { help: "the version, and nothing else" },
  help: { help: "this text" },
};

type Environment = Readonly<Record<string, string | undefined>>;

export const readSettings = (flags: Flags, env: Environment): Settings => {
  return {
    port: readPort(flags.text("port") ?? "8787"),
    host: flags.text("host") ?? "127.0.0.1",
    origin: readOrigin(flags.text("origin")),
    allowMissingOrigin: flags.isOn("allow-missing-origin"),
    roomsFile: readRoomsFlag(flags),
    appliesRooms: flags.isOn("apply-rooms"),
    locksFile: flags.text("locks"),
    trustedProxies: readTrusted(flags.text("trusted-proxies") ?? env["TRUSTED_PROXIES"]),
    dataDir: resolve(flags.text("data") ?? ".seiriken"),
    adminToken: readToken("admin-token", "ADMIN_TOKEN", flags, env),
    lockToken: readToken("lock-token", "LOCK_TOKEN", flags, env),
    tokensInSight: ["admin-token", "lock-token"].filter((flag) => flags.text(flag) !== null),
  };
};

const readRoomsFlag = (flags: Flags): string | null => {
  const file = flags.text("rooms");
  if (file === null && flags.isOn("apply-rooms"))
    throw usageFailure("--apply-rooms needs --rooms FILE");
  return file;
};

const readPort = (text: string): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw usageFailure(`--port ${text}: a port is a whole number from 0 to 65535`);
  return port;
};

const readOrigin = (text: string | null): string | null => {
  if (text === null) return null;
  // An origin with credentials in it is not shown on the screen or in a log.
  const shown = text.includes("@") ? "" : ` ${text}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw usageFailure(`--origin${shown}: give a URL such as http://127.0.0.1:3000`);
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "")
    throw usageFailure(`--origin${shown}: only scheme, host and port; try ${url.origin}`);
  return url.origin;
};

const readTrusted = (text: string | undefined): string | null => {
  if (text === undefined || text === "") return null;
  if (parseTrustedProxies(text) === null)
    throw usageFailure(`--trusted-proxies ${text}: it ${TRUSTED_WANTED}, comma-separated`);
  return text;
};

const readToken = (flag: string, variable: string, flags: Flags, env: Environment): string | null =>
  tokenFrom(
    { flag, given: flags.text(flag), file: flags.text(`${flag}-file`), variable, env },
    TOKEN_LENGTH_MIN,
  );
