/** Codes that say that a connection broke may not be sent; a going-away takes their place. */
const sendable = (code: number): number =>
  code === 1000 || (code >= 3000 && code <= 4999) ? code : 1001;

/** Passes on what one end says, and its closing, to the other. */
const connect = (from: WebSocket, to: WebSocket, over: () => void): void => {
  from.addEventListener("message", ({ data }) => {
    try {
      to.send(data as string | ArrayBuffer);
    } catch {
      over();
    }
  });
  const close = (code: number, reason: string): void => {
    over();
    for (const end of [to, from]) {
      try {
        end.close(sendable(code), reason);
      } catch {
        // That end is closed already.
      }
    }
  };
  from.addEventListener("close", ({ code, reason }) => close(code, reason));
  from.addEventListener("error", () => close(1001, ""));
};

/**
 * Stands between visitor and origin, so that the end of the socket is noticed. Anything that is not
 * a socket's answer is returned as it is.
 */
export const relaySocket = (response: Response, over: () => void): Response => {
  const origin = response.webSocket;
  if (origin === null) {
    over();
    return response;
  }
  const { 0: visitor, 1: ours } = new WebSocketPair();
  connect(origin, ours, over);
  connect(ours, origin, over);
  origin.accept();
  ours.accept();
  return new Response(null, { status: 101, webSocket: visitor, headers: response.headers });
};
