import { expect, test } from "vitest";
import { ticketNumber } from "../../src/core/ids.ts";
import { instant } from "../../src/core/time.ts";
import type { WaitAsk, WaitReply } from "../../src/durable/contract.ts";
import type { TurnsAsk } from "../../src/durable/turns-contract.ts";
import { IsolateTurns } from "../../src/durable/lobby/isolate-turns.ts";

const NO_NEWS: TurnsAsk = {
  ...{ isolate: "one", asks: [], passed: [], ended: [], gone: [], heard: [] },
  ...{ again: false, atOnce: false },
};

const ask = (waitId: string): WaitAsk => ({ waitId, ticket: null, holdMs: 5_000, address: null });

/** A lobby whose waits end when the test says so. */
const lobbyOf = () => {
  let nowMs = 1_000;
  const grants = new Map<string, (reply: WaitReply) => void>();
  const asked: string[] = [];
  const tickets = {
    wait: ({ waitId }: WaitAsk) => {
      asked.push(waitId);
      return new Promise<WaitReply>((resolve) => grants.set(waitId, resolve));
    },
    end: () => Promise.resolve(),
  };
  const waiting = { passed: () => undefined, lend: () => null, abandon: () => undefined };
  const shared = new IsolateTurns(tickets, waiting, () => instant(nowMs));
  const visit = {
    ...{ visit: ticketNumber(7), epoch: 1, leaseUntil: instant(9_000), endsAt: null },
    ...{ passUntil: instant(0), provisional: false, now: instant(1_000) },
  };
  return {
    asked,
    turns: (news: Partial<TurnsAsk>) => shared.turns({ ...NO_NEWS, ...news }),
    grant: (wait: string) => grants.get(wait)?.({ kind: "visit", visit, rate: null }),
    pass: (ms: number) => (nowMs += ms),
  };
};

test("[LENT-13] an answer of which nobody says that it came is given again, and its request asks once", async () => {
  const { turns, grant, asked } = lobbyOf();
  const lost = turns({ asks: [ask("a")] });
  grant("a");
  const { stamp, replies } = await lost;
  expect(replies).toMatchObject([{ wait: "a" }]);
  const again = await turns({ asks: [ask("a")], again: true });
  expect(again.replies).toEqual(replies);
  expect(asked).toEqual(["a"]);
  const acknowledged = await turns({ heard: [stamp, again.stamp], again: true, atOnce: true });
  expect(acknowledged.replies).toEqual([]);
});

test("[LENT-12] a call that has to be answered at once is, and so is the one before it", async () => {
  const { turns } = lobbyOf();
  const startedAt = Date.now();
  const listening = turns({ asks: [ask("a")] });
  await scheduler.wait(0);
  const leaving = turns({ atOnce: true });
  expect((await Promise.all([listening, leaving])).map(({ replies }) => replies)).toEqual([[], []]);
  expect(Date.now() - startedAt).toBeLessThan(1_000);
});

test("[LENT-13] the lease of a visit runs on while it waits for a call to go with", async () => {
  const { turns, grant, pass } = lobbyOf();
  await turns({ asks: [ask("a")], atOnce: true });
  grant("a");
  pass(3_000);
  const { replies } = await turns({});
  expect(replies).toMatchObject([{ reply: { visit: { now: 4_000, leaseUntil: 9_000 } } }]);
});
