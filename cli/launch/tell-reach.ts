import { ManagementClient } from "../api-client.ts";
import type { DeploymentAccess } from "../deployment.ts";
import type { Origin } from "./origin.ts";
import { statusAt } from "./origin.ts";
import { guardedUrls, outOfReach, strayPorts } from "./out-of-reach.ts";
import type { PlacedRoom, ReachedBy, RoomsFile } from "./out-of-reach.ts";
import { isLoopback, ownNames } from "./ports.ts";
import type { Report } from "./report.ts";
import type { Settings } from "./settings.ts";

const PATHS_ASKED_MAX = 20;
const ROOMS_TOLD_MAX = 20;

/**
 * Says what the rooms guard, as it is opened here, and warns of what guards nothing: rooms of other
 * hosts, ports that count for nothing, paths that the origin does not know.
 */
export const tellReach = async (
  deployment: DeploymentAccess,
  origin: Origin,
  settings: Settings,
  file: RoomsFile | null,
  report: Report,
): Promise<void> => {
  const warn = (message: string) => report.tell({ event: "warning", message });
  const rooms: readonly PlacedRoom[] = await new ManagementClient(deployment).listRooms();
  if (rooms.length === 0)
    warn(
      "nothing is protected: there is no room, so every request goes to the origin; --rooms FILE",
    );
  const reach: ReachedBy = {
    url: deployment.server,
    ownNames: ownNames(settings.host),
    servesOthers: !isLoopback(settings.host) || settings.trustedProxies != null,
  };
  for (const room of rooms.slice(0, ROOMS_TOLD_MAX))
    report.tell({ event: "step", message: `room ${room.name} guards ${guardedUrls(room, reach)}` });
  const unreached = outOfReach(rooms, reach, file);
  if (unreached !== null) report.tell(unreached);
  strayPorts(rooms, deployment.server, file).forEach(warn);
  if (!origin.isDemo) for (const message of await strayPaths(rooms, origin.url)) warn(message);
};

/** Paths of rooms at which the deployment's origin has nothing. Each is asked for once, by HEAD. */
const strayPaths = async (rooms: readonly PlacedRoom[], origin: string): Promise<string[]> => {
  const guarded = rooms
    .filter((room) => (room as { seiriken?: { origin?: unknown } }).seiriken?.origin == null)
    .map(({ name, path }) => ({ name, path }))
    .filter(({ path }) => path !== "/")
    .slice(0, PATHS_ASKED_MAX);
  const told = guarded.map(async ({ name, path }) => {
    const status = await statusAt(origin + path);
    return status === 404 || status === 410
      ? [
          `room ${name} guards ${path} and what is below it, but the origin has nothing at ${path} ` +
            `(${status}); is the path right?`,
        ]
      : [];
  });
  return (await Promise.all(told)).flat();
};
