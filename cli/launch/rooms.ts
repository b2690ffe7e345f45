import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseRoomsText } from "../../src/worker/management/rooms-file.ts";
import type { RoomJson } from "../../src/worker/management/rooms-file.ts";
import { describe, Failure } from "./failure.ts";

/** Any zone will do: a deployment of ours has one set of rooms. */
const ROOMS_PATH = "/.seiriken/client/v4/zones/local/waiting_rooms";
const ATTEMPTS_MAX = 5;
const ATTEMPT_WITHIN_MS = 5_000;
const PER_PAGE = 1_000;

export interface AppliedRoom {
  readonly name: string;
  readonly action: "created" | "updated" | "kept";
}

/** Every problem of the file at once, each with its path. */
export const readRoomsFile = (path: string): readonly RoomJson[] => {
  const parsed = parseRoomsText(readText(path));
  if (parsed.ok) return parsed.rooms;
  throw new Failure(
    "rooms-file",
    `${path} has ${parsed.problems.length === 1 ? "a problem" : `${parsed.problems.length} problems`}`,
    parsed.problems.map((problem) => `${problem.path || "(all)"}: ${problem.message}`),
  );
};

const readText = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    throw new Failure("rooms-file", `${path} can't be read: ${describe(thrown)}`);
  }
};

/**
 * Puts rooms by name through the management API. `keepExisting` leaves a room alone that is
 * already there, so that a default never undoes what an operator changed.
 */
export const applyRooms = async (
  server: string,
  adminToken: string,
  rooms: readonly RoomJson[],
  { keepExisting }: { readonly keepExisting: boolean },
): Promise<readonly AppliedRoom[]> => {
  if (rooms.length === 0) return [];
  const call = (method: string, path: string, body?: unknown) =>
    callApi(server + ROOMS_PATH + path, adminToken, method, body);
  const listed = (await call("GET", `?per_page=${PER_PAGE}`)) as readonly ListedRoom[];
  const ids = new Map(listed.map((room) => [room.name, room.id]));
  const applied: AppliedRoom[] = [];
  for (const room of rooms) {
    const id = ids.get(room.name);
    if (id === undefined) await call("POST", "", room);
    else if (!keepExisting) await call("PUT", `/${id}`, room);
    const action = id === undefined ? "created" : keepExisting ? "kept" : "updated";
    applied.push({ name: room.name, action });
  }
  return applied;
};

interface ListedRoom {
  readonly id: string;
  readonly name: string;
}

interface Envelope {
  readonly success: boolean;
  readonly errors?: readonly { readonly message?: string }[];
  readonly result?: unknown;
}

const callApi = async (
  url: string,
  adminToken: string,
  method: string,
  body: unknown,
): Promise<unknown> => {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await attemptCall(url, adminToken, method, body);
    if (answer.envelope?.success === true) return answer.envelope.result;
    if (attempt === ATTEMPTS_MAX || (answer.status >= 400 && answer.status < 500))
      throw new Failure(
        "rooms-refused",
        `the management API refused ${method} ${new URL(url).pathname} (${answer.problem})`,
        answer.envelope?.errors?.flatMap(({ message }) => message ?? []) ?? [],
      );
    await sleep(100 * attempt);
  }
};

interface Attempt {
  readonly status: number;
  readonly problem: string;
  readonly envelope: Envelope | null;
}

const attemptCall = async (
  url: string,
  adminToken: string,
  method: string,
  body: unknown,
): Promise<Attempt> => {
  try {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      signal: AbortSignal.timeout(ATTEMPT_WITHIN_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const envelope = (await response.json().catch(() => null)) as Envelope | null;
    return { status: response.status, problem: `status ${response.status}`, envelope };
  } catch (thrown) {
    return { status: 0, problem: describe(thrown), envelope: null };
  }
};
