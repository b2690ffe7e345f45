/** What a room's file, or its history, says of a sale before any flag does. */
import { readFile } from "node:fs/promises";
import { definitionOf } from "../../src/api/rooms/resource.ts";
import { parseRoomsText, settingsIn } from "../../src/api/rooms-file/file.ts";
import { parseRoom } from "../../src/api/rooms/schema.ts";
import type { RoomLimits } from "../../src/core/definition.ts";
import type { RoomId } from "../../src/core/ids.ts";
import { stepLimitsOf } from "../../src/core/room/limits.ts";
import { instant } from "../../src/core/time.ts";
import { ManagementClient } from "../api-client.ts";
import { deploymentOf } from "../flags.ts";
import { describe, Failure, usageFailure } from "../launch/failure.ts";
import type { Flags } from "../launch/flags.ts";
import { momentOf } from "../rooms/history.ts";
import type { Known } from "./options.ts";

const MINUTE = 60_000;

type Variables = Readonly<Record<string, string | undefined>>;

export const knownFrom = async (flags: Flags, env: Variables, now: number): Promise<Known> => {
  const file = flags.text("from");
  if (file !== null) return { limits: await limitsIn(file, flags.text("room")) };
  const since = flags.text("from-history");
  return since === null ? {} : historyOf(flags, env, since, now);
};

const limitsIn = async (file: string, name: string | null): Promise<RoomLimits> => {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new Failure("file", `${file} can't be read`, [describe(error)]);
  });
  const parsed = parseRoomsText(text);
  if (!parsed.ok)
    throw new Failure(
      "rooms-file",
      `${file} has problems`,
      parsed.problems.map(({ path, message }) => `${path || "(all)"}: ${message}`),
    );
  const names = parsed.rooms.map((room) => room.name);
  const room = parsed.rooms.find((each) => each.name === (name ?? names[0]));
  if (room === undefined || (name === null && names.length > 1))
    throw usageFailure(
      name === null ? `${file} has several rooms` : `${file} has no room ${name}`,
      [
        names.length === 0
          ? "it has none at all"
          : `--room one of ${names.slice(0, 20).join(", ")}`,
      ],
    );
  return limitsOfRoom(settingsIn(room));
};

/** As the room would get them. */
const limitsOfRoom = (json: unknown): RoomLimits => {
  const parsed = parseRoom(json);
  if (!parsed.ok) throw new Failure("room", "the room's settings can't be read");
  const at = instant(0);
  const identity = { id: "" as RoomId, createdAt: at, modifiedAt: at, cookieSuffix: "" };
  return stepLimitsOf(definitionOf(parsed.room, identity));
};

const historyOf = async (
  flags: Flags,
  env: Variables,
  since: string,
  now: number,
): Promise<Known> => {
  const room = flags.text("room");
  if (room === null) throw usageFailure("--from-history needs a room", ["--room NAME"]);
  const access = {
    ...(flags.text("server") === null ? {} : { server: flags.text("server") ?? "" }),
    ...(flags.text("token-file") === null ? {} : { "token-file": flags.text("token-file") ?? "" }),
  };
  const until = flags.text("until");
  const span = {
    from: momentOf("from-history", since, now),
    to: until === null ? now : momentOf("until", until, now),
  };
  if (span.from >= span.to)
    throw usageFailure("--from-history must lie before --until, and before now");
  const client = new ManagementClient(deploymentOf(access, env));
  const step = span.to - span.from > 6 * 24 * 60 * MINUTE ? "hour" : "minute";
  const minutes = await client.historyOf(room, { ...span, step });
  const came = minutes.map(({ issued, entries_by_door: atOnce }) => issued + atOnce);
  const visitors = came.reduce((sum, count) => sum + count, 0);
  if (visitors === 0)
    throw new Failure("history", `nobody came to ${room} in that time`, [
      `npm run rooms -- history ${room} --since 2d shows when somebody did`,
    ]);
  const limits = limitsOfRoom(settingsOf(await client.readRoom(room)));
  const partMs = step === "hour" ? 60 * MINUTE : MINUTE;
  return { limits, visitors, arrivals: came, arriveMs: came.length * partMs };
};

/** A room as the API answers it tells more than can be set. */
const settingsOf = (resource: object): object => {
  const { name, host, path, ...rest } = resource as Record<string, unknown>;
  const own = rest["seiriken"] as Record<string, unknown> | undefined;
  const limits = ["total_active_users", "new_users_per_minute", "session_duration"];
  const more = ["disable_session_renewal", "queueing_method"];
  const kept = [...limits, ...more].flatMap((key) => (key in rest ? [[key, rest[key]]] : []));
  const ours = [
    "starts_per_second",
    "claim_within_seconds",
    "return_window_minutes",
    "visit_max_minutes",
  ];
  const seiriken = ours.flatMap((key) =>
    own !== undefined && key in own ? [[key, own[key]]] : [],
  );
  return { name, host, path, ...Object.fromEntries(kept), seiriken: Object.fromEntries(seiriken) };
};
