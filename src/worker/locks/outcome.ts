import type { AnswerContent, RunOutcome } from "../../durable/locks/contract.ts";
import type { WholeAnswer } from "./relay.ts";

/** "Not done; try again": such an answer is no outcome to keep (RFC 9110 15.6.4, RFC 6585 4). */
const TRY_AGAIN: readonly number[] = [429, 503];

/** What an answer says of its run; `end` null: it broke off. */
export const outcomeOf = (
  kept: Pick<AnswerContent, "status" | "headers">,
  end: WholeAnswer | null,
): RunOutcome => {
  const { status } = kept;
  if (TRY_AGAIN.includes(status)) return { kind: "forget" };
  if (end === null) return { kind: "unknown" };
  if (end.body === null) return { kind: "too-large", status };
  return { kind: "keep", content: { ...kept, body: end.body } };
};

/** All headers but cookies, which are for the first client alone. */
export const headersToKeep = (headers: Headers): AnswerContent["headers"] =>
  [...headers].filter(([name]) => !/^set-cookie2?$/.test(name));
