/**
 * Asks one server under any host that the URL names: the launcher binds one for each origin that it
 * knows.
 */
export interface HostKeeper {
  fetch(to: string | Request, init?: RequestInit): Promise<Response>;
}

/** The binding's name. `origin` is a URL's: scheme, host and port. */
export const hostKeeperName = (origin: string): string => `KEEP_HOST ${origin}`;
