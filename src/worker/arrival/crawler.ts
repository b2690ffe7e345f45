import type { Arrival } from "./arrival.ts";

/** Cloudflare's name for it (https://developers.cloudflare.com/bots/concepts/bot/verified-bots/categories/). */
const SEARCH_ENGINE = "Search Engine Crawler";

/** What the edge found out of who asks. On one's own machine there is no edge, and nobody to believe. */
const categoryOf = ({ env, request }: Arrival): unknown => {
  const { cf } = request as { readonly cf?: unknown };
  if (env.LOCAL === "1" || typeof cf !== "object" || cf === null) return undefined;
  return (cf as Readonly<Record<string, unknown>>)["verifiedBotCategory"];
};

/** Is it a search engine's crawler, and not one that only says so? */
export const isSearchCrawler = (arrival: Arrival): boolean => categoryOf(arrival) === SEARCH_ENGINE;

/** Does the edge say of requests whether they are a verified bot's? Of others it says an empty text. */
export const knowsCrawlers = (arrival: Arrival): boolean => typeof categoryOf(arrival) === "string";
