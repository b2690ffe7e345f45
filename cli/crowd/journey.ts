/**
 * One visitor's way through the room, from the first request to the last. Waiting for the turn is
 * turn.ts.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Browser } from "./browser.ts";
import { NO_PROOF, proofFor } from "./proof.ts";
import type { BrowserAnswer, Network } from "./browser.ts";
import type { CrowdPlan } from "./plan.ts";
import type { Stage, Tally } from "./tally.ts";
import { CrowdError, errorKind } from "./crowd-error.ts";
import { problemCode, untilCalled } from "./turn.ts";
import type { Ticket } from "./turn.ts";

/** Visitors who give up do so within this time after taking their ticket. */
const PATIENCE_MS = 10_000;

/** One visitor, from the first request to the last; ends early when `home` is aborted. */
export class Journey {
  readonly #plan: CrowdPlan;
  readonly #tally: Tally;
  readonly #browser: Browser;
  readonly #home: AbortSignal;
  readonly #base: string;
  #stage: Stage = "away";
  #wasAway = false;

  constructor(plan: CrowdPlan, network: Network, tally: Tally, home: AbortSignal) {
    this.#plan = plan;
    this.#tally = tally;
    this.#browser = new Browser(network);
    this.#home = home;
    this.#base = `/.seiriken/rooms/${plan.room}`;
  }

  async run(arriveAfterMs: number): Promise<void> {
    try {
      await sleep(arriveAfterMs, undefined, { signal: this.#home });
      this.#enter("arriving");
      if (await this.#isAdmittedAtOnce()) await this.#visit();
      else await this.#queue();
    } catch (thrown) {
      await this.#giveBack();
      if (this.#home.aborted) return;
      this.#tally.error(errorKind(thrown));
      this.#enter("failed");
    }
  }

  async #isAdmittedAtOnce(): Promise<boolean> {
    const page = await this.#browser.navigate(this.#plan.path);
    const status = gateStatus(page);
    if (status === "admitted") this.#tally.admittedAtOnce();
    if (status === "admitted" || status === "queued") return status === "admitted";
    throw new CrowdError(`GET ${this.#plan.path}: ${page.status}, ${status || "not our answer"}`);
  }

  async #queue(): Promise<void> {
    const ticket = await this.#take();
    const ticketAtMs = performance.now();
    this.#enter("waiting");
    let calledAtMs = ticketAtMs;
    for (let state = ticket.state; ; state = "waiting") {
      if (state === "waiting" || state === "away") {
        if (!(await this.#waitForTurn())) return;
        calledAtMs = performance.now();
      }
      if (await this.#claim()) break;
    }
    const { number } = ticket;
    this.#tally.turn({
      number,
      ticketAtMs,
      calledAtMs,
      enteredAtMs: performance.now(),
      wasAway: this.#wasAway,
    });
    // inside from the claim on: that is when the permit is held
    this.#enter("inside");
    const page = await this.#browser.navigate(this.#plan.path);
    if (gateStatus(page) !== "admitted")
      throw new CrowdError(`GET ${this.#plan.path} with a pass: ${page.status}`);
    await this.#visit();
  }

  /** Asks again as long as the room says "later"; does the work that a ticket may cost. */
  async #take(): Promise<Ticket> {
    let proof = NO_PROOF;
    for (;;) {
      const answer = await this.#browser.call("POST", `${this.#base}/tickets`, proof);
      const solved = await proofFor(answer, this.#home);
      proof = solved ?? NO_PROOF;
      if (solved !== null) continue;
      if (answer.status === 200 || answer.status === 201) return JSON.parse(answer.body) as Ticket;
      if (answer.status !== 503 && answer.status !== 429)
        throw new CrowdError(`POST tickets: ${answer.status}${problemCode(answer.body)}`);
      await this.#sleepAsTold(answer);
    }
  }

  /** False when this visitor gave up the place instead. */
  async #waitForTurn(): Promise<boolean> {
    const givesUp = Math.random() < this.#plan.leaveShare;
    const patience = new AbortController();
    const timer = givesUp
      ? setTimeout(() => patience.abort(), Math.random() * PATIENCE_MS)
      : undefined;
    try {
      await untilCalled(
        {
          browser: this.#browser,
          base: this.#base,
          signal: AbortSignal.any([this.#home, patience.signal]),
          onReconnect: () => {
            this.#wasAway = true;
            this.#tally.reconnected();
          },
          onPoll: (afterMs) => this.#tally.polledAfter(afterMs),
        },
        this.#plan.sockets,
      );
      return true;
    } catch (thrown) {
      if (!patience.signal.aborted || this.#home.aborted) throw thrown;
      await this.#expect("DELETE", "tickets/mine", 204);
      this.#enter("left");
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  /** False when the room says that it is not our turn after all. */
  async #claim(): Promise<boolean> {
    for (;;) {
      const answer = await this.#browser.call("POST", `${this.#base}/visits`);
      if (answer.status === 200 || answer.status === 201) return true;
      if (answer.status !== 202)
        throw new CrowdError(`POST visits: ${answer.status}${problemCode(answer.body)}`);
      const body = JSON.parse(answer.body) as { retry_after_ms?: number; state?: string };
      await sleep(body.retry_after_ms ?? 1_000, undefined, { signal: this.#home });
      if (body.state === "waiting" || body.state === "away") return false;
    }
  }

  async #visit(): Promise<void> {
    if (this.#stage !== "inside") this.#enter("inside");
    const { stayMinMs, stayMaxMs } = this.#plan;
    const stayMs = stayMinMs + Math.random() * (stayMaxMs - stayMinMs);
    await sleep(stayMs, undefined, { signal: this.#home });
    const released = this.#expect("DELETE", "visits/mine", 204);
    this.#enter("done");
    await released;
  }

  /** The place goes back, so that the room is not left with tickets and permits nobody uses. */
  async #giveBack(): Promise<void> {
    const resource = this.#stage === "inside" ? "visits/mine" : "tickets/mine";
    if (this.#stage !== "waiting" && this.#stage !== "inside") return;
    await this.#browser.call("DELETE", `${this.#base}/${resource}`).catch(() => undefined);
  }

  async #expect(method: string, resource: string, status: number): Promise<void> {
    const answer = await this.#browser.call(method, `${this.#base}/${resource}`);
    if (answer.status !== status)
      throw new CrowdError(`${method} ${resource}: ${answer.status}${problemCode(answer.body)}`);
  }

  async #sleepAsTold(answer: BrowserAnswer): Promise<void> {
    const seconds = Number(answer.headers["retry-after"]) || 1;
    await sleep(seconds * 1_000 * (1 + Math.random() * 0.2), undefined, { signal: this.#home });
  }

  #enter(stage: Stage): void {
    this.#tally.move(this.#stage, stage);
    this.#stage = stage;
  }
}

/** The first word of `Seiriken-Status`. */
const gateStatus = (answer: BrowserAnswer): string =>
  String(answer.headers["seiriken-status"] ?? "").split(";")[0] ?? "";
