import { afterAll, beforeAll, beforeEach } from "vitest";
import { eventually } from "./eventually.ts";
import { ask, type Answer, type AskOptions } from "./http.ts";
import { startSeiriken, type Seiriken, type SeirikenOptions } from "./seiriken.ts";

/** Within this a lock was freed; later it may have been its lock-delay that ran out. */
export const FREED = { within: 9_000 };

/** A path, and what goes with it. */
export type Sent = readonly [path: string, options: AskOptions];

export interface LockStage {
  readonly server: Seiriken;
  post(path: string, options?: AskOptions): Promise<Answer>;
  /** While the first one runs: what a second one is told, 201 or the code of its problem. */
  beside(first: Sent, second: Sent): Promise<string | number>;
}

/** One server with lock rules for all tests of a file; each begins with an origin that knows nothing. */
export const lockStage = (rules: readonly object[], options: SeirikenOptions = {}): LockStage => {
  let server: Seiriken;
  const manage = (path: string, body: object): Promise<Answer> =>
    ask(`${server.url}/.seiriken/api/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.adminToken}` },
      body: JSON.stringify(body),
    });
  const post = (path: string, asked: AskOptions = {}): Promise<Answer> =>
    ask(`${server.url}${path}`, { method: "POST", ...asked });

  beforeAll(async () => {
    server = await startSeiriken({ runtime: "workerd", ...options });
    for (const rule of rules) {
      const made = await manage("lock-rules", rule);
      if (made.status !== 201) throw new Error(made.text);
    }
  });
  afterAll(() => server?.stop());
  beforeEach(() => {
    server.origin.handle();
    server.origin.reset();
  });

  return {
    get server() {
      return server;
    },
    post,
    async beside(first, second) {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      server.origin.reset();
      server.origin.handle(async (_, response) => {
        if (server.origin.requests.length === 1) await ended;
        response.writeHead(201).end();
      });
      const running = post(...first);
      await eventually(() => server.origin.running === 1);
      const { status, text } = await post(...second);
      end();
      await running;
      return status === 201 ? 201 : (JSON.parse(text) as { code: string }).code;
    },
  };
};
