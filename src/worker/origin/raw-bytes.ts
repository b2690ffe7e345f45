/** Of all interim answers and the final one's head together. */
const HEAD_BYTES_MAX = 65_536;
/** Of the line before a chunk, extensions included. */
const CHUNK_LINE_BYTES_MAX = 4_096;
const NOTHING = new Uint8Array(0);

/** An HTTP/1.1 connection's bytes, read as heads and as bodies of each framing (RFC 9112, 6 and 7). */
export class RawBytes {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #headBytesLeft = HEAD_BYTES_MAX;
  #unread: Uint8Array = NOTHING;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  /** A head without its blank line. One byte is one character. */
  async untilBlankLine(): Promise<string> {
    const text = await this.#until("\r\n\r\n", this.#headBytesLeft);
    this.#headBytesLeft -= text.length;
    return text;
  }

  /** Nothing more of it is wanted: the connection is closed rather than used again. */
  leave(): void {
    this.#reader.cancel().catch(() => null);
  }

  chunked(): ReadableStream<Uint8Array> {
    return this.#body(this.#chunks());
  }

  untilEnd(): ReadableStream<Uint8Array> {
    return this.#body(this.#pieces(Infinity));
  }

  ofLength(bytes: number): ReadableStream<Uint8Array> {
    const { readable, writable } = new FixedLengthStream(bytes);
    this.#body(this.#pieces(bytes))
      .pipeTo(writable as WritableStream<Uint8Array>)
      .catch(() => null);
    return readable as ReadableStream<Uint8Array>;
  }

  #body(pieces: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await pieces.next();
        if (done !== true) return controller.enqueue(value);
        this.leave();
        controller.close();
      },
      cancel: () => this.leave(),
    });
  }

  async *#chunks(): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const line = await this.#until("\r\n", CHUNK_LINE_BYTES_MAX);
      const size = /^[0-9a-f]{1,12}(?=[ \t]*(?:;|$))/i.exec(line)?.[0];
      if (size === undefined) throw new Error("a chunk of the answer is malformed");
      const bytes = Number.parseInt(size, 16);
      if (bytes === 0) return;
      yield* this.#pieces(bytes);
      if ((await this.#until("\r\n", 2)) !== "") throw new Error("a chunk has no end");
    }
  }

  /** So many bytes, or all until the end where there is no limit. */
  async *#pieces(bytes: number): AsyncGenerator<Uint8Array, void> {
    for (let left = bytes; left > 0;) {
      if (this.#unread.length === 0 && !(await this.#more())) {
        if (bytes === Infinity) return;
        throw new Error("the answer broke off");
      }
      const piece = this.#unread.slice(0, left);
      this.#unread = this.#unread.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  /** What stands before the mark, which is taken as well. */
  async #until(mark: string, bytesMax: number): Promise<string> {
    for (let from = 0; ;) {
      const at = indexOf(this.#unread, mark, from);
      if (at >= 0 && at <= bytesMax) {
        const text = String.fromCharCode(...this.#unread.subarray(0, at));
        this.#unread = this.#unread.subarray(at + mark.length);
        return text;
      }
      if (at >= 0 || this.#unread.length > bytesMax + mark.length)
        throw new Error("the answer's head is too long");
      from = Math.max(0, this.#unread.length - mark.length + 1);
      if (!(await this.#more())) throw new Error("the answer broke off in its head");
    }
  }

  /** False at the end. */
  async #more(): Promise<boolean> {
    const { done, value } = await this.#reader.read();
    if (done) return false;
    const unread = new Uint8Array(this.#unread.length + value.length);
    unread.set(this.#unread);
    unread.set(value, this.#unread.length);
    this.#unread = unread;
    return true;
  }
}

const indexOf = (bytes: Uint8Array, mark: string, from: number): number => {
  for (let at = bytes.indexOf(13, from); at >= 0; at = bytes.indexOf(13, at + 1)) {
    let same = 1;
    while (same < mark.length && bytes[at + same] === mark.charCodeAt(same)) same += 1;
    if (same === mark.length) return at;
  }
  return -1;
};
