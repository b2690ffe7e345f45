/**
 * The help desk: how a visitor is named, what an operator may ask for it, and what is told of it, in
 * figures and in words to read out.
 */
import * as v from "valibot";
import type { FieldProblem } from "../../core/field-problem.ts";
import { parseTicketNumber, type TicketNumber } from "../../core/ids.ts";
import { parseReference } from "../../core/reference.ts";
import { MORE_MINUTES_MAX, MORE_TIME_ALL_MS, type DeskAct } from "../../core/room/desk.ts";
import type { VisitorFound } from "../../core/room/desk-view.ts";
import { MINUTE_MS, rfc3339, SECOND_MS, type InstantMs } from "../../core/time.ts";
import { documentBy, exactly, flag, whole } from "../fields.ts";

/** What an operator was told: a number, or eight letters that may be either. */
export interface VisitorNamed {
  readonly number: TicketNumber | null;
  readonly reference: string | null;
}

/** A reference as people say and type it: in any case, in groups. Null: it is neither. */
export const parseVisitorName = (given: string): VisitorNamed | null => {
  const number = /^\d{1,15}$/.test(given) ? parseTicketNumber(Number(given)) : null;
  const reference = parseReference(given.replace(/[\s-]/g, "").toUpperCase());
  return number === null && reference === null ? null : { number, reference };
};

const changeSchema = exactly({
  more_minutes: v.optional(whole(1, MORE_MINUTES_MAX)),
  call_again: v.optional(flag),
});

export const parseVisitorChange = (
  json: unknown,
):
  | { readonly ok: true; readonly act: DeskAct }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] } => {
  const document = documentBy(changeSchema, json, ({ more_minutes, call_again }) =>
    (more_minutes === undefined) === (call_again === undefined) || call_again === false
      ? [{ keys: [], message: "must say either more_minutes, or call_again: true" }]
      : [],
  );
  if (!document.ok) return document;
  const { more_minutes } = document.output;
  if (more_minutes === undefined) return { ok: true, act: { act: "call-again" } };
  return { ok: true, act: { act: "more-time", ms: more_minutes * MINUTE_MS } };
};

export type VisitorResource = ReturnType<typeof visitorResource>;

export const visitorResource = (room: string, found: VisitorFound, now: InstantMs) => ({
  room,
  number: found.number,
  state: found.state,
  says: saysOf(found, now),
  ahead: found.ahead,
  eta: etaOf(found),
  claim_by: momentOf(found.claimBy),
  visit:
    found.visit === null
      ? null
      : {
          began_at: rfc3339(found.visit.startedAt),
          by: found.visit.via,
          lease_until: rfc3339(found.visit.leaseUntil),
          ends_at: momentOf(found.visit.endsAt),
        },
  misses: found.misses,
  misses_max: found.missesMax,
  more_minutes_given: Math.round(found.givenMs / MINUTE_MS),
  more_minutes_left: Math.round((MORE_TIME_ALL_MS - found.givenMs) / MINUTE_MS),
  joined_at: momentOf(found.joinedAt),
  ended:
    found.end === null ? null : { at: rfc3339(found.end.at), reason: found.end.reason as string },
  happened: found.happenings.map(({ what, at }) => ({ at: rfc3339(at), what: what as string })),
  remembered_since: rfc3339(found.rememberedSince),
});

const momentOf = (at: InstantMs | null): string | null => (at === null ? null : rfc3339(at));

const etaOf = ({ eta }: VisitorFound) =>
  eta === null || !eta.known ? null : { seconds: eta.seconds, low: eta.low, high: eta.high };

/** One or two sentences that an operator can read out. */
const saysOf = (found: VisitorFound, now: InstantMs): string => {
  const { number, state, visit } = found;
  switch (state) {
    case "waiting":
      return `Number ${number} waits${aheadOf(found)}.${waitOf(found)}${missedOf(found)}`;
    case "away":
      return (
        `Number ${number} keeps its place${aheadOf(found)}, but its page has not been heard from.` +
        `${missedOf(found)} It stands there again as soon as its visitor comes back within the return window.`
      );
    case "called":
      return `It is the turn of number ${number}: it may enter ${leftUntil(found.claimBy, now)}.${missedOf(found)}`;
    case "visiting":
      return visit?.isLeaving === true
        ? `Number ${number} is on the site, which has ended its visit: it runs out ${clockOf(visit.endsAt)}.`
        : `Number ${number} is on the site since ${clockOf(visit?.startedAt)}. Without activity its visit ends ${leftUntil(visit?.leaseUntil, now)}${lastOf(found)}.`;
    case "ended":
      return `Number ${number} is over: ${whyOver(found)}. To come in again its visitor takes a new ticket.`;
    default:
      return state satisfies never;
  }
};

const aheadOf = ({ ahead }: VisitorFound): string =>
  ahead === null
    ? "; turns are drawn"
    : ahead === 0
      ? " at the head of the line"
      : `, ${ahead} before it`;

const waitOf = ({ eta }: VisitorFound): string => {
  if (eta === null) return "";
  if (!eta.known) return ` How long it takes nobody can say (${eta.reason}).`;
  return ` It takes about ${minutesOf(eta.seconds)}, from ${minutesOf(eta.low)} to ${minutesOf(eta.high)}.`;
};

const missedOf = ({ misses, missesMax }: VisitorFound): string =>
  misses === 0
    ? ""
    : ` It has missed ${misses} of the ${missesMax} calls after which a number is spent.`;

const lastOf = ({ visit }: VisitorFound): string =>
  visit?.endsAt == null ? "" : `, and in any case at ${clockOf(visit.endsAt)}`;

const ENDINGS: Readonly<Record<string, string>> = {
  left: "its visitor gave the place up",
  late: "its visitor came back after the return window",
  missed: "its last call was missed",
  removed: "an operator took it out of the line",
  "visit-stopped": "an operator ended its visit",
  "visit-finished": "its visit was finished, by its visitor or by the site",
  "visit-inactive": "its visit ended, because nothing was heard from it",
  "visit-time-up": "its visit had lasted as long as a visit may",
  "visit-revoked": "an operator ended all visits",
  "visit-unconfirmed": "its visit was taken back, because the pass never came back",
};

const whyOver = ({ happenings, end, rememberedSince }: VisitorFound): string => {
  const last = happenings.findLast(({ what }) => Object.hasOwn(ENDINGS, what));
  const stopped = happenings.find(({ what }) => what === "visit-stopped");
  const known =
    stopped ?? last ?? (end === null ? null : { what: `visit-${end.reason}`, at: end.at });
  if (known === null)
    return `how is not remembered any more; the room remembers since ${clockOf(rememberedSince)}`;
  return `${ENDINGS[known.what] ?? "it ended"} at ${clockOf(known.at)}`;
};

const minutesOf = (seconds: number): string =>
  seconds < 90 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;

const leftUntil = (at: InstantMs | null | undefined, now: InstantMs): string => {
  const seconds = Math.max(0, Math.round(((at ?? now) - now) / SECOND_MS));
  return `within ${minutesOf(seconds)}, until ${clockOf(at)}`;
};

/** Hours, minutes and seconds of an instant, in UTC. */
const clockOf = (at: InstantMs | null | undefined): string =>
  at == null ? "an unknown time" : `${rfc3339(at).slice(11, 19)} UTC`;
