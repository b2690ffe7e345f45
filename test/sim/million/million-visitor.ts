/**
 * One visitor of a sale, as its page behaves (static/queue/client), with what people and phones do to
 * pages. What a lobby says is the real lobby's, and how tries are spread is the page's own code.
 */
import assert from "node:assert/strict";
import type { LobbyIndex, TicketNumber, VisitorId } from "../../../src/core/ids.ts";
import type {
  ClaimReply,
  TakeReply,
  TicketClaims,
  TicketView,
  VisitReply,
  WhereReply,
} from "../../../src/durable/contract.ts";
import type { Planned } from "./agenda.ts";
import type { Mishap } from "./lateness.ts";
import type { MillionWorld } from "./million-world.ts";
import type { SocketAnswer } from "./virtual-platform.ts";
import { VirtualSocket, type SocketClient } from "./virtual-socket.ts";

/**
 * patient: stays · leaver: has had enough after a while · sleeper: stays, on a phone that sleeps ·
 * idle-bot: never claims · greedy-bot: takes many tickets · wrong-bot: claims before its turn
 */
type Kind = "patient" | "leaver" | "sleeper" | "idle-bot" | "greedy-bot" | "wrong-bot";
type Phase = "taking" | "waiting" | "called" | "inside" | "over";

const PING_MS = 30_000;
const UNREACHABLE_FIRST_MS = 2_000;
/** Closings from here on refuse: the page tries again after a long pause, and asks meanwhile. */
const REFUSED_FROM = 4_400;
const REFUSED_PAUSE_MS = 120_000;
const RETURN_SPREAD_MS = 2_000;
const GONE = 1_006;
/** In two thirds of all sleeps the network says goodbye; otherwise it is only silent. */
const SAYS_GOODBYE = 0.66;
/** Of visits, these end without a word, and these are renewed meanwhile if they last. */
const ENDS_SILENTLY = 0.05;
const RENEWS = 0.03;
const RENEWS_FROM_MS = 6_000;
const WRONG_CLAIMS = 10;
const MORE_TICKETS = 5;

export class MillionVisitor implements SocketClient {
  readonly delayMs: number;
  readonly lobby: LobbyIndex;
  readonly #world: MillionWorld;
  readonly #kind: Kind;
  readonly #id: VisitorId;
  #phase: Phase = "taking";
  #ticket: TicketClaims | null = null;
  /** The lobby's end. */
  #socket: VirtualSocket | null = null;
  #pingsFrom = 0;
  #asleepSince = Infinity;
  #isConnecting = false;
  #attempt = 0;
  #failures = 0;
  #returnAfterMs = 0;
  /** A socket has told the place since the last one was lost. */
  #isTold = false;
  #isClaiming = false;
  #next: Planned | null = null;
  #tricks = 0;
  #mishap: Mishap = "none";

  constructor(world: MillionWorld, at: number, kind = kindOf(world), lobby = world.pickLobby()) {
    this.#world = world;
    this.#kind = kind;
    this.delayMs = world.network.someDelayMs();
    this.lobby = lobby;
    this.#id = `visitor${at}`.padEnd(22, "_") as VisitorId;
  }

  arrive(): void {
    if (this.#isPatient) this.#world.waiting.add(this);
    if (this.#kind === "leaver")
      this.#in(this.#draw(1_000, this.#world.sale.patienceMs), () => this.#leave());
    if (this.#kind === "sleeper") this.#sleepLater();
    this.#take();
    // Twice at once, as a nervous finger or a clumsy script does: it is one visitor, and gets one number.
    if (this.#kind === "greedy-bot") this.#take();
  }

  get #isPatient(): boolean {
    return this.#kind === "patient" || this.#kind === "sleeper";
  }

  get #isAwake(): boolean {
    return this.#world.now < this.#asleepSince;
  }

  get #isInLine(): boolean {
    return this.#phase === "waiting" || this.#phase === "called";
  }

  // What comes over the socket, at the moment at which it is sent.

  socketSent(message: string): void {
    const { counts } = this.#world;
    counts.sent += 1;
    counts.sentBytes += message.length;
    if (message.startsWith('{"type":"position"'))
      return this.#world.holds(() => this.#told(message));
    if (message.startsWith('{"type":"called"')) return this.#soon(() => this.#called());
    if (message === '{"type":"ready?"}') return this.#soon(() => this.#say('{"type":"ready"}'));
  }

  socketClosedThere(socket: VirtualSocket, code: number): void {
    // The page closes its end too, where it hears of it.
    if (code !== GONE)
      this.#in(this.#delay(), () => this.#world.lobby(this.lobby).hearClose(socket, code));
    if (this.#socket !== socket) return;
    this.#socket = null;
    this.#soon(() => this.#down(code));
  }

  #told(message: string): void {
    const position = POSITION.exec(message);
    assert.ok(position !== null, `what a position is: ${message}`);
    const [, number, state, ahead, returnAfterMs] = position;
    assert.equal(Number(number), this.#ticket?.number, "a socket is told of its own number");
    this.#attempt = 0;
    // The place is told: there is nothing to ask.
    if (this.#next !== null && this.#phase === "waiting" && this.#isPatient) this.#next.run = null;
    this.#isTold = true;
    this.#returnAfterMs = Number(returnAfterMs ?? 0);
    const { positions, platform } = this.#world;
    if (state === "waiting") positions.told(Number(number), Number(ahead), platform.worldNow);
    // A call was missed: by asking, the visitor is back in line.
    else if (state === "away" && this.#kind !== "idle-bot") this.#soon(() => this.#where());
  }

  #say(message: string): void {
    const socket = this.#socket;
    if (socket === null) return;
    this.#world.counts.received += 1;
    this.#in(this.#delay(), () => this.#world.lobby(this.lobby).hear(socket, message));
  }

  // The way through the line.

  #take(): void {
    const ask = { visitor: this.#id, ticket: this.#ticket, address: null };
    this.#world.ask(this, "take", [[ask]], (answer) => {
      const [reply] = (answer ?? []) as readonly TakeReply[];
      if (reply?.kind === "ticket") this.#isMine(reply.view);
      if (this.#phase !== "taking" || !this.#isAwake) return;
      if (reply === undefined) return this.#again(() => this.#take());
      if (reply.kind === "refused") return this.#later(reply.retryAfterMs, () => this.#take());
      this.#stand(reply.view);
    });
  }

  #where(): void {
    if (this.#ticket === null || !this.#isInLine) return;
    this.#world.ask(this, "where", [this.#ticket], (answer) => {
      if (!this.#isInLine || !this.#isAwake) return;
      const reply = answer as WhereReply | null;
      if (reply === null) return this.#again(() => this.#where());
      if (reply.kind === "refused") return this.#later(reply.retryAfterMs, () => this.#where());
      if (reply.kind === "ended") return this.#lost();
      this.#stand(reply.view);
    });
  }

  /** Whoever comes back, or asks twice at once, has one number. */
  #isMine({ number }: TicketView): void {
    const before = this.#ticket?.number;
    assert.ok(before === undefined || before === number, `${before} came back and is ${number}`);
  }

  #stand(view: TicketView): void {
    const { number, state, joinedAt, heardAt } = view;
    this.#failures = 0;
    this.#isMine(view);
    this.#ticket = { number, visitor: this.#id, lobby: this.lobby, joinedAt, heardAt };
    if (state === "visiting") return this.#claim();
    this.#phase = state === "called" ? "called" : "waiting";
    if (this.#kind === "greedy-bot") return this.#takeMore();
    if (this.#kind === "wrong-bot" && this.#tricks++ < WRONG_CLAIMS)
      this.#later(3_000, () => this.#claim());
    this.#open();
    if (this.#phase === "called") this.#called();
  }

  #called(): void {
    if (this.#kind === "idle-bot" || this.#kind === "greedy-bot" || !this.#isInLine) return;
    this.#phase = "called";
    if (!this.#isClaiming) this.#claim();
  }

  #claim(): void {
    if (this.#ticket === null || !this.#isInLine) return;
    this.#isClaiming = true;
    this.#world.ask(this, "claim", [this.#ticket], (answer) => {
      this.#isClaiming = false;
      if (!this.#isInLine || !this.#isAwake) return;
      const reply = answer as ClaimReply | null;
      if (reply === null) return this.#again(() => this.#claim());
      if (reply.kind === "visit") return this.#enter(reply.visit.visit);
      if (reply.kind === "ended") return this.#lost();
      if (reply.kind === "refused") return this.#later(reply.retryAfterMs, () => this.#claim());
      if (reply.view.state !== "called") return this.#stand(reply.view);
      this.#later(reply.retryAfterMs + this.#draw(0, 200), () => this.#claim());
    });
  }

  #enter(visit: TicketNumber): void {
    const { counts, lateness, line, platform, sale } = this.#world;
    assert.equal(visit, this.#ticket?.number, "a visit is named after its number");
    this.#phase = "inside";
    this.#socket = null;
    counts.entered += 1;
    this.#world.served(this);
    if (this.#isPatient) lateness.add(this.#mishap, line.heads.lateMs(visit));
    if (platform.draws.chance(ENDS_SILENTLY)) return;
    const staysMs = Math.min(platform.draws.exponential(sale.visitMs), sale.leaseMs - 5_000);
    if (staysMs > RENEWS_FROM_MS && platform.draws.chance(RENEWS))
      this.#in(staysMs / 2, () => this.#renew(visit));
    this.#in(staysMs, () => this.#finish(visit));
  }

  #renew(visit: TicketNumber): void {
    this.#world.ask(this, "renew", [visit], (answer) => {
      const reply = answer as VisitReply | null;
      assert.ok(reply === null || reply.kind === "visit", `visit ${visit} was cut short`);
    });
  }

  #finish(visit: TicketNumber): void {
    this.#world.ask(this, "end", [visit, 0], (answer) => {
      if (answer === null) this.#in(UNREACHABLE_FIRST_MS, () => this.#finish(visit));
      else this.#phase = "over";
    });
  }

  /** The number is spent: that may only be after three missed calls, or where its visitor gave it up. */
  #lost(): void {
    const number = this.#ticket?.number ?? 0;
    const isFair = this.#world.line.isSpentByMisses(number) || !this.#isPatient;
    assert.ok(isFair, `${number} stayed and lost its place`);
    if (this.#isPatient) this.#world.counts.missedOut += 1;
    this.#world.served(this);
    this.#phase = "over";
  }

  // What people, phones and bots do.

  #leave(): void {
    if (this.#ticket === null || this.#phase !== "waiting") return;
    this.#world.counts.left += 1;
    const ticket = this.#ticket;
    this.#phase = "over";
    if (this.#world.platform.draws.chance(0.5))
      this.#world.ask(this, "leave", [ticket], () => undefined);
    else this.#part();
  }

  #sleepLater(): void {
    this.#in(this.#draw(5_000, 60_000), () => {
      if (!this.#isInLine) return;
      this.#asleepSince = this.#world.now;
      this.#mishap = "slept";
      if (this.#world.platform.draws.chance(SAYS_GOODBYE)) this.#part();
      this.#in(this.#draw(2_000, 40_000), () => this.#wake());
    });
  }

  #wake(): void {
    if (!this.#isInLine) return;
    this.#asleepSince = Infinity;
    this.#isClaiming = false;
    this.#isConnecting = false;
    this.#part();
    this.#open();
    this.#where();
    this.#sleepLater();
  }

  #takeMore(): void {
    if (this.#tricks++ >= MORE_TICKETS) return;
    new MillionVisitor(this.#world, this.#world.nextBot(), "idle-bot", this.lobby).arrive();
    this.#later(1_000, () => this.#takeMore());
  }

  // The socket.

  #open(): void {
    if (this.#socket !== null || this.#isConnecting || this.#ticket === null) return;
    this.#isConnecting = true;
    this.#world.upgrade(this, JSON.stringify(this.#ticket), (answer) => {
      this.#isConnecting = false;
      const upgrade = answer as SocketAnswer | null;
      if (upgrade === null) return this.#down(GONE);
      const socket = upgrade.webSocket?.peer ?? null;
      if (socket === null) return this.#down((upgrade.json() as { code: number }).code);
      if (socket.readyState !== VirtualSocket.OPEN) return this.#down(GONE);
      this.#socket = socket;
      this.#pingsFrom = this.#world.now;
      socket.lastPingAt = () => this.#lastPingAt(socket);
      if (!this.#isAwake || !this.#isInLine) this.#part();
    });
  }

  /** The first at once, then every half minute, for as long as the page is awake and this is its socket. */
  #lastPingAt(socket: VirtualSocket): number | null {
    if (this.#socket !== socket) return this.#pingsFrom;
    const until = Math.min(this.#asleepSince, this.#world.now - this.delayMs);
    const pings = Math.max(0, Math.floor((until - this.#pingsFrom) / PING_MS));
    return this.#pingsFrom + pings * PING_MS;
  }

  /** The page closes its socket, or its network does. */
  #part(): void {
    const socket = this.#socket;
    this.#socket = null;
    if (socket !== null)
      this.#in(this.#delay(), () => this.#world.lobby(this.lobby).hearClose(socket, 1_001));
  }

  #down(code: number): void {
    if (!this.#isInLine) return;
    const { returnsIn } = this.#world.modules;
    this.#world.counts.reconnects += 1;
    if (code === GONE && this.#mishap === "none") this.#mishap = "cut-off";
    const afterMs = this.#returnAfterMs;
    const isRefused = code >= REFUSED_FROM;
    const pause = isRefused ? REFUSED_PAUSE_MS : returnsIn(this.#attempt++, afterMs);
    this.#in(pause, () => {
      if (this.#isAwake && this.#isInLine) this.#open();
    });
    // One that is called goes on with its claim.
    if (this.#phase !== "waiting") return;
    const asksIn = isRefused
      ? this.#draw(0, 1_000)
      : afterMs + this.#draw(0, RETURN_SPREAD_MS) + (this.#isTold ? RETURN_SPREAD_MS : 0);
    this.#isTold = false;
    this.#later(200 + asksIn, () => this.#where());
  }

  // When things happen.

  /** Over the network, and heard only where the page is awake by then. */
  #soon(act: () => void): void {
    this.#in(this.#delay(), () => {
      if (this.#isAwake && this.#phase !== "over") act();
    });
  }

  /** One thing at a time: what was meant to come next does not come any more. */
  #later(ms: number, act: () => void): void {
    if (this.#next !== null) this.#next.run = null;
    this.#next = this.#in(ms, () => {
      if (this.#isAwake && this.#phase !== "over") act();
    });
  }

  #again(act: () => void): void {
    const { backoff } = this.#world.modules;
    this.#later(backoff(1 + this.#failures++, UNREACHABLE_FIRST_MS), act);
  }

  #in(ms: number, act: () => void): Planned {
    return this.#world.platform.agenda.in(ms, act);
  }

  #delay(): number {
    return this.#world.network.onTheWayMs(this.delayMs);
  }

  #draw(least: number, most: number): number {
    return this.#world.platform.draws.between(least, most);
  }
}

const POSITION =
  /"number":(\d+),"state":"(\w+)","ahead":(\d+).*"waiting":\d+(?:,"return_after_ms":(\d+))?/;

const kindOf = ({ sale, platform: { draws } }: MillionWorld): Kind => {
  if (draws.chance(sale.bots))
    return draws.chance(0.5) ? "idle-bot" : draws.chance(0.6) ? "greedy-bot" : "wrong-bot";
  if (draws.chance(sale.sleepers)) return "sleeper";
  return draws.chance(sale.leavers / (1 - sale.sleepers)) ? "leaver" : "patient";
};
