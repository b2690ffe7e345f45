import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { requestText, startLoadGenerator } from "../../bench/support/load.ts";
import { ask } from "../support/http.ts";
import { PROGRAM } from "../support/journey.ts";
import { roomOver } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";

const WAVES = 5;
const STAYING = 100;
const LEAVING = 150;
/** Well within a call's deadline of 5 s: whoever waits is never left to that. */
const WITHIN_MS = 3_000;
/** With promises of the wrong make the first 18,000 joins went well. */
const HOT_AFTER = 25_000;

/** Sends a join and breaks the connection off before its answer. */
const joinAndLeave = async (url: URL, afterMs: number): Promise<void> => {
  const socket = connect(Number(url.port), url.hostname);
  socket.on("error", () => undefined);
  const { host } = url;
  socket.write(
    `POST ${url.pathname} HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\nContent-Length: 0\r\n\r\n`,
  );
  await sleep(afterMs);
  socket.resetAndDestroy();
};

test("[GATHER-7] joins whose clients break off in the middle keep nobody's ticket back", async ({
  onTestFinished,
}) => {
  const seiriken = await startSeiriken({
    runtime: "workerd",
    rooms: [roomOver("shop", { queue_all: true })],
  });
  onTestFinished(() => seiriken.stop());
  const url = new URL("/.seiriken/rooms/shop/tickets", seiriken.url);
  const numbers: number[] = [];
  for (let wave = 0; wave < WAVES; wave++) {
    // The leavers go first, so that many of the calls under way are theirs.
    const leaving = Array.from({ length: LEAVING }, (_, at) => joinAndLeave(url, at % 8));
    const startedAt = performance.now();
    const staying = Array.from({ length: STAYING }, () =>
      ask(url.href, { method: "POST", headers: PROGRAM }),
    );
    for (const answer of await Promise.all(staying)) {
      expect(answer.status).toBe(201);
      numbers.push((answer.json() as { number: number }).number);
    }
    expect(performance.now() - startedAt).toBeLessThan(WITHIN_MS);
    await Promise.all(leaving);
  }
  expect(new Set(numbers).size).toBe(WAVES * STAYING);
});

test("[GATHER-8] each goes on as itself, also when the code has become hot and was compiled", async ({
  onTestFinished,
}) => {
  const seiriken = await startSeiriken({
    runtime: "workerd",
    rooms: [roomOver("shop", { queue_all: true })],
  });
  const load = startLoadGenerator();
  onTestFinished(async () => {
    load.stop();
    await seiriken.stop();
  });
  const { url } = seiriken;
  const path = "/.seiriken/rooms/shop/tickets";
  const requests = [requestText("POST", path, new URL(url).host, PROGRAM)];
  for (let joins = 0; joins < HOT_AFTER;) {
    const run = await load.run({ url, requests, connections: 256, seconds: 1 });
    expect(Object.keys(run.statuses)).toEqual(["201"]);
    joins += run.answers;
  }
}, 120_000);
