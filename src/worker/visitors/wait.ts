import type { RoomDefinition } from "../../core/definition.ts";
import { PREFIX } from "../../durable/contract.ts";
import type { GateContext } from "../admission/context.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { isOwnUrl } from "../arrival/own-hosts.ts";
import { waitOrGoOn } from "../gate/wait.ts";
import { canonicalHost, canonicalPath, holdsPath } from "../../core/url/canonical.ts";

/** `GET …/wait?to=/path`: the page on its own, until it is the visitor's turn at `to`. */
export const getWait = (context: GateContext): Promise<Response> => {
  const { arrival, room } = context;
  const to = arrival.url.searchParams.get("to") ?? "";
  return waitOrGoOn(context, targetWithin(arrival, room, to));
};

/** `to` if it stays on the room's hosts and off our own paths, else the room's own front. */
export const targetWithin = (arrival: Arrival, room: RoomDefinition, to: string): URL => {
  if (URL.canParse(to, arrival.url.href)) {
    const url = new URL(to, arrival.url);
    const path = canonicalPath(url.pathname);
    const staysHere =
      url.protocol === arrival.url.protocol && url.username === "" && url.password === "";
    if (staysHere && to !== "" && path !== null && !holdsPath(PREFIX, path))
      if (isOwnUrl(arrival, room, url)) return url;
  }
  const here = room.routes.find((route) => canonicalHost(route.host) === arrival.host);
  return new URL((here ?? room.routes[0])?.path ?? "/", arrival.url.origin);
};
