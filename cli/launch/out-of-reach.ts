/** Finds rooms that nobody can try from this machine as they are, and says what to change. */
import { routeHostOf } from "../../src/api/fields.ts";
import { lineOfValue } from "../../src/core/json/line-of-value.ts";

/** The part of a room that says where it is, as the management API answers it. */
export interface PlacedRoom {
  readonly name: string;
  readonly host: string;
  readonly path: string;
  readonly additional_routes: readonly {
    readonly host?: string | null | undefined;
    readonly path?: string | null | undefined;
  }[];
}

export interface RoomsFile {
  readonly path: string;
  readonly text: string;
}

/** Where this server listens, and under which names it is asked. */
export interface ReachedBy {
  /** What a person here opens: `http://127.0.0.1:8787`. */
  readonly url: string;
  readonly ownNames: readonly string[];
  /** Others come under other names: through a proxy that was named, or to more than loopback. */
  readonly servesOthers: boolean;
}

const TOLD_MAX = 3;

/**
 * What is said of rooms that nobody on this machine can try as they are: a request under a name
 * that no room has gets 421, and 127.0.0.1 is what people try first.
 */
export const outOfReach = (
  rooms: readonly PlacedRoom[],
  { url, ownNames, servesOthers }: ReachedBy,
  file: RoomsFile | null,
): { readonly event: "warning" | "hint"; readonly message: string } | null => {
  const places = rooms.flatMap(placesOf);
  const isHere = ({ host }: HostedPath) =>
    host === "*" || host.endsWith(".localhost") || ownNames.includes(host);
  if (places.length === 0 || places.some(isHere)) return null;
  const hosts = [...new Set(places.map(({ host }) => host))];
  const names = inShort(hosts);
  if (servesOthers)
    return {
      event: "hint",
      message:
        `requests are served under ${names}; under other names, also this machine's, they get 421. ` +
        "A proxy in front must pass the visitor's Host on",
    };
  const { name, host, path } = places[0] as HostedPath;
  const mends = mendsOf(places, file);
  return {
    event: "warning",
    message: [
      `no room guards ${url}: what is asked there is refused (421), for every room names another host (${names})`,
      ...mends,
      `or ask under the room's own name: curl -H "Host: ${host}" ${url}${path} (room ${name})`,
    ].join("\n"),
  };
};

interface HostedPath {
  readonly name: string;
  readonly host: string;
  readonly path: string;
  readonly keys: readonly (string | number)[];
}

const placesOf = (room: PlacedRoom): HostedPath[] => [
  { name: room.name, host: hostOf(room.host), path: room.path, keys: ["host"] },
  ...room.additional_routes.map((route, index) => ({
    name: room.name,
    host: hostOf(route.host ?? room.host),
    path: route.path ?? "/",
    keys: ["additional_routes", index, "host"],
  })),
];

const hostOf = (written: string): string => routeHostOf(written) ?? written;

const inShort = (names: readonly string[]): string =>
  [...names.slice(0, TOLD_MAX), ...(names.length > TOLD_MAX ? ["…"] : [])].join(", ");

/** The lines to change; of rooms that are in no file (kept from an earlier start) the room. */
const mendsOf = (places: readonly HostedPath[], file: RoomsFile | null): string[] => {
  const mends = places.flatMap(({ name, host, keys }) => {
    const change = `"host": "*" in place of "host": "${host}"`;
    const line = lineInFile(file, name, keys);
    if (line !== null) return [`to try it here, ${file?.path} line ${line}: ${change}`];
    return keys.length === 1 ? [`to try room ${name} here: ${change}`] : [];
  });
  return mends.slice(0, TOLD_MAX);
};

const lineInFile = (
  file: RoomsFile | null,
  name: string,
  keys: readonly (string | number)[],
): number | null => {
  if (file === null) return null;
  const { text } = file;
  const rooms = JSON.parse(text.replace(/^\uFEFF/, "")) as readonly { readonly name: string }[];
  const index = rooms.findIndex((room) => room.name === name);
  return index < 0 ? null : lineOfValue(text, [index, ...keys]);
};

/**
 * Hosts that name a port, which the gate ignores: a request to that port itself passes the room by.
 */
export const strayPorts = (
  rooms: readonly PlacedRoom[],
  url: string,
  file: RoomsFile | null,
): string[] => {
  const here = new URL(url);
  return rooms.flatMap((room) =>
    [room.host, ...room.additional_routes.map((route) => route.host)].flatMap((host, index) => {
      const port = host == null ? null : /:(\d+)$/.exec(host)?.[1];
      if (port == null || port === here.port) return [];
      const keys = index === 0 ? ["host"] : ["additional_routes", index - 1, "host"];
      const line = lineInFile(file, room.name, keys);
      const where = line === null ? `room ${room.name}` : `${file?.path} line ${line}`;
      return [
        `${where}: the port of "host": "${host}" counts for nothing; this listens on ${here.port}, ` +
          `and whoever opens port ${port} itself is not in the room`,
      ];
    }),
  );
};

/** What the rooms guard, as one opens it here; hosts of other machines as they are. */
export const guardedUrls = (room: PlacedRoom, { url, ownNames }: ReachedBy): string => {
  const urls = placesOf(room).map(({ host, path }) =>
    host === "*" || ownNames.includes(host) ? `${url}${path}` : `${host}${path}`,
  );
  return inShort([...new Set(urls)]);
};
