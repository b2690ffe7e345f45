import { expect, test } from "vitest";
import { ticketNumber } from "../../src/core/ids.ts";
import { instant } from "../../src/core/time.ts";
import { Lifetime } from "../../src/worker/permit/lifetime.ts";
import { relayAnswer } from "../../src/worker/permit/relay-answer.ts";
import { RequestPermit } from "../../src/worker/permit/request-permit.ts";
import { platformPorts } from "../../src/worker/platform/ports.ts";

const visit = (leaseMs: number) => ({
  visit: ticketNumber(7),
  epoch: 1,
  leaseUntil: instant(leaseMs),
  passUntil: instant(0),
  endsAt: null,
  provisional: false,
  now: instant(0),
});

/** Lives for so long under a permit; tells what was asked of whoever gave it. */
const live = async (
  end: (() => Promise<void>) | null,
  { forMs = 0, leaseMs = 60_000, renewedMs = 60_000 } = {},
): Promise<string[]> => {
  const asked: string[] = [];
  const permit = {
    end(): Promise<void> {
      asked.push("back");
      return end?.() ?? Promise.resolve();
    },
  };
  const work: Promise<unknown>[] = [];
  const life = new RequestPermit({
    ports: platformPorts,
    waitUntil: (more) => work.push(more),
    client: null,
    ask: () =>
      Promise.resolve({
        kind: "visit" as const,
        visit: visit(leaseMs),
        ...(end === null ? {} : { permit }),
      }),
    abandon: () => Promise.resolve(asked.push("let go")),
    renew: () => {
      asked.push("renew");
      return Promise.resolve({ kind: "visit" as const, visit: visit(renewedMs) });
    },
    end: (number: number) => {
      asked.push(`end ${number}`);
      return Promise.resolve();
    },
  });
  await life.ask();
  await scheduler.wait(forMs);
  life.end("answered");
  await Promise.all(work);
  return asked;
};

test("[HOLD-30] it goes back over the call that brought it", async () => {
  expect(await live(() => Promise.resolve())).toEqual(["back"]);
});

test("[HOLD-30] where that is broken, or there is none, by its name", async () => {
  const broken = () => Promise.reject(new Error("the lobby began anew"));
  expect(await live(broken)).toEqual(["back", "end 7"]);
  expect(await live(null)).toEqual(["end 7"]);
});

test("[LENT-7] a short first lease is renewed soon, and from then on as the new one wants it", async () => {
  expect(await live(null, { forMs: 250, leaseMs: 200 })).toEqual(["renew", "renew", "end 7"]);
});

test.each([
  [true, ["next", "answer"]],
  [false, ["answer", "next"]],
])(
  "[HOLD-33] a whole answer goes to its client after the next request is sent, where one may wait: %s",
  async (isAwaited, expected) => {
    const order: string[] = [];
    const work = { ports: platformPorts, waitUntil: () => undefined, client: null };
    const lifetime = new Lifetime(work);
    // To give a permit on and to send the next request takes some promises.
    const next = lifetime.over.then(async () => {
      for (let left = 50; left > 0; left -= 1) await Promise.resolve();
      order.push("next");
    });
    const whole = new Response("done", { headers: { "Content-Length": "4" } });
    const limits = { silenceMaxMs: null, stallMaxMs: null, isEncoded: true };
    const answer = await relayAnswer(whole, lifetime, {
      arrival: { request: new Request("https://shop.example/"), abort: () => undefined },
      ...{ ...limits, isAwaited },
    });
    order.push("answer");
    await next;
    expect(order).toEqual(expected);
    expect(await answer.text()).toBe("done");
  },
);
