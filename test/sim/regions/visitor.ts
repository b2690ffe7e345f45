import assert from "node:assert/strict";
import type { LobbyIndex, VisitorId } from "../../../src/core/ids.ts";
import type {
  ClaimReply,
  TakeReply,
  TicketClaims,
  TicketView,
  WhereReply,
} from "../../../src/durable/contract.ts";
import type { VirtualPlatform } from "../million/virtual-platform.ts";
import type { Here } from "./distances.ts";
import { firstLobby } from "./distances.ts";

const VISIT_MS = 4_000;
const POLL_MS = 1_500;
const AGAIN_MS = 1_000;

/** A visitor's lobby, wherever it is. */
export interface LobbyAsked {
  take(asks: readonly object[]): Promise<readonly TakeReply[]>;
  where(ticket: TicketClaims): Promise<WhereReply>;
  claim(ticket: TicketClaims): Promise<ClaimReply>;
  end(visit: TicketClaims["number"], afterMs: number): Promise<unknown>;
}

/** Where visitors live. */
export interface VisitedWorld {
  readonly now: number;
  readonly platform: VirtualPlatform;
  ask<T>(
    visitor: RegionVisitor,
    call: (lobby: LobbyAsked) => Promise<T>,
    heed: (answer: T | null) => void,
  ): void;
  entered(by: number): void;
}

/** One person with a page that polls: takes a ticket, waits, comes in, and leaves. */
export class RegionVisitor {
  readonly region: Here;
  readonly lobby: LobbyIndex;
  isDone = false;
  enteredAt: number | null = null;
  /** From the press of the button to the ticket, and of each look at its place. */
  joinMs = 0;
  readonly pollsMs: number[] = [];
  readonly #world: VisitedWorld;
  readonly #id: VisitorId;
  #ticket: TicketClaims | null = null;
  #hasClaimed = false;

  constructor(world: VisitedWorld, at: number, region: Here) {
    this.#world = world;
    this.region = region;
    this.lobby = firstLobby(region);
    this.#id = `visitor${at}`.padEnd(22, "_") as VisitorId;
  }

  get number(): number | null {
    return this.#ticket?.number ?? null;
  }

  join(): void {
    const pressedAt = this.#world.now;
    const ask = { visitor: this.#id, ticket: this.#ticket, address: null };
    this.#world.ask(
      this,
      (lobby) => lobby.take([ask]),
      (answer: readonly TakeReply[] | null) => {
        const reply = answer?.[0];
        if (reply?.kind !== "ticket") return this.#later(AGAIN_MS, () => this.join());
        this.joinMs = this.#world.now - pressedAt;
        this.#stand(reply.view);
      },
    );
  }

  #look(): void {
    const ticket = this.#ticket;
    if (ticket === null) return;
    const askedAt = this.#world.now;
    this.#world.ask(
      this,
      (lobby) => lobby.where(ticket),
      (reply: WhereReply | null) => {
        if (reply === null || reply.kind === "refused")
          return this.#later(AGAIN_MS, () => this.#look());
        // While it was cut off its visit began, and its lease ran out.
        if (reply.kind !== "ticket" && this.#hasClaimed) return this.#over();
        assert.equal(reply.kind, "ticket", `${this.number} lost its place`);
        if (reply.kind !== "ticket") return;
        this.pollsMs.push(this.#world.now - askedAt);
        this.#stand(reply.view);
      },
    );
  }

  #stand({ number, state, joinedAt, heardAt }: TicketView): void {
    assert.ok(this.number === null || this.number === number, `${this.number} became ${number}`);
    this.#ticket = { number, visitor: this.#id, lobby: this.lobby, joinedAt, heardAt };
    if (state === "called" || state === "visiting") return this.#claim();
    this.#later(POLL_MS, () => this.#look());
  }

  #claim(): void {
    const ticket = this.#ticket;
    if (ticket === null) return;
    this.#hasClaimed = true;
    this.#world.ask(
      this,
      (lobby) => lobby.claim(ticket),
      (reply: ClaimReply | null) => {
        if (reply?.kind === "not-yet") return this.#stand(reply.view);
        if (reply === null || reply.kind === "refused")
          return this.#later(AGAIN_MS, () => this.#look());
        // While it was cut off its visit began, and its lease ran out.
        if (reply.kind === "ended") return this.#over();
        this.#enter(reply.visit.visit, reply.visit.leaseUntil - reply.visit.now);
      },
    );
  }

  #enter(visit: TicketClaims["number"], leaseMs: number): void {
    this.enteredAt = this.#world.now;
    this.#world.entered(1);
    this.#later(Math.min(VISIT_MS, leaseMs / 2), () => {
      this.#world.entered(-1);
      this.#finish(visit);
    });
  }

  #finish(visit: TicketClaims["number"]): void {
    this.#world.ask(
      this,
      (lobby) => lobby.end(visit, 0),
      () => this.#over(),
    );
  }

  #over(): void {
    this.isDone = true;
  }

  #later(ms: number, act: () => void): void {
    this.#world.platform.agenda.in(ms, act);
  }
}
