/** What holds for every room of a deployment. */
export interface ZoneSettings {
  /** Crawlers of search engines pass, where the edge vouches for them. */
  readonly crawlersPass: boolean;
}

export const ZONE_DEFAULTS: ZoneSettings = { crawlersPass: false };
