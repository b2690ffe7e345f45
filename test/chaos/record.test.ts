import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { tallies } from "../support/history.ts";
import { ask, type Answer } from "../support/http.ts";
import { roomOver } from "../support/rooms.ts";
import { startSeiriken, type Seiriken } from "../support/seiriken.ts";
import type { Visitor } from "../support/visitor.ts";

const CLAIM_MS = 5_000;

let running: Seiriken | null = null;
afterEach(async () => {
  await running?.stop();
  running = null;
});

/** What the test's own visitors were answered, and its origin was asked. */
class Counted {
  readonly #counts: Record<string, number> = {};
  add(...whats: string[]): void {
    for (const what of whats) this.#counts[what] = (this.#counts[what] ?? 0) + 1;
  }
  get all(): Readonly<Record<string, number>> {
    return this.#counts;
  }
}

/** Sends it again until it is answered: what a visitor asks for once happens once. */
const answered = (
  send: () => Promise<Answer>,
  isDone: (answer: Answer) => boolean,
): Promise<Answer> =>
  eventually(
    async () => {
      const answer = await send();
      if (!isDone(answer)) throw new Error(`${answer.status} ${answer.text}`);
      return answer;
    },
    { every: 100 },
  );

test("[RECORD-9] over kill -9 the minutes add up to what visitors and origin have counted themselves", async () => {
  running = await startSeiriken({
    rooms: [
      roomOver("shop", {
        total_active_users: 1,
        seiriken: { claim_within_seconds: CLAIM_MS / 1_000, line_max: 6 },
      }),
    ],
  });
  const seiriken = running;
  const counted = new Counted();
  const comes = async (): Promise<Visitor> => {
    const visitor = seiriken.visitor();
    await visitor.get("/shop");
    return visitor;
  };
  const takes = async (visitor: Visitor): Promise<void> => {
    const taken = await visitor.take();
    if (taken.status === 201) return counted.add("joined", "issued");
    counted.add("refused", `refused_${String(taken.json().code).replaceAll("-", "_")}`);
  };
  const stands = (visitor: Visitor) =>
    answered(
      () => visitor.where(),
      ({ status }) => status === 200,
    );
  const claims = async (visitor: Visitor, kind: "usher" | "baton"): Promise<void> => {
    await answered(
      () => visitor.claim(),
      ({ status }) => status === 200 || status === 201,
    );
    counted.add(`entries_by_${kind}`, "waits");
    expect((await visitor.get("/shop/inside")).status).toBe(200);
  };
  const releases = async (visitor: Visitor): Promise<void> => {
    await answered(
      () => visitor.release(),
      ({ status }) => status === 204,
    );
    counted.add("finished");
  };
  const leaves = async (visitor: Visitor): Promise<void> => {
    await answered(
      () => visitor.leave(),
      ({ status }) => status === 204,
    );
    counted.add("left");
  };

  const inside = await comes();
  // By which its permit is its own, however long the rest takes.
  expect((await inside.get("/shop/inside")).status).toBe(200);
  counted.add("entries_by_door", "issued");
  const crowd = await Promise.all(
    // Eight, each by name.
    [comes(), comes(), comes(), comes(), comes(), comes(), comes(), comes()] as const,
  );
  for (const visitor of crowd) await takes(visitor);
  const [sleeper, second, third, fourth, fifth, sixth] = crowd;
  const joinedBy = performance.now();
  await seiriken.kill9();

  const leaving = Promise.all([leaves(fifth), leaves(sixth)]);
  await seiriken.kill9();
  await leaving;

  for (const visitor of [sleeper, second, third, fourth]) await stands(visitor);
  // Its turn, and it does not come: the permit goes on after the claim time.
  await answered(
    () => sleeper.where(),
    ({ status }) => status === 200,
  );
  await releases(inside);
  await eventually(async () => expect((await sleeper.where()).json().state).toBe("called"));
  counted.add("missed");
  await eventually(
    async () => {
      await Promise.all([third.where(), fourth.where()]);
      expect((await second.where()).json().state).toBe("called");
    },
    { within: 2 * CLAIM_MS, every: 300 },
  );
  const claiming = claims(second, "usher");
  await seiriken.kill9();
  await claiming;

  for (const visitor of [third, fourth]) await stands(visitor);
  await sleep(4_500);
  for (const visitor of [third, fourth]) await stands(visitor);
  await releases(second);
  await claims(third, "baton");
  await stands(fourth);
  await releases(third);
  const waitedMs = performance.now() - joinedBy;
  await claims(fourth, "baton");
  await leaves(sleeper);
  await ask(`${seiriken.url}/.seiriken/api/rooms/shop/visitors/5`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${seiriken.adminToken}` },
  });
  counted.add("revoked");
  await seiriken.manage("PATCH", "/waiting_rooms/shop", { seiriken: { closed: "sold out" } });
  // What only isolates see is exact as well, from the last crash on.
  const { arrivals: before = 0 } = await tallies(seiriken);
  await takes(await comes());

  const told = await tallies(seiriken);
  expect(told).toMatchObject(counted.all);
  expect(counted.all).toEqual({
    ...{ joined: 6, issued: 7, left: 3, missed: 1, finished: 3, revoked: 1, waits: 3 },
    ...{ entries_by_door: 1, entries_by_usher: 1, entries_by_baton: 2 },
    ...{ refused: 3, refused_line_full: 2, refused_room_closed: 1 },
  });
  expect(told).toMatchObject({ expired: 0, removed: 0, refused_lobby_full: 0 });
  // The origin has heard of as many visits as entered.
  const visits = seiriken.origin.requests.map(({ headers }) => headers["seiriken-visit"]);
  expect(new Set(visits).size).toBe(4);
  const longest = await longestWait(seiriken);
  expect(Math.abs(longest - waitedMs / 1_000)).toBeLessThan(1);

  for (let visitor = 0; visitor < 3; visitor += 1) await comes();
  await eventually(
    async () => {
      await fourth.get("/shop");
      expect((await tallies(seiriken))["arrivals"]).toBe(before + 4);
    },
    { within: 8_000, every: 500 },
  );
}, 90_000);

const longestWait = async ({ url, adminToken }: Seiriken): Promise<number> => {
  const answer = await ask(`${url}/.seiriken/api/rooms/shop/history?minutes=5`, {
    headers: { authorization: `Bearer ${adminToken}` },
  });
  const rows = answer.json().minutes as { wait_max_seconds: number | null }[];
  return Math.max(...rows.map((row) => row.wait_max_seconds ?? 0));
};
