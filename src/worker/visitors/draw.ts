import { parseTicketNumber } from "../../core/ids.ts";
import { drawResource } from "../../api/draws/record.ts";
import type { GateContext } from "../admission/context.ts";
import { answerJson, refuse } from "./our-room.ts";

const DECIMAL = /^[1-9][0-9]{0,15}$/;

/**
 * `GET …/rooms/{room}/draws/{event}`: the public record of a draw, with `?number=N` also the rank that
 * it gave to this number.
 */
export const getDraw = async (context: GateContext, event: string): Promise<Response> => {
  const { room, arrival } = context;
  const { draws } = context.isolate;
  const asked = arrival.url.searchParams.get("number");
  const number = asked !== null && DECIMAL.test(asked) ? parseTicketNumber(Number(asked)) : null;
  if (asked !== null && number === null) {
    const errors = [{ parameter: "number", detail: "must be a whole number from 1 to 2^48" }];
    return refuse(context, "query-invalid", null, { errors });
  }
  const record = await draws.find(arrival, room, event);
  if (record === null) return refuse(context, "draw-not-found");
  const drawn = drawResource({ ...record, room: room.id });
  if (number === null) return answerJson(context, 200, drawn);
  return answerJson(context, 200, { ...drawn, number, rank: draws.rankOf(record, number) });
};
