import { setTimeout as sleep } from "node:timers/promises";
import { DOCUMENT, Visitor } from "../../test/support/visitor.ts";
import type { Answer } from "../../test/support/http.ts";
import { claimVisit } from "../../test/support/journey.ts";
import { startOrigin } from "./load.ts";
import { roomOf } from "./serve.ts";
import type { Served } from "./serve.ts";

export interface Life {
  readonly waitedMs: number;
  readonly requests: number;
}

export interface LivesOptions {
  readonly visitors: number;
  readonly permits: number;
  readonly stayMs: number;
}

/** Pages that a visitor looks at while inside. */
const PAGES = 3;
/** How many join at the same moment. */
const JOINING = 50;

const QUIET_MS = 2_500;

/** Everybody comes to a room that holds all, then it opens and they go through it. */
export const liveThrough = async (
  served: Served,
  { visitors, permits, stayMs }: LivesOptions,
): Promise<readonly Life[]> => {
  const origin = await startOrigin();
  const settings = { total_active_users: permits, seiriken: { origin: origin.url } };
  await served.rooms.createRoom(roomOf("shop", { ...settings, queue_all: true }));
  const waiting: { readonly visitor: Visitor; readonly called: Promise<number> }[] = [];
  for (let at = 0; at < visitors; at += JOINING) {
    const some = Array.from({ length: Math.min(JOINING, visitors - at) }, () => join(served));
    waiting.push(...(await Promise.all(some)));
  }
  const openedAt = performance.now();
  await served.rooms.patchRoom("shop", { queue_all: false });
  const lives = await Promise.all(
    waiting.map(async ({ visitor, called }): Promise<Life> => {
      const waitedMs = (await called) - openedAt;
      await claimVisit(visitor);
      for (let page = 0; page < PAGES; page += 1) {
        expect(await visitor.get(`/shop/${page}`), 200);
        await sleep(stayMs / PAGES);
      }
      expect(await visitor.release(), 204);
      return { waitedMs, requests: 3 + 1 + PAGES + 1 };
    }),
  );
  // The first step after a quiet moment writes the Room's tables: they belong to the price.
  await sleep(QUIET_MS);
  await served.rooms.patchRoom("shop", { queue_all: true });
  origin.stop();
  return lives;
};

/** The page, a ticket as the page takes it, and the socket on which the call will come. */
const join = async (served: Served) => {
  const visitor = new Visitor(served.url);
  expect(await visitor.get("/shop", DOCUMENT), 503);
  expect(await visitor.take(), 201);
  const socket = await visitor.socket();
  const called = socket.first("called", { within: 60_000 }).then(() => performance.now());
  return { visitor, called };
};

const expect = (answer: Answer, status: number): void => {
  if (answer.status !== status)
    throw new Error(`not ${status} but ${answer.status} ${answer.text}`);
};
