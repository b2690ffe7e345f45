/** The least that a baton can cost: one call, one row, one message on the next one's socket. */
import { DurableObject } from "cloudflare:workers";

interface Env {
  readonly LINE: DurableObjectNamespace<Line>;
}

export class Line extends DurableObject<Env> {
  readonly #sockets: WebSocket[] = [];
  #next = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS permit (slot INTEGER PRIMARY KEY, value TEXT)",
    );
  }

  override fetch(): Response {
    const pair = new WebSocketPair();
    this.ctx.acceptWebSocket(pair[1]);
    this.#sockets.push(pair[1]);
    return new Response(null, { status: 101, webSocket: pair[0] });
  }

  release(): void {
    const number = (this.#next += 1);
    this.ctx.storage.sql.exec("INSERT OR REPLACE INTO permit VALUES (0, ?)", String(number));
    this.#sockets[number - 1]?.send(JSON.stringify({ type: "called", number }));
  }
}

export default {
  async fetch(request, env) {
    const line = env.LINE.getByName("line");
    if (request.headers.get("Upgrade") === "websocket") return line.fetch(request);
    await line.release();
    return new Response(null, { status: 204 });
  },
} satisfies ExportedHandler<Env>;
