/** No end of a socket may send these; each says of a connection what no close frame said. */
const UNSENDABLE: ReadonlySet<number> = new Set([1004, 1006, 1015]);
const NO_CODE = 1005;
const GOING_AWAY = 1001;

/** A close reason is at most 123 bytes. */
const closeQuietly = (end: WebSocket, code: number, reason: string): void => {
  try {
    if (code === NO_CODE) end.close();
    else end.close(UNSENDABLE.has(code) ? GOING_AWAY : code, reason);
  } catch {
    // That end is closed already.
  }
};

/** What is called when a socket's messages pass or it ends, and the signal that ends it. */
export interface Relay {
  /** A message passed, in whichever direction. */
  readonly moved: () => void;
  readonly over: () => void;
  readonly stop: AbortSignal;
}

/** Passes on what one end says, and its closing, to the other. */
const connect = (from: WebSocket, to: WebSocket, { moved, over }: Relay): void => {
  const close = (code: number, reason: string): void => {
    over();
    closeQuietly(to, code, reason);
    closeQuietly(from, code, reason);
  };
  from.binaryType = "arraybuffer";
  from.addEventListener("message", ({ data }) => {
    moved();
    try {
      to.send(data as string | ArrayBuffer);
    } catch {
      close(GOING_AWAY, "");
    }
  });
  from.addEventListener("close", ({ code, reason }) => close(code, reason));
  from.addEventListener("error", () => close(GOING_AWAY, ""));
};

/**
 * Stands between visitor and origin, so that messages and the end of the socket are noticed, and the
 * end can be brought about. Anything that is not a socket's answer is returned as it is.
 */
export const relaySocket = (response: Response, relay: Relay): Response => {
  const origin = response.webSocket;
  if (origin === null) {
    relay.over();
    return response;
  }
  const { 0: visitor, 1: ours } = new WebSocketPair();
  connect(origin, ours, relay);
  connect(ours, origin, relay);
  relay.stop.addEventListener("abort", () => {
    for (const end of [origin, ours]) closeQuietly(end, GOING_AWAY, "");
  });
  origin.accept();
  ours.accept();
  return new Response(null, { status: 101, webSocket: visitor, headers: response.headers });
};
