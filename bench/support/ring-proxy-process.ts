/**
 * A plain Node proxy that lets so many requests a second through to an origin, and answers the
 * others with 429. It remembers when each was let through.
 */
import { Agent, createServer, request as ask } from "node:http";
import type { AddressInfo } from "node:net";
import { makeLimiter, mostInASecond } from "./limiters.ts";
import type { LimiterName } from "./limiters.ts";

const [name = "", perSecond = "", origin = "", redisSocket = ""] = process.argv.slice(2);
const { may } = makeLimiter(name as LimiterName, Number(perSecond), redisSocket || null);
const agent = new Agent({ keepAlive: true });
let started: number[] = [];

const server = createServer((incoming, response) => {
  void Promise.resolve(may()).then((at) => {
    if (at === null) return void response.writeHead(429).end("later\n");
    started.push(at);
    const onward = ask(origin + (incoming.url ?? "/"), { agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    return void onward.on("error", () => response.destroy()).end();
  });
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));

process.on("message", () => {
  process.send?.({ started: started.length, most: mostInASecond(started) });
  started = [];
});
process.on("disconnect", () => process.exit(0));
