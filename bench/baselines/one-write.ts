/**
 * Tickets the plain way: each is one call of the one object and one row, and is signed. Where one
 * stands (GET) is one call.
 */
import { DurableObject } from "cloudflare:workers";

interface Env {
  readonly COUNTER: DurableObjectNamespace<Counter>;
}

export class Counter extends DurableObject<Env> {
  readonly #sql = this.ctx.storage.sql;
  #issued: number;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#sql.exec("CREATE TABLE IF NOT EXISTS ticket (number INTEGER PRIMARY KEY, at INTEGER)");
    const row = this.#sql.exec("SELECT coalesce(max(number), 0) AS issued FROM ticket").one();
    this.#issued = Number(row["issued"]);
  }

  take(): number {
    this.#issued += 1;
    this.#sql.exec("INSERT INTO ticket VALUES (?, ?)", this.#issued, Date.now());
    return this.#issued;
  }

  issued(): number {
    return this.#issued;
  }
}

const key = crypto.subtle.importKey(
  "raw",
  new Uint8Array(32).fill(7),
  { name: "HMAC", hash: "SHA-256" },
  false,
  ["sign"],
);

const signed = async (claims: object): Promise<string> => {
  const text = btoa(JSON.stringify(claims));
  const mac = await crypto.subtle.sign("HMAC", await key, new TextEncoder().encode(text));
  return `${text}.${btoa(String.fromCharCode(...new Uint8Array(mac)))}`;
};

export default {
  async fetch({ method }, env) {
    const line = env.COUNTER.getByName("line");
    const [number, status] =
      method === "GET" ? [await line.issued(), 200] : [await line.take(), 201];
    return Response.json({ number, ticket: await signed({ number }) }, { status });
  },
} satisfies ExportedHandler<Env>;
