/** The whole body if it has at most so many bytes; a larger one is not read to its end. */
export const readBounded = async (
  request: Request,
  bytesMax: number,
): Promise<Uint8Array | "too-large"> => {
  const announced = request.headers.get("Content-Length");
  if (Number(announced ?? 0) > bytesMax) return "too-large";
  if (request.body === null) return new Uint8Array(0);
  // More than was announced does not arrive, so it can be read in one go.
  if (announced !== null && /^\d+$/.test(announced)) {
    const body = new Uint8Array(await request.arrayBuffer());
    return body.byteLength > bytesMax ? "too-large" : body;
  }
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joined(chunks, size);
    size += value.byteLength;
    if (size > bytesMax) {
      await reader.cancel().catch(() => null);
      return "too-large";
    }
    chunks.push(value);
  }
};

export const joined = (chunks: readonly Uint8Array[], size: number): Uint8Array => {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
};
