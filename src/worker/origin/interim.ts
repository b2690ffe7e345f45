import { RawBytes } from "./raw-bytes.ts";

/** An origin that sends more of them than this never comes to its point. */
const INTERIM_MAX = 32;

/** An upgrade's 101 is final. */
export const isInterim = (status: number): boolean => status < 200 && status !== 101;

/**
 * The runtime takes an interim answer (100, 102, 103) for the final one, and all that follows on
 * the connection for its body. So the answer that was meant is read out of that body.
 */
export const finalAnswer = async (interim: Response): Promise<Response> => {
  if (interim.body === null) throw new Error("an interim answer came without what follows it");
  const bytes = new RawBytes(interim.body as ReadableStream<Uint8Array>);
  try {
    return answerOf(await finalHead(bytes), bytes);
  } catch (error) {
    bytes.leave();
    throw error;
  }
};

/** Of the first answer that is not an interim one. */
export const finalHead = async (bytes: RawBytes): Promise<Head> => {
  for (let count = 0; count < INTERIM_MAX; count += 1) {
    const head = headOf(await bytes.untilBlankLine());
    if (head.status >= 200) return head;
  }
  throw new Error("the origin sends one interim answer after the other");
};

interface Head {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
}

const headOf = (text: string): Head => {
  const [first = "", ...lines] = text.split("\r\n");
  const [, status, statusText = ""] = /^HTTP\/1\.[01] ([1-5]\d\d)(?: (.*))?$/.exec(first) ?? [];
  if (status === undefined || status === "101")
    throw new Error("no answer follows the interim one");
  const headers = new Headers();
  for (const line of lines) {
    const [, name, value = ""] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined) throw new Error("a header of the answer is malformed");
    headers.append(name, value);
  }
  return { status: Number(status), statusText, headers };
};

const answerOf = ({ status, statusText, headers }: Head, bytes: RawBytes): Response => {
  const init = { status, statusText, headers, encodeBody: "manual" } as const;
  if (status === 204 || status === 304) {
    bytes.leave();
    return new Response(null, init);
  }
  const coding = headers.get("Transfer-Encoding");
  if (coding !== null) {
    if (coding.toLowerCase() !== "chunked") throw new Error("the answer's coding is not known");
    headers.delete("Content-Length");
    return new Response(bytes.chunked(), init);
  }
  const length = headers.get("Content-Length");
  if (length === null) return new Response(bytes.untilEnd(), init);
  if (!/^\d{1,15}$/.test(length)) throw new Error("the answer's length is malformed");
  return new Response(bytes.ofLength(Number(length)), init);
};
