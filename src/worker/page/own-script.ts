/** What `{{{seirikenScript}}}` becomes: the state as JSON, and the script that goes on from there. */
// oxlint-disable-next-line typescript/triple-slash-reference -- mustache brings no types: programs that include this file have to find ours
/// <reference path="./mustache.d.ts" />
import Mustache from "mustache";
import { ownScript as script, ownTemplate as template, ownWatchdog } from "./assets.gen.ts";
import { firstState, inlineJson, ownProof, safeTarget } from "./index.ts";
import type { QueuePageInput } from "./index.ts";

/** @param isPreview it shows the state that it is given, and asks nobody */
export const ownScript = (input: QueuePageInput, isPreview = false): string => {
  const to = safeTarget(input.to);
  const boot = {
    roomId: input.room.id,
    api: input.apiBase,
    to,
    spans: {
      returnWindow: input.returnWindowSeconds,
      claimWithin: input.claimWithinSeconds,
    },
    state: firstState(input),
    ...(isPreview ? { isPreview } : ownProof(input)),
  };
  return Mustache.render(template, {
    refresh: isPreview ? null : input.refreshSeconds,
    to,
    proof: isPreview ? null : input.proof,
    boot: inlineJson(boot),
    ownWatchdog: isPreview ? null : ownWatchdog,
    ownScript: script,
  });
};
