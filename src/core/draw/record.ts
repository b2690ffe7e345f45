import { bytesOfHex, hex } from "../hex.ts";
import { invariant } from "../invariant.ts";
import type { InstantMs } from "../time.ts";
import type { DrandChain, DrandRound } from "./drand-chain.ts";
import type { DrawnNumbers } from "./drawn-order.ts";
import { bytesOfSignature, bytesOfText, seedOf } from "./seed.ts";

/** What is to come from outside, named beforehand. */
export type PromisedValue =
  | { readonly from: "drand"; readonly chain: DrandChain; readonly round: number }
  | { readonly from: "witnesses" };

/** What came from outside; `none`: nothing could be had, and why. */
export type PublicValue =
  | ({ readonly from: "drand" } & DrandRound)
  | { readonly from: "witnesses"; readonly text: string }
  | { readonly from: "none"; readonly reason: string };

/** Published when the event is made. */
export interface Announcement {
  readonly at: InstantMs;
  /** When joining for the draw ends. */
  readonly startsAt: InstantMs;
  readonly commitment: string;
  readonly publicValue: PromisedValue;
}

/** Published at the start, before anybody can know the public value. */
export interface ClosedNumbers extends DrawnNumbers {
  readonly at: InstantMs;
}

/** Published with the ranks. */
export interface DrawOutcome {
  readonly at: InstantMs;
  readonly secret: string;
  readonly publicValue: PublicValue;
  readonly seed: string;
}

/** The public record of a draw. It grows from announced by closed to drawn, and nothing in it changes. */
export interface DrawRecord {
  readonly room: string;
  readonly event: string;
  readonly announced: Announcement;
  readonly closed: ClosedNumbers | null;
  readonly drawn: DrawOutcome | null;
}

/** The 32 bytes with which a public value counts in the seed. */
export const publicBytesOf = (value: PublicValue): Uint8Array => {
  switch (value.from) {
    case "drand":
      return bytesOfSignature(bytesOfHex(value.signature) ?? new Uint8Array());
    case "witnesses":
      return bytesOfText(value.text);
    case "none":
      return bytesOfText("");
    default:
      return value satisfies never;
  }
};

/** What comes of a secret (64 hex digits) and a public value. */
export const outcomeOf = (
  closed: ClosedNumbers,
  secret: string,
  publicValue: PublicValue,
  now: InstantMs,
): DrawOutcome => {
  const bytes = bytesOfHex(secret);
  invariant(bytes !== null, "a secret is given in hex");
  invariant(now >= closed.at, "a draw follows the end of joining");
  return { at: now, secret, publicValue, seed: hex(seedOf(bytes, publicBytesOf(publicValue))) };
};
