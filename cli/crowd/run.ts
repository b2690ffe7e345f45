import { setTimeout as sleep } from "node:timers/promises";
import { setMaxListeners } from "node:events";
import { Failure } from "../launch/failure.ts";
import { Browser } from "./browser.ts";
import type { Network } from "./browser.ts";
import type { Display } from "./display.ts";
import { Journey } from "./journey.ts";
import type { CrowdPlan } from "./plan.ts";
import { Tally } from "./tally.ts";
import { errorKind } from "./crowd-error.ts";

/** How long those who are sent home may take to give their places back. */
const HOME_WITHIN_MS = 5_000;

/** True when everyone got through or gave up, nobody met an error, and time sufficed. */
export const runCrowd = async (
  plan: CrowdPlan,
  network: Network,
  display: Display,
  interrupted: AbortSignal,
): Promise<boolean> => {
  await checkRoom(plan, network);
  const tally = new Tally(plan.visitors);
  const time = new AbortController();
  const clock = setTimeout(() => time.abort(), plan.timeoutMs);
  const home = AbortSignal.any([time.signal, interrupted]);
  // every visitor listens to the one signal that ends them all
  setMaxListeners(0, home);

  const startedAtMs = performance.now();
  const tookMs = () => performance.now() - startedAtMs;
  const redraw = setInterval(() => display.show(tally.counts(), tookMs()), display.everyMs);
  const journeys = Array.from({ length: plan.visitors }, () =>
    new Journey(plan, network, tally, home).run(Math.random() * plan.arriveMs),
  );
  const allEnded = new AbortController();
  const lastCall = whenAborted(home).then(() => sleep(HOME_WITHIN_MS, null, allEnded));
  await Promise.race([Promise.all(journeys), lastCall]);
  allEnded.abort();
  lastCall.catch(() => undefined);
  clearInterval(redraw);
  clearTimeout(clock);

  const summary = tally.summary(tookMs());
  display.show(summary, summary.tookMs);
  const ending = interrupted.aborted ? "stopped" : time.signal.aborted ? "time is up" : "through";
  display.summary(summary, ending);
  return summary.errors === 0 && ending === "through";
};

const checkRoom = async ({ server, room }: CrowdPlan, network: Network): Promise<void> => {
  const answer = await new Browser(network)
    .call("GET", `/.seiriken/rooms/${room}`)
    .catch((thrown: unknown) => {
      throw new Failure("no-server", `nobody answers at ${server} (${errorKind(thrown)})`, [
        "start one in another terminal: npm start",
      ]);
    });
  if (answer.status !== 200)
    throw new Failure("no-room", `${server} has no room ${room} (status ${answer.status})`, [
      "name one that is there with --room",
    ]);
};

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
