import type { VisitorResource } from "../../../src/api/rooms/visitor.ts";
import type { CallAnswer } from "./answer.ts";
import { API, type ApiClient } from "./client.ts";

/** `who`: a number, which is the visit's as well, or the eight letters that the visitor's page shows. */
const visitorAt = (room: string, who: string): string =>
  `${API}/rooms/${encodeURIComponent(room)}/visitors/${encodeURIComponent(who)}`;

export const findVisitor = (
  client: ApiClient,
  room: string,
  who: string,
): Promise<CallAnswer<VisitorResource>> => client.ask(visitorAt(room, who));

export const helpVisitor = (
  client: ApiClient,
  room: string,
  who: string,
  help: { readonly more_minutes: number } | { readonly call_again: true },
): Promise<CallAnswer<VisitorResource>> =>
  client.ask(visitorAt(room, who), { method: "PATCH", body: help });

export const endVisitor = (
  client: ApiClient,
  room: string,
  who: string,
): Promise<CallAnswer<null>> => client.ask(visitorAt(room, who), { method: "DELETE" });
