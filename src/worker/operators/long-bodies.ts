/**
 * The runtime closes a connection of which more than 64 KiB of a request are still to come when it is answered, and
 * clients that send before they read never read the answer. So what an operator sends is taken in first, within bounds.
 */
import { createMiddleware } from "hono/factory";
import { SECOND_MS } from "../../core/time.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { within } from "../isolate/deadline.ts";
import { lengthOf } from "../origin/content-length.ts";
import type { Ports } from "../platform/ports.ts";

/** A larger one than this is cut off. */
const DISCARDED_BYTES_MAX = 33_554_432;
const DISCARDED_WITHIN_MS = 10 * SECOND_MS;

/** Only for those who have signed in: nobody else's bytes are waited for. */
export const hearsOfLongBodies = createMiddleware<AppContext>(
  async function hearOfLongBodies(c, next) {
    await next();
    const isKnown = (c.var as Partial<AppContext["Variables"]>).operator !== undefined;
    if (c.res.status >= 400 && isKnown) await discard(c.req.raw, c.var.isolate.ports);
  },
);

const discard = async (request: Request, ports: Ports): Promise<void> => {
  const { body, bodyUsed, headers } = request;
  const length = lengthOf(headers);
  // Of one in chunks its reader took what it wanted, and who asks first hears before it sends.
  const isLeft = body !== null && !bodyUsed && !body.locked && !headers.has("expect");
  if (!isLeft || length === null || length > DISCARDED_BYTES_MAX) return;
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const until = ports.now() + DISCARDED_WITHIN_MS;
  try {
    for (;;) {
      const { done } = await within(ports, reader.read(), Math.max(0, until - ports.now()));
      if (done) return;
    }
  } catch {
    // It is too slow or has gone, and is refused all the same.
    reader.cancel().catch(() => null);
  }
};
