/**
 * What an operator can do to a room, what it will do, and how firmly it is asked for first. The one
 * table of it: buttons, questions and the words afterwards all come from here.
 */
import type { ForecastChange } from "../../../src/core/forecast/course.ts";
import type { LiveMessage } from "../../../src/core/live/message.ts";
import { count, plural } from "../text/format.ts";

/** How firmly: at once; after a yes; after the room's name was typed, for what can't be undone. */
export type Firmness = "at-once" | "asks" | "typed";

export interface Act {
  readonly title: string;
  readonly says: readonly string[];
  readonly action: string;
  readonly asking: Firmness;
  /** JSON merge patch of the room; null: another call. */
  readonly patch: object | null;
  /** What it does to the course of things; null: nothing that can be foretold. */
  readonly foresees: ForecastChange | null;
  readonly done: string;
}

export interface Limits {
  readonly permits: number;
  readonly perMinute: number;
  readonly perSecond: number | null;
}

/** What is on in the room as the operator looks; null before the first message. */
export type Seen = Pick<LiveMessage, "waiting" | "called" | "visiting"> | null;

/** Raised by more than this at once, a site may not bear it. */
const STEEP = 2;

const steepness = (from: number | null, to: number | null): number => {
  if (from === null) return 1;
  return to === null ? Number.POSITIVE_INFINITY : to / from;
};

export const limitsAct = (from: Limits, to: Limits, seen: Seen): Act => {
  const out = (seen?.visiting ?? 0) + (seen?.called ?? 0);
  const says: string[] = [];
  const told = (name: string, before: number | null, after: number | null): void => {
    if (before !== after)
      says.push(
        `${name}: ${before === null ? "no limit" : count(before)} becomes ${after === null ? "no limit" : count(after)}.`,
      );
  };
  told("On the site at once", from.permits, to.permits);
  told("Entering in a minute", from.perMinute, to.perMinute);
  told("Entering in a second", from.perSecond, to.perSecond);
  if (to.permits < from.permits && out > to.permits)
    says.push(
      `Nobody is sent away: ${plural(out, "permit")} ${out === 1 ? "is" : "are"} out, and nobody is called until fewer than ${count(to.permits)} are.`,
    );
  const steepest = Math.max(
    steepness(from.permits, to.permits),
    steepness(from.perMinute, to.perMinute),
    steepness(from.perSecond, to.perSecond),
  );
  if (steepest > STEEP)
    says.push("That is more than twice as much at once. Is the site ready for it?");
  return {
    title: "Change the limits?",
    says,
    action: "Change the limits",
    asking: "asks",
    patch: {
      total_active_users: to.permits,
      new_users_per_minute: to.perMinute,
      seiriken: { starts_per_second: to.perSecond },
    },
    foresees: {
      permitsMax: to.permits,
      startsPerMinuteMax: to.perMinute,
      startsPerSecondMax: to.perSecond,
    },
    done: "The limits are changed.",
  };
};

const inLine = (seen: Seen): string =>
  seen === null
    ? "Those who wait keep their places."
    : `${plural(seen.waiting, "person", "people")} in line keep their places.`;

export const pauseAct = (seen: Seen): Act => ({
  title: "Pause the room?",
  says: [
    "Nobody goes in until you resume. Who is on the site stays there.",
    `${inLine(seen)} New visitors still take numbers.`,
  ],
  action: "Pause",
  asking: "asks",
  patch: { queue_all: true },
  foresees: { paused: true },
  done: "The room is paused.",
});

export const resumeAct = (seen: Seen): Act => ({
  title: "Resume the room?",
  says: [`The line moves on within a second, as fast as the limits allow. ${inLine(seen)}`],
  action: "Resume",
  asking: "asks",
  patch: { queue_all: false },
  foresees: { paused: false },
  done: "The room goes on.",
});

export const closeAct = (words: string, seen: Seen): Act => ({
  title: "Close the room?",
  says: [
    "Nobody gets a number any more, nobody is called, and everybody who waits reads your words.",
    `${inLine(seen)} Who is on the site stays there. You can open it again.`,
  ],
  action: "Close",
  asking: "asks",
  patch: { seiriken: { closed: words } },
  foresees: { closed: true },
  done: "The room is closed.",
});

export const reopenAct = (seen: Seen): Act => ({
  title: "Open the room again?",
  says: [`It gives numbers and calls again. ${inLine(seen)}`],
  action: "Open again",
  asking: "asks",
  patch: { seiriken: { closed: null } },
  foresees: { closed: false },
  done: "The room is open again.",
});

export const suspendAct = (seen: Seen): Act => ({
  title: "Suspend the room?",
  says: [
    "Everybody is let through at once and nothing limits them: those in line, and all who come.",
    seen === null
      ? "Who has got in that way can't be called back."
      : `${plural(seen.waiting, "person", "people")} in line may reach the site within seconds, and can't be called back.`,
  ],
  action: "Suspend",
  asking: "typed",
  patch: { suspended: true },
  foresees: null,
  done: "The room lets everybody through.",
});

export const guardAct = (): Act => ({
  title: "Limit the room again?",
  says: ["From now on the limits hold again. Who is on the site without a pass meets the line."],
  action: "Limit again",
  asking: "asks",
  patch: { suspended: false },
  foresees: { suspended: false },
  done: "The room is limited again.",
});

export const messageAct = (words: string | null): Act => ({
  title: words === null ? "Take the message away?" : "Show this message?",
  says:
    words === null
      ? ["The page shows no message any more."]
      : [`Everybody who waits reads it within seconds: “${words}”`],
  action: words === null ? "Take it away" : "Show it",
  asking: "at-once",
  patch: { seiriken: { message: words } },
  foresees: null,
  done: words === null ? "The message is gone." : "Those who wait can read it.",
});

export const revokeOneAct = (visit: number): Act => ({
  title: `End visit ${count(visit)}?`,
  says: [
    "Its visitor is off the site with the next request, and what was in the basket may be lost.",
    "The permit goes to the next in line. It can't be given back.",
  ],
  action: "End the visit",
  asking: "asks",
  patch: null,
  foresees: null,
  done: `Visit ${count(visit)} is ended.`,
});

export const revokeAllAct = (seen: Seen): Act => ({
  title: "End every visit?",
  says: [
    seen === null
      ? "Everybody on the site is sent back to the line, with what they were doing."
      : `${plural(seen.visiting, "visitor")} on the site ${seen.visiting === 1 ? "is" : "are"} sent back to the line, whatever they were doing.`,
    "Numbers of those who wait stay as they are. It can't be undone.",
  ],
  action: "End every visit",
  asking: "typed",
  patch: null,
  foresees: null,
  done: "Every visit is ended.",
});

/** The whole number that an input says; null where it says none within the bounds. */
export const wholeOf = (text: string, least: number, most: number): number | null => {
  const value = /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
};
