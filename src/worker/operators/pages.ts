/** Lists in pages, as Cloudflare's API has them. */
import type { Context } from "hono";
import { refusedFields, type PageInfo } from "../../api/envelope.ts";
import type { AppContext } from "../isolate/app-context.ts";

const PER_PAGE_DEFAULT = 25;
const PER_PAGE_MAX = 1_000;

/** The entries of the page that was asked for, and how many there are. */
export const pageOf = <T>(
  c: Context<AppContext>,
  all: readonly T[],
): { readonly entries: readonly T[]; readonly info: PageInfo } => {
  const page = wholeQuery(c, "page", 1, Number.MAX_SAFE_INTEGER);
  const perPage = wholeQuery(c, "per_page", PER_PAGE_DEFAULT, PER_PAGE_MAX);
  const entries = all.slice((page - 1) * perPage, page * perPage);
  return {
    entries,
    info: {
      page,
      per_page: perPage,
      count: entries.length,
      total_count: all.length,
      total_pages: Math.ceil(all.length / perPage),
    },
  };
};

const wholeQuery = (
  c: Context<AppContext>,
  name: string,
  fallback: number,
  most: number,
): number => {
  const given = c.req.query(name);
  const value = given === undefined ? fallback : Number(given);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw refusedFields([{ keys: [name], message: `must be a whole number from 1 to ${most}` }]);
};
