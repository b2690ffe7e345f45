/** What files, and the history of a real room, say of a sale before any flag does. */
import { ManagementClient } from "../api-client.ts";
import { deploymentOf } from "../flags.ts";
import { usageFailure } from "../launch/failure.ts";
import type { Flags } from "../launch/flags.ts";
import { readArrivals } from "./arrivals-file.ts";
import { cameAsTold, historySpanOf, type ReallyWas } from "./came.ts";
import { queueing, roomInFile, roomOfResource, type SaleOfRoom } from "./room-limits.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** What is told beside the simulation, as it did not come of the flags. */
export type FoundSale = SaleOfRoom & { readonly really?: ReallyWas };

export const knownFrom = async (flags: Flags, env: Variables, now: number): Promise<FoundSale> => {
  const file = flags.text("arrivals");
  const came = file === null ? {} : await readArrivals(file, flags.text("visitors") !== null);
  const rooms = flags.text("from");
  const since = flags.text("from-history");
  const room =
    rooms !== null
      ? await roomInFile(rooms, { room: flags.text("room"), event: eventAsked(flags) }, now)
      : since !== null
        ? await historyOf(flags, env, since, now)
        : {};
  return { ...room, ...came };
};

/** Null: none; undefined: the next. */
const eventAsked = (flags: Flags): string | null | undefined =>
  flags.isOn("no-event") ? null : (flags.text("event") ?? undefined);

const historyOf = async (
  flags: Flags,
  env: Variables,
  since: string,
  now: number,
): Promise<FoundSale> => {
  const room = flags.text("room");
  if (room === null) throw usageFailure("--from-history needs a room", ["--room NAME"]);
  const span = historySpanOf(since, flags.text("until"), now);
  const [server, tokenFile] = [flags.text("server"), flags.text("token-file")];
  const access = {
    ...(server === null ? {} : { server }),
    ...(tokenFile === null ? {} : { "token-file": tokenFile }),
  };
  const client = new ManagementClient(deploymentOf(access, env));
  const minutes = await client.historyOf(room, span);
  const came = cameAsTold(minutes, span.step, room);
  return { ...came, limits: queueing(roomOfResource(await client.readRoom(room))) };
};
