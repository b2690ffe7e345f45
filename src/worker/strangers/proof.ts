/** What a stranger brings in `Seiriken-Proof`, and what it is worth. */
import type { RoomDefinition } from "../../core/definition.ts";
import { hex } from "../../core/hex.ts";
import { bitsAt } from "../../core/strangers/network-load.ts";
import type { ProofOfWork } from "../../core/strangers/network-load.ts";
import { isSolvedBy, looksSolved } from "../../core/strangers/puzzle.ts";
import { after, isOver, MINUTE_MS, rfc3339 } from "../../core/time.ts";
import type { InstantMs } from "../../core/time.ts";
import type { Arrival } from "../arrival/arrival.ts";
import type { Isolate } from "../isolate/isolate.ts";
import { readPuzzle, signPuzzle } from "../tokens/claims.ts";
import type { PuzzleClaims } from "../tokens/claims.ts";
import type { Keyring } from "../tokens/keyring.ts";
import type { Identity } from "../tokens/presented.ts";
import { TOKEN_MAX } from "./turnstile.ts";

export const PROOF_HEADER = "Seiriken-Proof";
/** Ten minutes: the hardest puzzle takes an old phone less. */
const PUZZLE_LIFE_MS = 10 * MINUTE_MS;
const SEED_BYTES = 16;
const PROOF_MAX = TOKEN_MAX + 16;

export type Proof =
  | { readonly kind: "turnstile"; readonly token: string }
  | { readonly kind: "work"; readonly token: string; readonly solution: string };

/** `turnstile TOKEN`, or `work TOKEN SOLUTION`. Anything else is as if it were not there. */
export const readProof = ({ headers }: Request): Proof | null => {
  const text = headers.get(PROOF_HEADER);
  if (text === null || text.length > PROOF_MAX) return null;
  const [kind, token = "", solution, ...more] = text.split(" ");
  if (more.length > 0) return null;
  if (kind === "turnstile" && solution === undefined) return { kind, token };
  return kind === "work" && solution !== undefined ? { kind, token, solution } : null;
};

/** A puzzle as it is told: with it, anybody can solve it, and nobody can change it. */
export interface PuzzleResource {
  readonly token: string;
  readonly seed: string;
  readonly bits: number;
  readonly until: string;
}

interface Asking {
  readonly isolate: Isolate;
  readonly arrival: Arrival;
  readonly room: RoomDefinition;
  readonly keys: Keyring;
  readonly now: InstantMs;
}

/** A new puzzle for this visitor, as hard as its network has been busy. */
export const newPuzzle = async (
  { isolate, arrival, room, keys, now }: Asking,
  work: ProofOfWork,
  who: Identity,
): Promise<PuzzleResource> => {
  const load = isolate.networkLoads.add(room, arrival.clientOf(room).address);
  const bits = bitsAt(load, work);
  const until = after(now, PUZZLE_LIFE_MS);
  const token = await signPuzzle(keys, room, { ...who, bits, until });
  return { token, seed: await seedOf(token), bits, until: rfc3339(until) };
};

/** The claims of a puzzle that is solved, in time, and as hard as the room wants at least; else null. */
export const solvedPuzzle = async (
  { room, keys, now }: Pick<Asking, "room" | "keys" | "now">,
  work: ProofOfWork,
  { token, solution }: Extract<Proof, { kind: "work" }>,
): Promise<PuzzleClaims | null> => {
  if (!looksSolved(solution)) return null;
  const claims = await readPuzzle(keys, room, token);
  if (claims === null || isOver(claims.until, now) || claims.bits < work.bits) return null;
  if (claims.until > after(now, 2 * PUZZLE_LIFE_MS)) return null;
  return isSolvedBy({ seed: await seedOf(token), bits: claims.bits }, solution) ? claims : null;
};

/** From the whole token, so that a puzzle for anybody else is another one. */
const seedOf = async (token: string): Promise<string> => {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return hex(new Uint8Array(hash).slice(0, SEED_BYTES));
};
