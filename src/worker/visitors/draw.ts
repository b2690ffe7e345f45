import type { Context } from "hono";
import { parseTicketNumber } from "../../core/ids.ts";
import { drawResource } from "../../api/draws/record.ts";
import { answerJson, refuse, type RoomContext } from "./our-room.ts";

const DECIMAL = /^[1-9][0-9]{0,15}$/;

/**
 * `GET …/rooms/{room}/draws/{event}`: the public record of a draw, with `?number=N` also the rank that
 * it gave to this number.
 */
export const getDraw = async (c: Context<RoomContext>): Promise<Response> => {
  const { room, arrival } = c.get("context");
  const { draws } = c.get("isolate");
  const asked = c.req.query("number");
  const number =
    asked !== undefined && DECIMAL.test(asked) ? parseTicketNumber(Number(asked)) : null;
  if (asked !== undefined && number === null) {
    const errors = [{ parameter: "number", detail: "must be a whole number from 1 to 2^48" }];
    return refuse(c, "query-invalid", null, { errors });
  }
  const record = await draws.find(arrival, room, c.req.param("event") ?? "");
  if (record === null) return refuse(c, "draw-not-found");
  const drawn = drawResource({ ...record, room: room.id });
  if (number === null) return answerJson(c, 200, drawn);
  return answerJson(c, 200, { ...drawn, number, rank: draws.rankOf(record, number) });
};
