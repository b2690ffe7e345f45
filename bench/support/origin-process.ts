/** A site that costs as little as a site can: one fixed page of 1 KB to every request. */
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { messageEnd } from "./http-stream.ts";

const PAGE = `<!doctype html><title>origin</title><p>${"x".repeat(980)}</p>`;
const ANSWER = Buffer.from(
  [
    "HTTP/1.1 200 OK",
    "Content-Type: text/html; charset=utf-8",
    "Cache-Control: max-age=60",
    'ETag: "1"',
    `Content-Length: ${PAGE.length}`,
    "",
    PAGE,
  ].join("\r\n"),
);

const server = createServer({ noDelay: true }, (socket) => {
  let unread: Buffer = Buffer.alloc(0);
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
    for (let end = messageEnd(unread); end >= 0; end = messageEnd(unread)) {
      unread = unread.subarray(end);
      socket.write(ANSWER);
    }
  });
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit(0));
