/** Codes that say that a connection broke may not be sent; a going-away takes their place. */
const sendable = (code: number): number =>
  code === 1000 || (code >= 3000 && code <= 4999) ? code : 1001;

/** A close reason is at most 123 bytes. */
const closeQuietly = (end: WebSocket, code: number, reason: string): void => {
  try {
    end.close(sendable(code), reason);
  } catch {
    // That end is closed already.
  }
};

/** Passes on what one end says, and its closing, to the other. */
const connect = (from: WebSocket, to: WebSocket, over: () => void): void => {
  const close = (code: number, reason: string): void => {
    over();
    closeQuietly(to, code, reason);
    closeQuietly(from, code, reason);
  };
  from.addEventListener("message", ({ data }) => {
    try {
      to.send(data as string | ArrayBuffer);
    } catch {
      close(1001, "");
    }
  });
  from.addEventListener("close", ({ code, reason }) => close(code, reason));
  from.addEventListener("error", () => close(1001, ""));
};

/**
 * Stands between visitor and origin, so that the end of the socket is noticed, and can be brought
 * about. Anything that is not a socket's answer is returned as it is.
 */
export const relaySocket = (response: Response, over: () => void, stop: AbortSignal): Response => {
  const origin = response.webSocket;
  if (origin === null) {
    over();
    return response;
  }
  const { 0: visitor, 1: ours } = new WebSocketPair();
  connect(origin, ours, over);
  connect(ours, origin, over);
  stop.addEventListener("abort", () => {
    for (const end of [origin, ours]) closeQuietly(end, 1001, "");
  });
  origin.accept();
  ours.accept();
  return new Response(null, { status: 101, webSocket: visitor, headers: response.headers });
};
