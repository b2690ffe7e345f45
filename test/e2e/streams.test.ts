import { once } from "node:events";
import { get } from "node:http";
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../support/eventually.ts";
import { claimVisit, takeNumber } from "../support/journey.ts";
import type { OriginHandler } from "../support/origin.ts";
import { Pulse } from "../support/pulse.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";
import type { Visitor } from "../support/visitor.ts";

/** Three seconds, the shortest lease there is. */
const BRIEF = { total_active_users: 1, session_duration: 0.05 };
const LEASE_MS = 3_000;
const LONGEST_SECONDS = 2;

const ROOMS = [
  ...["stream", "socket"].map((name) => roomOver(name, BRIEF)),
  ...["cut-stream", "cut-socket"].map((name) =>
    roomOver(name, {
      ...BRIEF,
      seiriken: { max_visit_seconds: LONGEST_SECONDS, close_sockets: true },
    }),
  ),
  roomOver("open", { total_active_users: 1 }),
];

/** Of `/events`: a line every so often, for as long as somebody listens. */
const drip: OriginHandler = ({ url }, response) => {
  if (!url.endsWith("/events")) return void response.end("at once");
  response.writeHead(200, { "content-type": "text/event-stream" });
  const dripping = setInterval(() => response.write("data: drop\n\n"), 200);
  response.on("close", () => clearInterval(dripping));
};

/** `closed` resolves when it ended, by whichever end. */
interface Flow {
  readonly closed: Promise<number>;
  leave(): void;
}

describe("what streams in a room of visits", () => {
  let seiriken: Seiriken;
  let pulse: Pulse;

  beforeAll(async () => {
    seiriken = await startSeiriken({ runtime: "workerd", rooms: ROOMS });
    seiriken.origin.handle(drip);
    pulse = new Pulse(seiriken.url);
  });
  afterAll(async () => {
    await pulse?.stop();
    await seiriken?.stop();
  });

  const openStream = async (visitor: Visitor): Promise<Flow> => {
    const headers = { cookie: visitor.cookieHeader() };
    const request = get(`${seiriken.url}/${visitor.room}/events`, { headers });
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
    const closed = new Promise<number>((resolve) => {
      answer.resume().on("error", () => undefined);
      answer.on("close", () => resolve(performance.now()));
    });
    return { closed, leave: () => request.destroy() };
  };

  const openSocket = async (visitor: Visitor): Promise<Flow> => {
    const url = `${seiriken.url.replace("http", "ws")}/${visitor.room}/live`;
    const socket = new WebSocket(url, { headers: { cookie: visitor.cookieHeader() } });
    await once(socket, "open");
    const talking = setInterval(() => socket.send("hello"), 200);
    const closed = once(socket, "close").then(() => {
      clearInterval(talking);
      return performance.now();
    });
    return { closed, leave: () => socket.close(1000) };
  };

  const open = { stream: openStream, socket: openSocket };
  type Kind = keyof typeof open;
  const kinds: readonly Kind[] = ["stream", "socket"];

  test.concurrent("[STAY-1] renews its visit while bytes flow, and no longer", async () => {
    const live = async (kind: Kind): Promise<string[]> => {
      const flow = await open[kind](await visitorInside(seiriken, kind));
      const next = seiriken.visitor({ room: kind });
      const said: string[] = [];
      const asks = async (path: string) =>
        (await next.get(`/${kind}/${path}`)).headers["seiriken-status"]?.toString() ?? "";
      await sleep(LEASE_MS + 1_200);
      said.push(await asks("meanwhile"));
      await next.take();
      flow.leave();
      await flow.closed;
      const leftAt = performance.now();
      await eventually(async () => (await next.claim()).status === 201, { every: 100 });
      const withinMs = LEASE_MS + 1_000 + pulse.slackSince(leftAt);
      said.push(performance.now() - leftAt < withinMs ? "then in" : "too late");
      return said;
    };
    const lived = await Promise.all(kinds.map(live));
    expect(lived).toEqual(kinds.map((kind) => [`queued; room=${kind}`, "then in"]));
  });

  test.concurrent("[STAY-3] with close_sockets it ends with its visit", async () => {
    const live = async (kind: Kind): Promise<void> => {
      const visitor = seiriken.visitor({ room: `cut-${kind}` });
      await takeNumber(visitor);
      const claimedAt = performance.now();
      await claimVisit(visitor);
      const flow = await open[kind](visitor);
      const ms = (await flow.closed) - claimedAt;
      expect(ms).toBeGreaterThanOrEqual(LONGEST_SECONDS * 1_000);
      expect(ms).toBeLessThan(LONGEST_SECONDS * 1_000 + 1_500 + pulse.slackSince(claimedAt));
    };
    await Promise.all(kinds.map(live));
    const cut = seiriken.origin.requests.filter(({ url }) => url.startsWith("/cut-"));
    expect(cut).toHaveLength(kinds.length);
    await eventually(() => cut.every(({ endedAtMs }) => endedAtMs !== null));
  });

  test("[GATE-50] an upgrade without a pass enters no room, however open", async () => {
    const url = `${seiriken.url.replace("http", "ws")}/open/live`;
    const socket = new WebSocket(url);
    socket.on("error", () => undefined);
    const [, answer] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
    expect([answer.statusCode, answer.headers["seiriken-status"]]).toEqual([
      503,
      "queued; room=open",
    ]);
    socket.terminate();
    const visitor = await visitorInside(seiriken, "open");
    const flow = await openSocket(visitor);
    flow.leave();
    await flow.closed;
  });
});
