/** Requests for expressions, as plain data. */
import { parseAddress } from "../../../src/core/address/ip-address.ts";
import type { RuleRequest, TextMap } from "../../../src/core/rules/fields.ts";

export interface Told {
  readonly method?: string;
  /** Whole; `https://shop.example/` unless told otherwise. */
  readonly url?: string;
  readonly address?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly edge?: Readonly<Record<string, unknown>>;
}

export const requestOf = ({
  method = "GET",
  url,
  address,
  headers,
  edge,
}: Told = {}): RuleRequest => {
  const at = new URL(url ?? "https://shop.example/");
  const given = new Headers(headers);
  return {
    host: at.hostname,
    path: at.pathname,
    query: at.search.slice(1),
    method,
    isHttps: at.protocol === "https:",
    address: address === null ? null : parseAddress(address ?? "198.51.100.7"),
    header: (name) => given.get(name),
    headers: listed(given),
    cookies: listed(
      (given.get("cookie") ?? "").split("; ").map((pair) => pair.split("=", 2) as [string, string]),
    ),
    parameters: listed(at.searchParams),
    edge: edge ?? {},
  };
};

const listed = (pairs: Iterable<[string, string]>): TextMap => {
  const map = new Map<string, string[]>();
  for (const [name, value] of pairs)
    if (name !== "") map.set(name, [...(map.get(name) ?? []), value]);
  return map;
};
