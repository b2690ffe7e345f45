import type { EndReason } from "../../core/room/visit-ends.ts";
import type { LostVisit } from "../../page/state.ts";
import type { Catalog, Words } from "../../page/words.ts";

/** How a visit ended, as the page's maker knows it. */
export interface VisitLoss {
  readonly reason: EndReason | "unknown";
  /** The time that ran out, where it is sure. */
  readonly afterSeconds: number | null;
  /** How long ago it ended; where the reason is unknown, how long ago it was last renewed. */
  readonly agoMs: number;
}

const KEY = {
  inactive: "inactive",
  "time-up": "timeUp",
  finished: "finished",
  revoked: "revoked",
  unconfirmed: "unconfirmed",
  unknown: "unknown",
} as const satisfies Record<VisitLoss["reason"], keyof Catalog["lost"]>;

const messageOf = ({ lost }: Catalog, { reason, afterSeconds }: VisitLoss) =>
  reason === "inactive" && afterSeconds === null ? lost.inactiveSometime : lost[KEY[reason]];

/**
 * The sentence in both its forms: with how long ago it was, which is true in any time zone, and with a
 * hole for the time of day, which only the visitor's own browser can fill.
 */
export const lostVisit = (catalog: Catalog, words: Words, ended: VisitLoss): LostVisit => {
  const { agoMs, afterSeconds } = ended;
  const message = messageOf(catalog, ended);
  const span = afterSeconds === null ? "" : words.span(afterSeconds);
  const ago = words.span(Math.max(1, Math.round(agoMs / 1_000)));
  const said = (when: string): string => words.fill(message, { when, span });
  return {
    ago: said(words.fill(catalog.lost.ago, { span: ago })),
    at: said(words.fill(catalog.lost.at, { time: "{time}" })),
    agoMs,
  };
};
