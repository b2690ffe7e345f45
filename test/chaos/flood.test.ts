import { connect } from "node:net";
import { expect, test } from "vitest";
import type { TestContext } from "vitest";
import { WebSocket } from "ws";
import { limited } from "../support/crowd.ts";
import { eventually } from "../support/eventually.ts";
import { tallies } from "../support/history.ts";
import { ask } from "../support/http.ts";
import type { Answer } from "../support/http.ts";
import { claimVisit, goThrough, PROGRAM, takeNumber, whereIs } from "../support/journey.ts";
import { memoryOf, socketsOf } from "../support/processes.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

const LONG = process.env["LONG"] === "1";
const FAKES = LONG ? 30_000 : 2_000;
const CLAIM_SECONDS = 5;
/** A poller that never comes back counts as present for 2 polls of at most 15 s and 5 s more. */
const PRESENT_SECONDS = 35;
/** For each fake, generously: a place in line, a poller's record, what HTTP needs. */
const MEMORY_MB = 80 + FAKES * 0.01;

const start = async (rooms: readonly object[], { onTestFinished }: TestContext) => {
  const seiriken = await startSeiriken({ runtime: "workerd", rooms });
  onTestFinished(() => seiriken.stop());
  return seiriken;
};

const join = (seiriken: Seiriken, room: string, headers = {}): Promise<Answer> =>
  ask(`${seiriken.url}/.seiriken/rooms/${room}/tickets`, {
    method: "POST",
    headers: { ...PROGRAM, ...headers },
  });

/** So many at 100 a time. */
const flood = <T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> => {
  const slot = limited(100);
  return Promise.all(Array.from({ length: count }, (_, index) => slot(() => one(index))));
};

test.concurrent(
  `[WHOLE-36] ${FAKES} who join and never come back: memory and honest waits stay bounded`,
  { timeout: 300_000 },
  async (context) => {
    const limits = { total_active_users: 5, seiriken: { claim_within_seconds: CLAIM_SECONDS } };
    const seiriken = await start([roomOver("shop", limits)], context);
    const [pid = 0] = seiriken.pids();
    await goThrough(seiriken.visitor(), { path: "/shop" });
    const before = memoryOf(pid);
    const statuses = await flood(FAKES, async () => (await join(seiriken, "shop")).status);
    expect(new Set(statuses)).toEqual(new Set([201]));
    const honest = Array.from({ length: 10 }, () =>
      goThrough(seiriken.visitor(), { path: "/shop", within: 120_000 }),
    );
    const joinedAt = performance.now();
    const journeys = await Promise.all(honest);
    const waitedMs = Math.max(...journeys.map(({ enteredAtMs }) => enteredAtMs)) - joinedAt;
    expect(waitedMs).toBeLessThan((PRESENT_SECONDS + 2 * CLAIM_SECONDS + 15) * 1_000);
    expect(memoryOf(pid) - before).toBeLessThan(MEMORY_MB);
    const counts = await tallies(seiriken);
    expect(counts).toMatchObject({ finished: 11, refused: 0 });
  },
);

test.concurrent(
  "[WHOLE-37] requests and sockets without a ticket cost no place and leave nothing behind",
  { timeout: 120_000 },
  async (context) => {
    const seiriken = await start([roomOver("busy", { total_active_users: 1 })], context);
    const inside = await visitorInside(seiriken, "busy");
    const waiting = seiriken.visitor({ room: "busy" });
    await takeNumber(waiting);
    const socket = await waiting.socket();
    const [pid = 0] = seiriken.pids();
    await flood(1_000, async () => {
      const page = await ask(`${seiriken.url}/busy`, { headers: { accept: "text/html" } });
      expect(page.status).toBe(503);
    });
    const connections = socketsOf(pid);
    const url = `${seiriken.url.replace("http", "ws")}/.seiriken/rooms/busy/socket`;
    const codes = await flood(500, async () => {
      const refused = new WebSocket(url, { headers: { origin: seiriken.url } });
      refused.on("error", () => undefined);
      return new Promise<number | undefined>((resolve) => {
        refused.once("close", resolve);
        refused.once("unexpected-response", (_, { statusCode }) => resolve(statusCode));
      });
    });
    // Only so many are refused at a time as sockets; the rest by HTTP.
    expect(codes).toContain(4401);
    for (const code of codes) expect([4401, 503]).toContain(code);
    await eventually(() => expect(socketsOf(pid)).toBeLessThan(connections + 50));
    expect(await tallies(seiriken, "busy")).toMatchObject({ issued: 2, calls: 1 });
    expect(seiriken.origin.requests).toEqual([]);
    await inside.release();
    await socket.first("called");
    expect(await claimVisit(waiting)).toBe(2);
    socket.close();
  },
);

test.concurrent("[WHOLE-38] a full line says so, and has room again when somebody leaves", async (context) => {
  const limits = { total_active_users: 1, seiriken: { line_max: 3 } };
  const seiriken = await start([roomOver("small", limits)], context);
  await visitorInside(seiriken, "small");
  const crowd = Array.from({ length: 3 }, () => seiriken.visitor({ room: "small" }));
  for (const visitor of crowd) await takeNumber(visitor);
  const refused = await join(seiriken, "small");
  expect([refused.status, refused.json().code]).toEqual([503, "line-full"]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  const json = seiriken.visitor({ room: "small" });
  await json.get("/small", PROGRAM);
  const full = await json.get("/small", PROGRAM);
  expect(full.json().cfWaitingRoom.queueIsFull).toBe(true);
  expect((await tallies(seiriken, "small"))["refused"]).toBe(2);
  await crowd[1]?.leave();
  expect((await join(seiriken, "small")).status).toBe(201);
});

/** `POST …/tickets` from another loopback address: the status line. */
const joinFrom = (seiriken: Seiriken, room: string, localAddress: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(seiriken.url);
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    socket.once("error", reject);
    socket.once("data", (data: Buffer) => {
      socket.destroy();
      resolve(data.toString().split("\r\n")[0] ?? "");
    });
    socket.write(
      `POST /.seiriken/rooms/${room}/tickets HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\nContent-Length: 0\r\n\r\n`,
    );
  });

const PER_MINUTE = LONG ? 2_500 : 50;

test.concurrent(
  "[WHOLE-39] a flood from one address is slowed; other addresses and those with a ticket are not",
  { timeout: 400_000 },
  async (context) => {
    const limits = {
      total_active_users: 1,
      seiriken: { joins_per_address_per_minute: PER_MINUTE },
    };
    const seiriken = await start([roomOver("slow", limits)], context);
    const inside = await visitorInside(seiriken, "slow");
    const [pid = 0] = seiriken.pids();
    const before = memoryOf(pid);
    const answers = await flood(2 * PER_MINUTE, (index) =>
      // Who sends a name of the edge's for the client's address is not believed.
      join(seiriken, "slow", {
        "cf-connecting-ip": `10.0.0.${index % 250}`,
        "x-forwarded-for": "1.2.3.4",
      }),
    );
    const taken = answers.filter(({ status }) => status === 201);
    expect(taken).toHaveLength(PER_MINUTE - 1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect([answer.status, answer.json().code]).toEqual([429, "too-many-joins"]);
      expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
      expect(Number(answer.headers["retry-after"])).toBeLessThanOrEqual(60);
    }
    expect((await tallies(seiriken, "slow"))["refused"]).toBe(PER_MINUTE + 1);
    expect(await joinFrom(seiriken, "slow", "127.0.0.2")).toContain(" 201 ");
    const again = seiriken.visitor({ room: "slow" });
    again.cookies.set(...ticketOf(taken[0]));
    expect(await whereIs(again)).toMatchObject({ state: "waiting" });
    await inside.release();
    expect(memoryOf(pid) - before).toBeLessThan(MEMORY_MB);
    if (LONG) await everybodyJoins(seiriken);
  },
);

const ticketOf = (answer: Answer | undefined): [string, string] => {
  const line = answer?.setCookies.find((cookie) => cookie.includes("-ticket-")) ?? "";
  const pair = line.split(";")[0] ?? "";
  return [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
};

/** 5,000 honest visitors behind one address come again when they are told to. */
const everybodyJoins = async (seiriken: Seiriken): Promise<void> => {
  const numbers = await flood(5_000, async () => {
    for (;;) {
      const answer = await join(seiriken, "slow");
      if (answer.status === 201) return answer.json().number as number;
      await new Promise((later) =>
        setTimeout(later, Number(answer.headers["retry-after"]) * 1_000),
      );
    }
  });
  expect(new Set(numbers).size).toBe(5_000);
};
