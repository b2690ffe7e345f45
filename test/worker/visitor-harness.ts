import { cookieFor } from "./fakes.ts";
import type { World } from "./fakes.ts";

export const API = "/.seiriken/rooms/shop";
export const OWN_PAGE = { Origin: "https://shop.example", "Sec-Fetch-Site": "same-origin" };

/** How visitors ask, and what they carry, in the world that a test is in. */
export const visitorsIn = (world: () => World) => ({
  ask: (method: string, path: string, headers: Record<string, string> = {}): Promise<Response> =>
    world().fetch(`${API}${path}`, { method, headers }),
  visitorCookie: async () => ({ Cookie: cookieFor("visitor", await world().visitorToken()) }),
  ticketCookie: async () => ({ Cookie: cookieFor("ticket", await world().ticketToken()) }),
  passCookie: async () => ({ Cookie: cookieFor("pass", await world().passToken()) }),
});

export const bodyOf = async (answer: Response): Promise<Record<string, unknown>> =>
  (await answer.json()) as Record<string, unknown>;
