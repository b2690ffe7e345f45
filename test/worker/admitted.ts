import { cookieFor, DOCUMENT, World } from "./fakes.ts";
import type { WorldOptions } from "./fakes.ts";

/** What a visitor with a live pass is answered. */
export const admittedTo = async (
  world: World,
  path = "/tickets",
  init: RequestInit = {},
): Promise<Response> =>
  world.fetch(path, {
    ...init,
    headers: {
      ...DOCUMENT,
      Cookie: cookieFor("pass", await world.passToken()),
      ...(init.headers as Record<string, string>),
    },
  });

/** A world whose origin answers so. */
export const answering = (response: () => Response, options: WorldOptions = {}): World =>
  new World({ ...options, origin: response });
