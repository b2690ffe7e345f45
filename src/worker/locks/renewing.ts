import type { Ports } from "../platform/ports.ts";

const RENEWALS_A_LEASE = 3;

/** Renews a lease thrice in its life, until stopped. */
export const renewAgainAndAgain = (
  ports: Ports,
  leaseMs: number,
  renew: () => void,
): { readonly stop: () => void } => {
  let stop = (): void => undefined;
  const again = (): void => {
    stop = ports.timer(leaseMs / RENEWALS_A_LEASE, () => {
      renew();
      again();
    });
  };
  again();
  return { stop: () => stop() };
};
