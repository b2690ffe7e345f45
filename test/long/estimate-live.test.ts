import { expect, test } from "vitest";
import type { Eta } from "../../src/core/estimate/eta.ts";
import type { Scenario, Wait } from "../sim/estimate/crowd.ts";
import { Draws } from "../sim/estimate/draws.ts";
import { judge, judgeWaits } from "../sim/estimate/judge.ts";
import { claimVisit, takeNumber } from "../support/journey.ts";
import { roomOver } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Visitor } from "../support/visitor.ts";

const VISITORS = 200;
const PERMITS = 10;
const SCENARIO: Scenario = {
  name: "two hundred at an opening",
  steady: false,
  limits: { permitsMax: PERMITS },
  arrivals: (draws) => draws.within(0, 10, VISITORS),
  visit: (draws) => draws.lognormal(5, 0.6),
};

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Takes a ticket, asks each second where it stands, goes in when called, stays, and leaves. */
const waitThrough = async (visitor: Visitor, staySeconds: number): Promise<Wait> => {
  const number = await takeNumber(visitor);
  const joinedAt = Date.now();
  const looks: { at: number; eta: Eta }[] = [];
  for (let isWaiting = true; isWaiting;) {
    await pause(1_000);
    const answer = await visitor.where();
    const told = answer.json<{ state: string; eta: Eta }>();
    isWaiting = told.state === "waiting";
    if (isWaiting) looks.push({ at: Date.now(), eta: told.eta });
  }
  const calledAt = Date.now();
  await claimVisit(visitor);
  await pause(staySeconds * 1_000);
  await visitor.release();
  return { number, joinedAt, calledAt, looks, changedAt: [] };
};

test("[ETA-10] 200 visitors of a running room are told the truth as those of the simulation are", async () => {
  const rooms = [roomOver("shop", { total_active_users: PERMITS })];
  const seiriken = await startSeiriken({ runtime: "workerd", rooms });
  try {
    const draws = new Draws(11);
    const lives = SCENARIO.arrivals(draws).map(async (at) => {
      const stay = SCENARIO.visit(draws, at);
      await pause(at * 1_000);
      return waitThrough(seiriken.visitor(), stay);
    });
    const live = judgeWaits(await Promise.all(lives));
    const simulated = judge(SCENARIO, [11, 12, 13]);
    console.log("live", live, "simulated", simulated);
    expect(live.waits).toBeGreaterThan(100);
    expect(live.error).toBeLessThanOrEqual(0.2);
    for (const share of live.coverage) expect(share).toBeGreaterThanOrEqual(0.8);
    expect(live.tooSoon).toBe(0);
    expect(Math.abs(live.error - simulated.error)).toBeLessThan(0.12);
  } finally {
    await seiriken.stop();
  }
});
