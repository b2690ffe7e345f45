import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { ReallyWas } from "../../cli/simulate/came.ts";
import type { Sale, SaleOutcome } from "../../src/core/simulation/sale.ts";
import { Command } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { ask } from "../support/http.ts";
import { Pulse } from "../support/pulse.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

const PERMITS = 4;

let seiriken: Seiriken;
const commands: Command[] = [];

beforeAll(async () => {
  seiriken = await startSeiriken({
    runtime: "workerd",
    rooms: [
      {
        name: "shop",
        host: "*",
        path: "/tickets",
        total_active_users: PERMITS,
        new_users_per_minute: 6_000,
      },
    ],
  });
});
afterEach(async () => {
  await Promise.all(commands.splice(0).map((command) => command.end()));
});
afterAll(() => seiriken.stop());

const crowd = (...flags: string[]) => {
  const command = new Command("cli/crowd.ts", ["--server", seiriken.url, "--json", ...flags]);
  commands.push(command);
  return command;
};

interface Simulated {
  readonly sale: Sale;
  readonly outcome: SaleOutcome;
  readonly really?: ReallyWas;
}

const quick = ["--arrive", "500ms", "--stay", "50ms..200ms"];

test("[CROWD-3] [CROWD-4] [CROWD-6] a crowd on sockets goes through, in order", async () => {
  const command = crowd("--visitors", "60", "--leave", "10%", ...quick);
  expect(await command.ended()).toBe(0);
  const summary = await command.event("summary");
  expect(summary).toMatchObject({ ending: "through", errors: 0, overtaken: 0, errorKinds: {} });
  expect(summary["stages"]["done"] + summary["stages"]["left"]).toBe(60);
  expect(summary["turns"]).toBeGreaterThan(20);
  expect(summary["insideMax"]).toBeLessThanOrEqual(PERMITS);
  expect(summary["waitMs"]["p50"]).toBeGreaterThan(0);
  expect(seiriken.origin.requests.every(({ headers }) => headers["seiriken-visit"])).toBe(true);
});

test("[SIMULATE-4] [SIMULATE-13] a small sale goes as it was simulated, and its history has all who came", async () => {
  const sale = ["--visitors", "48", "--leave", "0", "--arrive", "1s"];
  const simulated = new Command("cli/simulate.ts", [
    ...[...sale, "--permits", `${PERMITS}`, "--per-minute", "6000", "--claim", "60ms"],
    ...["--visit", "400ms..800ms", "--alone", "--json"],
  ]);
  commands.push(simulated);
  expect(await simulated.ended()).toBe(0);
  const { outcome } = JSON.parse(simulated.lines.join("\n")) as { outcome: SaleOutcome };
  const pulse = new Pulse(seiriken.url);
  const beganAt = performance.now();
  const command = crowd(...sale, "--stay", "400ms..800ms");
  expect(await command.ended()).toBe(0);
  // A machine that is slow for all makes the real waits longer, and not the simulated ones.
  const slackMs = pulse.slackSince(beganAt);
  await pulse.stop();
  const { waitMs } = await command.event("summary");
  expect(outcome).toMatchObject({ visitors: 48, entered: 48, visitingMost: PERMITS });
  const { medianMs = 0, longestMs = 0 } = outcome.waits ?? {};
  expect(waitMs["p50"], "the median wait").toBeGreaterThan(0.8 * medianMs);
  expect(waitMs["p50"]).toBeLessThan(1.3 * medianMs + slackMs);
  expect(waitMs["max"], "the longest wait").toBeGreaterThan(0.8 * longestMs);
  expect(waitMs["max"]).toBeLessThan(1.3 * longestMs + slackMs);
  await expectHistory();
});

/** All who have come to the room so far come again, into the room's own limits. */
const expectHistory = async (): Promise<void> => {
  const span = ["--from-history", "1h", "--room", "shop", "--server", seiriken.url];
  const again = new Command(
    "cli/simulate.ts",
    [...span, "--visit", "400ms..800ms", "--alone", "--json"],
    { ADMIN_TOKEN: seiriken.adminToken },
  );
  commands.push(again);
  expect(await again.ended(), again.stderr).toBe(0);
  const { sale, outcome, really } = JSON.parse(again.lines.join("\n")) as Simulated;
  const told = await ask(`${seiriken.url}/.seiriken/api/rooms/shop/history?minutes=60`, {
    headers: { authorization: `Bearer ${seiriken.adminToken}` },
  });
  const minutes = told.json()["minutes"] as readonly { readonly issued: number }[];
  expect(sale.visitors).toBe(minutes.reduce((sum, { issued }) => sum + issued, 0));
  expect(sale.visitors).toBeGreaterThanOrEqual(48);
  expect(sale.limits).toMatchObject({ permitsMax: PERMITS, startsPerMinuteMax: 6_000 });
  expect(outcome.entered).toBe(sale.visitors);
  expect(really?.visitingMost).toBe(PERMITS);
};

test("[CROWD-3] a crowd that polls goes through too", async () => {
  const command = crowd("--visitors", "12", "--sockets", "no", "--leave", "0", ...quick);
  expect(await command.ended()).toBe(0);
  const summary = await command.event("summary");
  expect(summary).toMatchObject({ ending: "through", stages: { done: 12 }, reconnects: 0 });
});

test("[CROWD-6] [CROWD-7] when time is up all go home and leave nothing behind", async () => {
  const flags = ["--stay", "1m", "--leave", "0", "--arrive", "100ms", "--timeout", "3s"];
  const command = crowd("--visitors", "12", ...flags);
  expect(await command.ended()).toBe(1);
  const summary = await command.event("summary");
  expect(summary).toMatchObject({ ending: "time is up", errors: 0 });
  await eventually(async () => {
    const state = (await ask(`${seiriken.url}/.seiriken/rooms/shop`)).json();
    expect(state).toMatchObject({ waiting: 0, visiting: 0 });
  });
});

test("[CROWD-6] a room that is not there is said at once", async () => {
  const command = crowd("--room", "nowhere");
  expect(await command.ended()).toBe(1);
  expect(command.events).toMatchObject([{ event: "error", code: "no-room" }]);
});

test("[CROWD-1] another machine is refused with exit code 2", async () => {
  const command = crowd("--server", "http://192.0.2.1");
  expect(await command.ended()).toBe(2);
  expect(command.events).toMatchObject([{ event: "error", code: "not-loopback" }]);
});

test("[CROWD-8] without a terminal the summary is text", async () => {
  const command = new Command("cli/crowd.ts", [
    ...["--server", seiriken.url, "--visitors", "3", "--arrive", "10ms", "--stay", "10ms"],
  ]);
  commands.push(command);
  expect(await command.ended()).toBe(0);
  expect(command.lines.join("\n")).toMatch(/^in .*: 3 done, 0 gave up, 0 failed$/m);
});
