import type { FieldProblem } from "./field-problem.ts";

/**
 * How a room or a lock rule is to change. `json` is the client's, of bounded depth, and otherwise
 * unchecked: only laid over what stands can it be judged.
 */
export interface SettingsChange {
  /** put: every setting anew. patch: a JSON merge patch (RFC 7396). */
  readonly by: "put" | "patch";
  readonly json: unknown;
}

export type Changed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** What a change makes of what stands. Pure, so that the owner of the truth runs it in one step. */
export type ChangeOf<T> = (before: T, change: SettingsChange) => Changed<T>;
