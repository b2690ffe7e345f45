import type { Arrival } from "../arrival/arrival.ts";
import type { Ports } from "../platform/ports.ts";
import { finalHead } from "./interim.ts";
import { RawBytes } from "./raw-bytes.ts";
import type { HeaderValues } from "./request-headers.ts";
import type { Target } from "./target.ts";

type Server = Extract<Target, { kind: "url" }>;

/**
 * Must this request have a connection of its own? After an interim answer to a HEAD the runtime takes
 * the real one for the answer to whatever is asked next on that connection. Elsewhere than here a
 * network of the platform's own stands in between.
 */
export const needsOwnConnection = (
  { env, request, method }: Arrival,
  target: Target,
): target is Server =>
  method === "HEAD" && env.LOCAL === "1" && target.kind === "url" && request.body === null;

/** HEAD, asked at `to` on a connection to the server that is used once. */
export const askHeadAlone = async (
  ports: Ports,
  { base }: Server,
  to: URL,
  headers: HeaderValues,
  signal: AbortSignal | null,
): Promise<Response> => {
  signal?.throwIfAborted();
  const isTls = base.protocol === "https:";
  const address = `${base.hostname}:${base.port || (isTls ? 443 : 80)}`;
  const secureTransport = isTls ? "on" : "off";
  const socket = await ports.connect(address, { secureTransport, allowHalfOpen: false });
  const leave = (): void => void socket.close().catch(() => null);
  signal?.addEventListener("abort", leave, { once: true });
  try {
    const writer = socket.writable.getWriter();
    await writer.write(new TextEncoder().encode(requestOf(to, headers)));
    const bytes = new RawBytes(socket.readable as ReadableStream<Uint8Array>);
    return new Response(null, await finalHead(bytes));
  } finally {
    signal?.removeEventListener("abort", leave);
    leave();
  }
};

const requestOf = (to: URL, headers: HeaderValues): string => {
  const { host: _, connection: __, ...others } = headers;
  const lines = Object.entries(others).map(([name, value]) => `${name}: ${value}`);
  const first = `HEAD ${to.pathname}${to.search} HTTP/1.1`;
  return [first, `host: ${to.host}`, ...lines, "connection: close", "", ""].join("\r\n");
};
