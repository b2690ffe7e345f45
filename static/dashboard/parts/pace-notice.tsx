import type { LoweredResource } from "../../../src/core/pace/resource.ts";
import { Notice } from "./notice.tsx";

type LimitsShown = LoweredResource["in_effect"];

const inWords = ({ permits, starts_per_second, new_users_per_minute }: LimitsShown): string => {
  const perSecond = starts_per_second === null ? "" : `${starts_per_second} a second, `;
  return `${permits} at once, ${perSecond}${new_users_per_minute} a minute`;
};

/** Why less is let in than the operator has set. */
export const PaceNotice = ({ pace }: { readonly pace: LoweredResource | null }) =>
  pace === null ? null : (
    <Notice kind="warns">
      {pace.closed_by === null
        ? `Lowered to ${inWords(pace.in_effect)}; set are ${inWords(pace.operator)}.`
        : "Closed by a signal: nothing is left."}{" "}
      {pace.because.join("; ")}
    </Notice>
  );
