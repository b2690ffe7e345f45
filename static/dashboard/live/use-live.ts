import { useEffect, useRef, useState } from "preact/hooks";
import { LIVE_BEARER, LIVE_PROTOCOL, type LiveMessage } from "../../../src/core/live/message.ts";
import type { ApiClient } from "../client/client.ts";
import { readRoom } from "../client/rooms-api.ts";
import { meaningOf, waitBefore, type LinkState } from "./link.ts";
import { pointOf, withPoint, type LivePoint } from "./series.ts";

/** A room in which nothing happens sends nothing: that it is still there is told by its pongs. */
const PING_EVERY_MS = 4_000;
const STALE_AFTER_MS = 10_000;

export interface Live {
  readonly link: LinkState;
  readonly message: LiveMessage | null;
  readonly points: readonly LivePoint[];
}

const NOTHING: Live = { link: { kind: "connecting" }, message: null, points: [] };

/** Watches one room as long as the view is there, and comes back to it after each loss. */
export const useLive = (client: ApiClient, room: string): Live => {
  const [live, setLive] = useState(NOTHING);
  const latest = useRef(setLive);
  latest.current = setLive;
  useEffect(() => {
    setLive(NOTHING);
    return watch(client, room, (change) => latest.current(change));
  }, [client, room]);
  return live;
};

type Change = (before: Live) => Live;

const watch = (client: ApiClient, room: string, tell: (change: Change) => void): (() => void) => {
  let socket: WebSocket | null = null;
  let isOver = false;
  let tries = 0;
  let heardAt = Date.now();
  let timer = 0;

  const link = (state: LinkState): void => tell((before) => ({ ...before, link: state }));
  const lost = (): void =>
    tell((before) => ({
      ...before,
      link: before.link.kind === "lost" ? before.link : { kind: "lost", sinceAt: heardAt },
    }));

  const again = (): void => {
    if (isOver) return;
    lost();
    timer = setTimeout(open, waitBefore(tries, Math.random()));
    tries += 1;
  };

  /** Waits until the operator has signed in anew where the token is good no longer. */
  const ask = async (): Promise<void> => {
    lost();
    const answer = await readRoom(client, room);
    if (isOver) return;
    if (!answer.ok && answer.status === 404) return link({ kind: "gone" });
    if (!answer.ok && answer.status === 403) return link({ kind: "forbidden" });
    again();
  };

  const closed = (code: number): void => {
    socket = null;
    if (isOver) return;
    switch (meaningOf(code)) {
      case "token":
      case "gone":
      case "forbidden":
        return void ask();
      case "later":
        tries = Math.max(tries, 4);
        return again();
      default:
        // A refused upgrade has no code of ours: after a few, the API says why.
        return tries >= 2 ? void ask() : again();
    }
  };

  const open = (): void => {
    if (isOver) return;
    const opening = new WebSocket(addressOf(room), protocolsOf(client.token));
    socket = opening;
    opening.onmessage = ({ data }) => {
      heardAt = Date.now();
      const message = messageOf(data);
      if (message === null) return tell(awake);
      tries = 0;
      tell(({ points }) => ({
        link: { kind: "live" },
        message,
        points: withPoint(points, pointOf(message)),
      }));
    };
    opening.onclose = ({ code }) => {
      if (socket === opening) closed(code);
    };
  };

  const pinging = setInterval(() => {
    if (socket?.readyState === WebSocket.OPEN) socket.send("ping");
  }, PING_EVERY_MS);
  const looking = setInterval(() => {
    if (Date.now() - heardAt < STALE_AFTER_MS) return;
    tell((before) =>
      before.link.kind === "live"
        ? { ...before, link: { kind: "stale", sinceAt: heardAt } }
        : before,
    );
  }, 1_000);
  const hurry = (): void => {
    if (socket !== null) return;
    clearTimeout(timer);
    open();
  };
  addEventListener("online", hurry);
  open();

  return () => {
    isOver = true;
    clearTimeout(timer);
    clearInterval(pinging);
    clearInterval(looking);
    removeEventListener("online", hurry);
    socket?.close(1000);
  };
};

const awake: Change = (before) =>
  before.link.kind === "stale" ? { ...before, link: { kind: "live" } } : before;

const addressOf = (room: string): string => {
  const url = new URL(`/.seiriken/api/rooms/${encodeURIComponent(room)}/live`, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
};

/** Whom Cloudflare Access vouches for has no token. */
const protocolsOf = (token: string): string[] =>
  token === "" ? [LIVE_PROTOCOL] : [LIVE_PROTOCOL, bearerOf(token)];

const bearerOf = (token: string): string => {
  const bytes = new TextEncoder().encode(token);
  const base64 = btoa(String.fromCharCode(...bytes));
  return LIVE_BEARER + base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};

const messageOf = (data: unknown): LiveMessage | null => {
  if (typeof data !== "string" || !data.startsWith("{")) return null;
  try {
    const read = JSON.parse(data) as { readonly type?: unknown };
    return read.type === "live" ? (read as LiveMessage) : null;
  } catch {
    return null;
  }
};
