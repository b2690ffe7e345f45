import { describe, expect, test } from "vitest";
import { DrawnOrder } from "../../src/core/draw/drawn-order.ts";
import { bytesOfHex } from "../../src/core/hex.ts";
import { ticketNumber } from "../../src/core/ids.ts";
import { drawResource } from "../../src/api/draws/record.ts";
import { CLOSED, DRAWN } from "../support/draw-record.ts";
import { roomOf, World } from "./fakes.ts";

const path = (of: string, query = ""): string => `/.seiriken/rooms/shop/draws/${of}${query}`;
const { event } = DRAWN;

/** A room whose draw is as far as this record says. */
const roomWith = (record: typeof DRAWN): World => {
  const world = new World();
  world.room.draws = async () => [{ name: "Night_Sale", record }];
  return world;
};
const drawCalls = (world: World): number =>
  world.calls.filter((call) => call === "room draws").length;

describe("the public record of a draw", () => {
  test("[DRAW-25] is told by the event's id and by its name, in any case, to anybody", async () => {
    const world = roomWith(DRAWN);
    const { id } = roomOf();
    const expected = { ...drawResource(DRAWN), room: id };
    for (const of of [event, "Night_Sale", "night_sale"]) {
      const answer = await world.fetch(path(of));
      expect([answer.status, await answer.json()]).toEqual([200, expected]);
    }
    const none = await world.fetch(path("another"));
    expect([none.status, await none.json()]).toMatchObject([404, { code: "draw-not-found" }]);
  });

  test("[DRAW-25] costs the Room one call for a crowd that asks for its ranks", async () => {
    const world = roomWith(DRAWN);
    const { first, last } = DRAWN.closed!;
    const order = new DrawnOrder(bytesOfHex(DRAWN.drawn!.seed)!, { first, last });
    for (let number = first - 5; number < first + 200; number += 1) {
      const told = await (await world.fetch(path(event, `?number=${number}`))).json();
      const rank = order.rankOf(ticketNumber(number));
      expect(told).toMatchObject({ number, rank });
    }
    expect(drawCalls(world)).toBe(1);
  });

  test("[DRAW-24] [DRAW-25] before the draw there is no rank, and no secret", async () => {
    const world = roomWith(CLOSED);
    const answer = await world.fetch(path(event, "?number=200"));
    expect(await answer.json()).toMatchObject({ drawn: null, number: 200, rank: null });
  });

  test.each(["0", "-1", "1.5", "1e3", "", "281474976710657", "x"])(
    "[DRAW-25] %j is no number, and says so",
    async (number) => {
      const answer = await roomWith(DRAWN).fetch(path(event, `?number=${number}`));
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        { code: "query-invalid", errors: [{ parameter: "number" }] },
      ]);
    },
  );

  test("[DRAW-25] without the Room it is not told of, and the answer says when to come again", async () => {
    const world = new World();
    world.room.draws = () => Promise.reject(new Error("gone"));
    const answer = await world.fetch(path(event));
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "2"]);
  });
});
