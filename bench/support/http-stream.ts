/**
 * Just enough HTTP/1.1 to be no burden beside what is measured: whole messages are told apart by
 * `Content-Length` or the last chunk, and nothing else of them is looked at.
 */
const HEAD_END = Buffer.from("\r\n\r\n");
const LAST_CHUNK = Buffer.from("0\r\n\r\n");

/** Where the message at the buffer's start ends, or -1 when more has to come. */
export const messageEnd = (buffer: Buffer): number => {
  const headEnd = buffer.indexOf(HEAD_END);
  if (headEnd < 0) return -1;
  const bodyAt = headEnd + HEAD_END.length;
  const head = buffer.toString("latin1", 0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head);
  if (length !== null) {
    const end = bodyAt + Number(length[1]);
    return buffer.length >= end ? end : -1;
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return bodyAt;
  const last = buffer.indexOf(LAST_CHUNK, bodyAt);
  return last < 0 ? -1 : last + LAST_CHUNK.length;
};
