/** The ends of sockets: an object's and a visitor's. What travels between them is world.ts's to carry. */

/** What a visitor's end does with what comes. */
export interface SocketClient {
  /** At the moment at which it was sent. */
  socketSent(message: string): void;
  /** At the moment at which the object closed it. */
  socketClosedThere(socket: VirtualSocket, code: number): void;
}

/** One end, as far as the objects use one. */
export class VirtualSocket {
  static readonly OPEN = 1;
  readyState = 1;
  #client: SocketClient | null = null;
  #early: string[] | null = null;
  peer: VirtualSocket | null = null;
  /** When the last ping came that was answered without waking anybody; null before the first. */
  lastPingAt: (() => number | null) | null = null;
  tags: readonly string[] = [];
  #attachment: unknown = null;

  static linked(): [VirtualSocket, VirtualSocket] {
    const [one, other] = [new VirtualSocket(), new VirtualSocket()];
    one.peer = other;
    other.peer = one;
    return [one, other];
  }

  /** Whoever is at the other end: an object may speak before its visitor has the socket. */
  connect(client: SocketClient): void {
    this.#client = client;
    for (const message of this.#early ?? []) client.socketSent(message);
    this.#early = null;
  }

  send(message: string): void {
    if (this.readyState !== VirtualSocket.OPEN) throw new Error("the socket is closed");
    if (this.#client === null) (this.#early ??= []).push(message);
    else this.#client.socketSent(message);
  }

  close(code = 1005): void {
    if (this.readyState >= 2) return;
    this.readyState = 2;
    this.#client?.socketClosedThere(this, code);
  }

  serializeAttachment(attachment: unknown): void {
    this.#attachment = attachment;
  }

  deserializeAttachment(): unknown {
    return this.#attachment;
  }
}
