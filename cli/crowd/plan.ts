/** What `npm run crowd` was asked, checked: how many visitors, how fast, for how long. */
import { Failure, usageFailure } from "../launch/failure.ts";
import type { FlagSpecs, Flags } from "../launch/flags.ts";
import { isLoopback } from "../launch/ports.ts";

export interface CrowdPlan {
  /** Scheme, host and port: loopback only. */
  readonly server: string;
  readonly room: string;
  readonly path: string;
  readonly visitors: number;
  /** Everyone arrives within this span, evenly at random. */
  readonly arriveMs: number;
  readonly stayMinMs: number;
  readonly stayMaxMs: number;
  /** The share that gives up while waiting, 0 to 1. */
  readonly leaveShare: number;
  readonly sockets: boolean;
  /** The whole crowd goes home at this time. */
  readonly timeoutMs: number;
}

export const crowdSpecs: FlagSpecs = {
  visitors: { value: "N", help: "how many come, at most 10000 (200)" },
  room: { value: "NAME", help: "the room they queue for (shop)" },
  server: { value: "URL", help: "on this machine only (http://127.0.0.1:8787)" },
  path: { value: "PATH", help: "the page they want (/tickets)" },
  arrive: { value: "SPAN", help: "they arrive within this time (10s)" },
  stay: { value: "SPAN..SPAN", help: "how long each stays inside (2s..5s)" },
  leave: { value: "PERCENT", help: "how many give up while they wait (10%)" },
  sockets: { value: "yes|no", help: "wait on WebSockets, or by polling (yes)" },
  timeout: { value: "SPAN", help: "everyone goes home after this (120s, at most 1h)" },
  json: { help: "one JSON object a line on stdout" },
  help: { help: "this text" },
};

export const VISITORS_MAX = 10_000;
const ARRIVE_MS_MAX = 1_800_000;
const STAY_MS_MAX = 600_000;
const TIMEOUT_MS_MAX = 3_600_000;

export const readPlan = (flags: Flags): CrowdPlan => {
  const [stayMinMs, stayMaxMs] = readRange("stay", flags.text("stay") ?? "2s..5s", STAY_MS_MAX);
  return {
    server: readServer(flags.text("server") ?? "http://127.0.0.1:8787"),
    room: readRoom(flags.text("room") ?? "shop"),
    path: readPath(flags.text("path") ?? "/tickets"),
    visitors: readCount(flags.text("visitors") ?? "200"),
    arriveMs: readSpan("arrive", flags.text("arrive") ?? "10s", ARRIVE_MS_MAX),
    stayMinMs,
    stayMaxMs,
    leaveShare: readShare(flags.text("leave") ?? "10%"),
    sockets: readYesNo(flags.text("sockets") ?? "yes"),
    timeoutMs: readSpan("timeout", flags.text("timeout") ?? "120s", TIMEOUT_MS_MAX),
  };
};

const readServer = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.protocol !== "http:" || url.pathname !== "/")
    throw usageFailure(`--server ${text}: give a URL such as http://127.0.0.1:8787`);
  if (!isLoopback(url.hostname))
    throw new Failure(
      "not-loopback",
      `the crowd stays on this machine; it does not go to ${url.hostname}`,
      ["start Seiriken here (npm start) and let it come to http://127.0.0.1:8787"],
      2,
    );
  return url.origin;
};

const readRoom = (text: string): string => {
  if (!/^[\w-]{1,128}$/.test(text)) throw usageFailure(`--room ${text}: give a room's name or id`);
  return text;
};

const readPath = (text: string): string => {
  if (!/^\/[\x21-\x7e]*$/.test(text)) throw usageFailure(`--path ${text}: begins with /`);
  return text;
};

const readCount = (text: string): number => {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > VISITORS_MAX)
    throw usageFailure(`--visitors ${text}: a whole number from 1 to ${VISITORS_MAX}`);
  return count;
};

const SPAN = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;
const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

const readSpan = (flag: string, text: string, mostMs: number): number => {
  const [, amount, unit] = SPAN.exec(text) ?? [];
  const ms = Number(amount) * UNIT_MS[(unit ?? "ms") as keyof typeof UNIT_MS];
  if (Number.isNaN(ms)) throw usageFailure(`--${flag} ${text}: a time such as 500ms, 10s or 2m`);
  if (ms > mostMs) throw usageFailure(`--${flag} ${text}: at most ${mostMs / 60_000}m`);
  return ms;
};

const readRange = (flag: string, text: string, mostMs: number): [number, number] => {
  const [least = "", most = least, ...rest] = text.split("..");
  const range: [number, number] = [readSpan(flag, least, mostMs), readSpan(flag, most, mostMs)];
  if (rest.length > 0 || range[0] > range[1])
    throw usageFailure(`--${flag} ${text}: a time, or a range such as 2s..5s`);
  return range;
};

const readShare = (text: string): number => {
  const [, percent] = /^(\d+(?:\.\d+)?)%?$/.exec(text) ?? [];
  const share = Number(percent) / 100;
  if (Number.isNaN(share) || share > 1) throw usageFailure(`--leave ${text}: from 0% to 100%`);
  return share;
};

const readYesNo = (text: string): boolean => {
  if (text !== "yes" && text !== "no") throw usageFailure(`--sockets ${text}: yes or no`);
  return text === "yes";
};
