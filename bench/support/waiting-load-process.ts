import { connect } from "node:net";
import type { Socket } from "node:net";
import { messageEnd } from "./http-stream.ts";
import { quantile } from "./stats.ts";
import type { WaitingLoad, WaitingResult } from "./waiting-load.ts";

const STATUS_AT = "HTTP/1.1 ".length;
/** They come one after the other, as people do, so that there is an order to keep. */
const ARRIVE_WITHIN_MS = 200;

const open = (url: URL): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    socket.once("error", reject);
    socket.once("connect", () => resolve(socket));
  });

const run = async ({ url, clients, seconds }: WaitingLoad): Promise<WaitingResult> => {
  const target = new URL(url);
  const sockets = await Promise.all(Array.from({ length: clients }, () => open(target)));
  const statuses: Record<string, number> = {};
  const timesMs: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  const head = [
    `GET ${target.pathname} HTTP/1.1`,
    `Host: ${target.host}`,
    "Accept: application/json",
  ];
  const request = [...head, "", ""].join("\r\n");

  const drive = (socket: Socket, at: number): Promise<void> =>
    new Promise((resolve, reject) => {
      let unread: Buffer = Buffer.alloc(0);
      let sentAt = 0;
      const send = (): void => {
        if (performance.now() >= endsAt) {
          socket.destroy();
          resolve();
          return;
        }
        sentAt = performance.now();
        socket.write(request);
      };
      socket.on("error", reject);
      socket.on("close", () => resolve());
      socket.on("data", (chunk: Buffer) => {
        unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
        const end = messageEnd(unread);
        if (end < 0) return;
        const status = unread.toString("latin1", STATUS_AT, STATUS_AT + 3);
        statuses[status] = (statuses[status] ?? 0) + 1;
        timesMs.push(performance.now() - sentAt);
        unread = unread.subarray(end);
        send();
      });
      setTimeout(send, (at / clients) * ARRIVE_WITHIN_MS);
    });

  await Promise.all(sockets.map(drive));
  return {
    answers: timesMs.length,
    seconds: (performance.now() - startedAt) / 1_000,
    statuses,
    medianMs: quantile(timesMs, 0.5),
    p99Ms: quantile(timesMs, 0.99),
  };
};

process.on("message", (load: WaitingLoad) => {
  run(load).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on("disconnect", () => process.exit(0));
