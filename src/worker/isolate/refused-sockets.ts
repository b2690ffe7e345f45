import type { SocketClosing } from "../../core/lobby/close-codes.ts";

/** How many there may be: each keeps up to 32 MiB of a message that its client does not end. */
const REFUSED_MAX = 8;

/**
 * Sockets that were accepted only to be closed: a page can read no other refusal. The runtime keeps
 * each until its client closes too, so their number is bounded.
 */
export class RefusedSockets {
  #there = 0;

  /** Null: as many are there as may be, and this one is not to be accepted. */
  refuse({ code, reason }: SocketClosing): Response | null {
    if (this.#there >= REFUSED_MAX) return null;
    const { 0: client, 1: server } = new WebSocketPair();
    this.#there += 1;
    let isThere = true;
    const gone = (): void => {
      if (isThere) this.#there -= 1;
      isThere = false;
    };
    // It comes when the client has closed as well, or its connection has ended.
    server.addEventListener("close", gone);
    server.addEventListener("error", gone);
    server.accept();
    server.close(code, reason);
    return new Response(null, { status: 101, webSocket: client });
  }
}
