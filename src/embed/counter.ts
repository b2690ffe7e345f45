/**
 * The counter for code of one's own: one room of requests without HTTP around it. The Hono
 * middleware is middleware.ts.
 */
import { waitUntil } from "cloudflare:workers";
import { base64url } from "jose";
import type { RoomDefinition } from "../core/definition.ts";
import { lobbyIndex } from "../core/ids.ts";
import type { LobbyIndex } from "../core/ids.ts";
import { instant } from "../core/time.ts";
import type {
  TicketClaims,
  WaitReply,
  LobbyRpc,
  Refusal,
  RoomRpc,
  TicketView,
} from "../durable/contract.ts";
import type { ObjectsOf } from "../worker/platform/env.ts";
import { BoundedMap } from "../core/collections/bounded-map.ts";
import { callObject } from "../worker/isolate/call-object.ts";
import type { Lifetime } from "../worker/permit/lifetime.ts";
import { RequestPermit } from "../worker/permit/request-permit.ts";
import { platformPorts, randomBelow } from "../worker/platform/ports.ts";
import { readTicket, signTicket } from "../worker/tokens/claims.ts";
import { newIdentity } from "../worker/tokens/issued.ts";
import { Keyring } from "../worker/tokens/keyring.ts";
import { counterId, definitionOf } from "./settings.ts";
import type { CounterLimits } from "./settings.ts";

export interface CounterOptions extends CounterLimits {
  /** The namespaces of the classes `Room` and `Lobby`. */
  readonly room: ObjectsOf<RoomRpc>;
  readonly lobby: ObjectsOf<LobbyRpc>;
  /** The same name is the same counter, from whatever Worker. */
  readonly name: string;
  /** Signs tickets, so that nobody makes one of a lower number: at least 16 bytes, the same everywhere. */
  readonly secret: string;
}

/** A caller that did not get its turn; with its ticket it stands where its number stands. */
export interface NotYet {
  readonly kind: "not-yet";
  readonly number: number;
  readonly ticket: string;
  readonly ahead: number;
  readonly retryAfterMs: number;
}

/** `line-full` and such: there is no ticket. */
export interface TurnedAway {
  readonly kind: "refused";
  readonly refusal: Refusal;
  readonly retryAfterMs: number;
}

export type Access<T> =
  | { readonly kind: "done"; readonly number: number; readonly value: T }
  | NotYet
  | TurnedAway;

/** The work. Its signal fires when the permit was taken back: the work then goes on without one. */
export type Work<T> = (signal: AbortSignal) => T | Promise<T>;

export interface Begun {
  readonly kind: "begun";
  readonly number: number;
  /** Kept until the caller ends it. */
  readonly permit: Lifetime;
}

const WAIT_ID_BYTES = 16;
const SLACK_MS = 5_000;
/** When a caller may come again whose ticket is no good any more, or whose visit ended at once. */
const RETRY_MS = 1_000;
const KEY_ID = "1";

/** Set up once in an isolate; a counter may be made anew for each request. */
interface CounterKeys {
  readonly definition: RoomDefinition;
  readonly keys: Keyring;
}
const KNOWN_MAX = 1_000;
const known = new BoundedMap<string, CounterKeys>(KNOWN_MAX);

/**
 * A counter with numbered tickets (S1): lets at most `limit` callers work at once, in the order of
 * their numbers.
 */
export class Counter {
  readonly #options: CounterOptions;

  constructor(options: CounterOptions) {
    this.#options = options;
  }

  /**
   * Does the work as soon as it is the caller's turn. What the work throws is thrown, as it is; the
   * permit is freed whatever happens. `ticket` is what an earlier call gave back. Throws an
   * `UnreachableError` when the counter itself cannot be reached: the work was then not begun.
   */
  async access<T>(ticket: string | null | undefined, work: Work<T>): Promise<Access<T>> {
    const begun = await this.begin(ticket);
    if (begun.kind !== "begun") return begun;
    const { permit } = begun;
    const working = (async (): Promise<T> => work(permit.signal))().finally(() =>
      permit.end("answered"),
    );
    // A handler whose client breaks off is dropped where it stands; its work is not.
    waitUntil(working.catch(() => null));
    return { kind: "done", number: begun.number, value: await working };
  }

  /** Takes a permit, which is kept until its life is over. */
  async begin(ticket: string | null | undefined): Promise<Begun | NotYet | TurnedAway> {
    const { definition, keys } = await this.#setUp();
    const held = ticket ? await readTicket(keys, definition, ticket, instant(Date.now())) : null;
    const visitor = newIdentity(platformPorts, this.#anyLobby());
    const who = held ?? visitor;
    const permit = this.#permit(definition, who.lobby, held);
    const reply = await permit.ask();
    switch (reply.kind) {
      case "visit":
        return { kind: "begun", number: reply.visit.visit, permit };
      case "not-yet":
        return {
          kind: "not-yet",
          number: reply.view.number,
          ticket: await signTicket(keys, definition, ticketOf(reply.view, who)),
          ahead: reply.view.ahead ?? 0,
          retryAfterMs: reply.retryAfterMs,
        };
      case "refused":
        return reply;
      case "ended":
        return { kind: "refused", refusal: "busy", retryAfterMs: RETRY_MS };
      default:
        return reply satisfies never;
    }
  }

  #permit(
    { id, holdMs }: RoomDefinition,
    index: LobbyIndex,
    ticket: TicketClaims | null,
  ): RequestPermit<WaitReply> {
    const lobby = () => this.#options.lobby.getByName(`${id}/${index}`);
    const waitId = base64url.encode(platformPorts.randomBytes(WAIT_ID_BYTES));
    const ask = { waitId, ticket, holdMs, address: null };
    return new RequestPermit({
      ports: platformPorts,
      waitUntil,
      client: null,
      ask: () => callObject(platformPorts, () => lobby().wait(ask), holdMs + SLACK_MS),
      abandon: () => lobby().abandonWait(waitId),
      renew: (visit) => lobby().renew(visit),
      // Its lease ends a visit whose end does not arrive.
      end: (visit) => callObject(platformPorts, () => lobby().end(visit, 0)).catch(() => undefined),
    });
  }

  /**
   * Not shared between requests: if one request were reset, those that wait for its promise would
   * hang.
   */
  async #setUp(): Promise<CounterKeys> {
    const { room, lobby: _, ...given } = this.#options;
    const key = JSON.stringify(given);
    const before = known.get(key);
    if (before !== undefined) return before;
    const id = await counterId(given.name);
    const definition = definitionOf(id, given.name, given);
    const keys = await Keyring.of([{ kid: KEY_ID, secret: checkedSecret(given.secret) }]);
    await callObject(platformPorts, () => room.getByName(id).configure(definition));
    known.set(key, { definition, keys });
    return { definition, keys };
  }

  #anyLobby(): LobbyIndex {
    return lobbyIndex(randomBelow(platformPorts, this.#options.lobbies ?? 1));
  }
}

const checkedSecret = (secret: string): string => {
  if (typeof secret === "string" && secret.length >= 16) return secret;
  throw new RangeError("a counter's secret has at least 16 characters");
};

const ticketOf = (
  view: TicketView,
  who: Pick<TicketClaims, "visitor" | "lobby">,
): TicketClaims => ({
  number: view.number,
  visitor: who.visitor,
  lobby: who.lobby,
  joinedAt: view.joinedAt,
  heardAt: view.heardAt,
});
