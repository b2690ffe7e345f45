import type { OutgoingHttpHeaders } from "node:http";
import { WebSocket } from "ws";
import { PATIENCE_MS } from "./eventually.ts";
import { ask } from "./http.ts";
import type { Answer, AskOptions } from "./http.ts";

export interface VisitorOptions {
  /** Name or id of the room; `shop` by default. */
  readonly room?: string;
  /** Sent as `Host`, while the connection goes to the server's own address. */
  readonly host?: string;
  /** On every request, over the defaults. */
  readonly headers?: OutgoingHttpHeaders;
}

/** What a browser sends with a navigation. */
export const DOCUMENT: OutgoingHttpHeaders = {
  accept: "text/html,application/xhtml+xml,*/*;q=0.8",
  "accept-language": "en",
  "sec-fetch-dest": "document",
  "sec-fetch-mode": "navigate",
  "sec-fetch-site": "none",
};

/** What our page sends with `fetch`. */
export const SCRIPT: OutgoingHttpHeaders = {
  accept: "application/json",
  "accept-language": "en",
  "sec-fetch-dest": "empty",
  "sec-fetch-mode": "cors",
  "sec-fetch-site": "same-origin",
};

/** One person with one browser: cookies that come are kept and sent back. */
export class Visitor {
  readonly server: string;
  readonly room: string;
  readonly cookies = new Map<string, string>();
  readonly #host: string;
  readonly #headers: OutgoingHttpHeaders;

  constructor(server: string, options: VisitorOptions = {}) {
    this.server = server;
    this.room = options.room ?? "shop";
    this.#host = options.host ?? new URL(server).host;
    this.#headers = { host: this.#host, ...options.headers };
  }

  /** A navigation by default; give other headers for other kinds of caller. */
  get(path: string, headers: OutgoingHttpHeaders = DOCUMENT): Promise<Answer> {
    return this.ask(path, { headers });
  }

  async ask(path: string, options: AskOptions = {}): Promise<Answer> {
    const cookie = this.cookieHeader();
    const answer = await ask(this.server + path, {
      ...options,
      headers: {
        ...this.#headers,
        ...(cookie === "" ? {} : { cookie }),
        ...options.headers,
      },
    });
    answer.setCookies.forEach((line) => this.#keep(line));
    return answer;
  }

  /** Takes a ticket, or returns with the one in hand. */
  take(): Promise<Answer> {
    return this.#api("POST", "tickets");
  }
  where(): Promise<Answer> {
    return this.#api("GET", "tickets/mine");
  }
  /** Gives up the place. */
  leave(): Promise<Answer> {
    return this.#api("DELETE", "tickets/mine");
  }
  claim(): Promise<Answer> {
    return this.#api("POST", "visits");
  }
  renew(): Promise<Answer> {
    return this.#api("PATCH", "visits/mine");
  }
  /** Done: the baton. */
  release(): Promise<Answer> {
    return this.#api("DELETE", "visits/mine");
  }

  /** Opens the room's socket with the cookies in hand. `ready?` is answered unless told otherwise. */
  async socket({ answersReady = true, headers = {} }: SocketOptions = {}): Promise<VisitorSocket> {
    const url = `${this.server.replace(/^http/, "ws")}/.seiriken/rooms/${this.room}/socket`;
    const socket = new WebSocket(url, {
      headers: {
        ...(this.#headers as Record<string, string>),
        cookie: this.cookieHeader(),
        origin: `http://${this.#host}`,
        ...headers,
      },
    });
    const wrapped = new VisitorSocket(socket, answersReady);
    await wrapped.opened;
    // as the page does
    wrapped.send("ping");
    return wrapped;
  }

  cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** The value of the one cookie whose name holds `-visitor-`, `-ticket-` or `-pass-`. */
  token(kind: "visitor" | "ticket" | "pass"): string | null {
    const found = [...this.cookies].find(([name]) => name.includes(`seiriken-${kind}-`));
    return found?.[1] ?? null;
  }

  #api(method: string, resource: string): Promise<Answer> {
    const origin = `http://${this.#host}`;
    return this.ask(`/.seiriken/rooms/${this.room}/${resource}`, {
      method,
      headers: { ...SCRIPT, origin },
    });
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
    const at = pair.indexOf("=");
    const name = pair.slice(0, at);
    const isOver = attributes.some((attribute) => {
      const [key = "", value = ""] = attribute.split("=");
      if (key.toLowerCase() === "max-age") return Number(value) <= 0;
      return key.toLowerCase() === "expires" && Date.parse(value) <= Date.now();
    });
    if (isOver) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(at + 1));
  }
}

export interface SocketOptions {
  readonly answersReady?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SocketMessage {
  readonly type: string;
  readonly [field: string]: any;
}

export class VisitorSocket {
  /** All that came, in order. */
  readonly messages: SocketMessage[] = [];
  readonly opened: Promise<void>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  /** Told of each message as it comes. */
  onMessage: (message: SocketMessage) => void = () => undefined;
  readonly #socket: WebSocket;
  readonly #waiting = new Set<() => void>();

  constructor(socket: WebSocket, answersReady: boolean) {
    this.#socket = socket;
    this.opened = new Promise((resolve, reject) => {
      socket.once("open", () => resolve());
      socket.once("error", reject);
    });
    this.closed = new Promise((resolve) => {
      socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    socket.on("error", () => socket.terminate());
    socket.on("message", (data: Buffer) => {
      const text = data.toString();
      const message: SocketMessage = text === "pong" ? { type: "pong" } : JSON.parse(text);
      this.messages.push(message);
      this.onMessage(message);
      if (answersReady && message.type === "ready?") this.send({ type: "ready" });
      this.#waiting.forEach((look) => look());
    });
  }

  /** The first message of this type, past or to come. */
  first(type: string, { within = PATIENCE_MS } = {}): Promise<SocketMessage> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = this.messages.find((message) => message.type === type);
        if (found === undefined) return;
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(found);
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        const seen = this.messages.map((message) => message.type).join(", ") || "nothing";
        reject(new Error(`no "${type}" within ${within} ms; came: ${seen}`));
      }, within);
      this.#waiting.add(look);
      look();
    });
  }

  send(message: object | string): void {
    this.#socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** False once a closing word was said by either side. */
  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** Stays connected, and takes in nothing any more. */
  stopReading(): void {
    this.#socket.pause();
  }

  close(): void {
    this.#socket.close();
  }

  /** Goes away without a word, as a phone does that loses its network. */
  drop(): void {
    this.#socket.terminate();
  }
}
