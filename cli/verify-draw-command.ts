import { parseTicketNumber, type TicketNumber } from "../src/core/ids.ts";
import { usageFailure } from "./launch/failure.ts";
import { parseOrFail } from "./flags.ts";

export const VERIFY_DRAW_HELP = `npm run verify-draw -- URL|FILE [NUMBER] [flags]

Checks the record of a draw, and trusts nobody for it: that the secret is the one whose hash was
announced, that the public value is the one that was named beforehand (for a drand round, that drand
signed it), and that the seed is made of both. With a NUMBER it works out that ticket's rank.

  URL            .../.seiriken/rooms/ROOM/draws/EVENT, as the page links it
  FILE           the same, saved (- is standard input)
  --before FILE  the record as you saved it before the draw: nothing of it may have changed since
  --chain FILE   what GET /info of a drand chain answered somebody you trust; needed for chains other
                 than the League of Entropy's quicknet and default
  --help         this text

Exit codes: 0 the draw holds, 1 it does not or can't be read, 2 the command was called wrongly.`;

export type VerifyDrawRequest =
  | { readonly kind: "help" }
  | {
      readonly kind: "verify";
      readonly source: string;
      readonly number: TicketNumber | null;
      readonly before: string | null;
      readonly chain: string | null;
    };

export const parseVerifyDrawCommand = (argv: readonly string[]): VerifyDrawRequest => {
  const { values, positionals } = parseOrFail(argv, {
    before: { type: "string" },
    chain: { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  if (values.help === true) return { kind: "help" };
  const [source, digits, ...more] = positionals;
  if (source === undefined || more.length > 0)
    throw usageFailure("say whose draw: URL|FILE [NUMBER]", ["--help says what is checked"]);
  return {
    kind: "verify",
    source,
    number: digits === undefined ? null : numberOf(digits),
    before: values.before ?? null,
    chain: values.chain ?? null,
  };
};

/** As people copy it off their ticket. */
const numberOf = (digits: string): TicketNumber => {
  const bare = digits.replace(/^#/, "").replace(/[,.\u00a0\u202f' ]/g, "");
  const number = /^\d+$/.test(bare) ? parseTicketNumber(Number(bare)) : null;
  if (number === null) throw usageFailure("NUMBER is a ticket's number: whole, from 1 to 2^48");
  return number;
};
