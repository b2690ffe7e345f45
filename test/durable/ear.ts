import type { SocketClosing } from "../../src/core/lobby/close-codes.ts";
import type { TicketClaims, LobbyRpc } from "../../src/durable/contract.ts";
import { LOBBY_TICKET_HEADER, SOCKET_REFUSED } from "../../src/durable/contract.ts";
import { held, takeOne, visitorId } from "./objects.ts";
import { eventually } from "../support/eventually.ts";

interface Message {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A visitor's end of a socket, with everything that came over it. */
export class Ear {
  readonly messages: Message[] = [];
  pongs = 0;
  closed: { code: number; reason: string } | null = null;
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      if (data === "pong") this.pongs += 1;
      else this.messages.push(JSON.parse(String(data)) as Message);
    });
    socket.addEventListener("close", ({ code, reason }) => {
      this.closed = { code, reason };
    });
    socket.accept();
  }

  static async open(lobby: LobbyRpc, ticket: unknown): Promise<Ear> {
    const { webSocket } = await Ear.#ask(lobby, ticket);
    if (webSocket === null) throw new Error("no socket");
    return new Ear(webSocket);
  }

  /** What the Worker is to close the socket with, which the lobby did not take. */
  static async refused(lobby: LobbyRpc, ticket: unknown): Promise<SocketClosing> {
    const answer = await Ear.#ask(lobby, ticket);
    if (answer.status !== SOCKET_REFUSED) throw new Error(`not refused but ${answer.status}`);
    return answer.json();
  }

  static #ask(lobby: LobbyRpc, ticket: unknown): Promise<Response> {
    const headers = { Upgrade: "websocket", [LOBBY_TICKET_HEADER]: JSON.stringify(ticket) };
    return lobby.fetch(new Request("http://lobby/socket", { headers }));
  }

  say(message: string | ArrayBuffer): void {
    this.#socket.send(message);
  }

  close(): void {
    this.#socket.close(1000, "bye");
  }

  async heard(type: string): Promise<Message> {
    return eventually(() => {
      const message = this.messages.find((one) => one.type === type);
      if (message === undefined)
        throw new Error(`heard ${JSON.stringify(this.messages)} but no ${type}`);
      return message;
    });
  }
}

export const take = async (lobby: LobbyRpc): Promise<TicketClaims> => {
  const visitor = visitorId();
  const reply = await takeOne(lobby, { visitor, ticket: null, address: null });
  if (reply.kind !== "ticket") throw new Error(JSON.stringify(reply));
  return held(visitor, reply.view);
};

export const visitOf = async (lobby: LobbyRpc, ticket: TicketClaims) => {
  const claim = await lobby.claim(ticket);
  if (claim.kind !== "visit") throw new Error(JSON.stringify(claim));
  return claim.visit;
};
