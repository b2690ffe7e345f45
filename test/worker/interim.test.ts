import { expect, test } from "vitest";
import { finalAnswer } from "../../src/worker/origin/interim.ts";

const EARLY = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n";

/** As the runtime gives it: what follows the first interim answer is its body. */
const following = (pieces: readonly string[]): Response => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  return { status: 103, body } as unknown as Response;
};

/** The same bytes at once, byte by byte, and in pieces of seven. */
const waysToCome = (text: string): string[][] => [
  [text],
  text.split(""),
  text.match(/[^]{1,7}/g) as string[],
];

const finals: [string, string, number, string][] = [
  ["of known length", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", 200, "abc"],
  ["and no more than that", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef", 200, "abc"],
  ["empty", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", 404, ""],
  ["without a reason", "HTTP/1.0 201\r\nContent-Length: 1\r\n\r\nx", 201, "x"],
  [
    "in chunks, with extensions and trailers",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2;a=b\r\nab\r\n00B \r\n0123456789\n\r\n0\r\nX: y\r\n\r\n",
    200,
    "ab0123456789\n",
  ],
  ["until the end", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nto the end", 200, "to the end"],
  ["without content", "HTTP/1.1 204 No Content\r\n\r\nstray", 204, ""],
  ["not modified", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", 304, ""],
  ["after more of them", `${EARLY}${EARLY}HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx`, 200, "x"],
];

test.each(finals)("[PROXY-5] a final answer %s", async (_, text, status, body) => {
  for (const pieces of waysToCome(text)) {
    const answer = await finalAnswer(following(pieces));
    expect(answer.status).toBe(status);
    expect(await answer.text()).toBe(body);
  }
});

test("[PROXY-5] its headers, several cookies among them", async () => {
  const head =
    "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nX-Empty:\r\nX-Wide: \t a b \r\n";
  const { headers } = await finalAnswer(following([`${head}Content-Length: 0\r\n\r\n`]));
  expect(headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect([headers.get("X-Empty"), headers.get("X-Wide")]).toEqual(["", "a b"]);
});

const none: [string, string][] = [
  ["nothing", ""],
  ["an end within its head", "HTTP/1.1 200 OK\r\nContent-"],
  ["another protocol", "SSH-2.0-x\r\n\r\n"],
  ["a change of protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n"],
  ["a status that is none", "HTTP/1.1 600 OK\r\n\r\n"],
  ["a folded header", "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n"],
  ["a header without a name", "HTTP/1.1 200 OK\r\n: b\r\n\r\n"],
  ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx"],
  ["a length that is none", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"],
  ["a coding that nobody knows", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n"],
  ["a head without end", `HTTP/1.1 200 OK\r\nA: ${"b".repeat(70_000)}\r\n\r\n`],
  ["heads without end", EARLY.repeat(33) + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"],
];

test.each(none)("[PROXY-5] %s is no answer", async (_, text) => {
  await expect(finalAnswer(following([text]))).rejects.toThrow(Error);
});

test("[PROXY-5] thirty-two of them are not too many", async () => {
  const last = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
  expect((await finalAnswer(following([EARLY.repeat(31) + last]))).status).toBe(200);
});

const broken: [string, string][] = [
  ["a length", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"],
  ["a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf"],
  ["its chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"],
  ["a chunk's end", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalfX\r\n0\r\n\r\n"],
  [
    "a chunk's size",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x4\r\nhalf\r\n0\r\n\r\n",
  ],
];

test.each(broken)("[PROXY-8] an end within %s is an error of its reader", async (_, text) => {
  const answer = await finalAnswer(following([text]));
  await expect(answer.text()).rejects.toThrow(Error);
});
