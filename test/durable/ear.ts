import type { HeldTicket, LobbyRpc } from "../../src/durable/contract.ts";
import { LOBBY_TICKET_HEADER } from "../../src/durable/contract.ts";
import { held, takeOne, visitorId } from "./objects.ts";

interface Message {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A visitor's end of a socket, with everything that came over it. */
export class Ear {
  readonly messages: Message[] = [];
  closed: { code: number; reason: string } | null = null;
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      if (data !== "pong") this.messages.push(JSON.parse(String(data)) as Message);
    });
    socket.addEventListener("close", ({ code, reason }) => {
      this.closed = { code, reason };
    });
    socket.accept();
  }

  static async open(lobby: LobbyRpc, ticket: unknown): Promise<Ear> {
    const headers = { Upgrade: "websocket", [LOBBY_TICKET_HEADER]: JSON.stringify(ticket) };
    const { webSocket } = await lobby.fetch(new Request("http://lobby/socket", { headers }));
    if (webSocket === null) throw new Error("no socket");
    return new Ear(webSocket);
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

export const eventually = async <T>(look: () => T | Promise<T>, withinMs = 5_000): Promise<T> => {
  const until = Date.now() + withinMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > until) throw error;
      await scheduler.wait(10);
    }
  }
};

export const take = async (lobby: LobbyRpc): Promise<HeldTicket> => {
  const visitor = visitorId();
  const reply = await takeOne(lobby, { visitor, ticket: null, address: null });
  if (reply.kind !== "ticket") throw new Error(JSON.stringify(reply));
  return held(visitor, reply.view);
};

export const visitOf = async (lobby: LobbyRpc, ticket: HeldTicket) => {
  const claim = await lobby.claim(ticket);
  if (claim.kind !== "visit") throw new Error(JSON.stringify(claim));
  return claim.visit;
};
