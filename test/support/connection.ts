import { connect } from "node:net";
import type { Socket } from "node:net";

export interface RawAsk {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with the head; more can be sent later. */
  readonly body?: string | Buffer;
}

/** How a client leaves: fin closes politely, as a killed program does; rst breaks off. */
export type Leaving = "fin" | "rst";

/** Enough for a head and a short body; of a long one only the length is known. */
const KEPT_BYTES_MAX = 65_536;

/** One request on a connection of its own, whose bytes and whose end the test holds. */
export class Connection {
  /** True when the other side closed it. */
  closedByServer = false;
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #chunks: Buffer[] = [];
  readonly #waiting = new Set<() => void>();
  #bytes = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("error", () => undefined);
    socket.on("end", () => (this.closedByServer = true));
    socket.on("data", (chunk: Buffer) => {
      const room = KEPT_BYTES_MAX - this.#bytes;
      if (room > 0) this.#chunks.push(chunk.subarray(0, room));
      this.#bytes += chunk.length;
      this.#waiting.forEach((look) => look());
    });
    this.closed = new Promise((resolve) => {
      socket.once("close", () => {
        this.#waiting.forEach((look) => look());
        resolve();
      });
    });
  }

  static async ask(url: string, { method = "GET", headers = {}, body = "" }: RawAsk = {}) {
    const { hostname, port, host, pathname, search } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const connection = new Connection(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
    const lines = Object.entries({ Host: host, ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.write([`${method} ${pathname}${search} HTTP/1.1`, ...lines, "", ""].join("\r\n"));
    if (body.length > 0) socket.write(body);
    return connection;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString("latin1");
  }

  get status(): number | null {
    const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(this.text) ?? [];
    return status === undefined ? null : Number(status);
  }

  /** True once an answer of known length, or a short one in chunks, is there to its end. */
  get isWhole(): boolean {
    const headLength = this.text.indexOf("\r\n\r\n") + 4;
    if (headLength < 4) return false;
    const length = /\r\ncontent-length: *(\d+)/i.exec(this.text.slice(0, headLength))?.[1];
    if (length !== undefined) return this.#bytes >= headLength + Number(length);
    return this.text.endsWith("0\r\n\r\n");
  }

  /** Resolves as soon as the bytes at hand satisfy it, or the connection is closed. */
  until(isEnough: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!isEnough() && !this.#socket.destroyed) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** False while the other side takes no more for now. */
  send(bytes: string | Buffer): boolean {
    return this.#socket.write(bytes);
  }

  /** How much of what was sent has not left this process. */
  get unsent(): number {
    return this.#socket.writableLength;
  }

  /** Reads nothing more until it goes on. */
  stall(): void {
    this.#socket.pause();
  }

  leave(how: Leaving): void {
    if (how === "rst") this.#socket.resetAndDestroy();
    else this.#socket.destroy();
  }
}
