/** The commands that a shard makes of what it is asked. */
import type { AnswerRecord } from "../../core/locks/answers.ts";
import type { Acquire, Begin, Finish, LocksCommand } from "../../core/locks/commands.ts";
import { LastMade } from "../../core/last-made.ts";
import type { LockName } from "../../core/locks/name.ts";
import type { AcquireAsk, BeginAsk, FinishAsk, HolderAsk, LockAsk } from "./contract.ts";

export const acquireCommand = ({ name, owner, leaseMs, waitMs }: AcquireAsk): Acquire => ({
  type: "acquire",
  name,
  owner,
  mode: { by: "lease", leaseMs, waitMs },
});

export const beginCommand = (
  asked: Omit<BeginAsk, "waitMs">,
  record: AnswerRecord | null,
): Begin => ({ ...asked, type: "begin", record });

export const finishCommand = (asked: FinishAsk, record: AnswerRecord | null): Finish => ({
  ...asked,
  type: "finish",
  record,
});

const lastAcquire = new LastMade<AcquireAsk>();
const lastRelease = new LastMade<HolderAsk>();

type RecordOf = (name: LockName) => AnswerRecord | null;

/** `recordOf` reads what is on record under a name. */
export const commandFor = (ask: LockAsk, recordOf: RecordOf): LocksCommand => {
  switch (ask.op) {
    case "acquire":
      return acquireCommand(lastAcquire.keep(ask));
    case "renew":
      return { type: "renew", name: ask.name, owner: ask.owner, leaseMs: ask.leaseMs };
    case "release": {
      const { name, owner } = lastRelease.keep(ask);
      return { type: "release", name, owner };
    }
    case "begin":
      return beginCommand(ask, recordOf(ask.name));
    case "finish":
      return finishCommand(ask, recordOf(ask.name));
    default:
      return ask satisfies never;
  }
};
