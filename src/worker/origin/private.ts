/** They speak to shared caches only. */
const SHARED_CACHE_HEADERS = [
  "CDN-Cache-Control",
  "Cloudflare-CDN-Cache-Control",
  "Surrogate-Control",
  "Cache-Tag",
  "Surrogate-Key",
];
const SHARED_DIRECTIVES =
  /^(?:public|private|s-maxage|proxy-revalidate|stale-while-revalidate)(?:\s*=|$)/i;

/** An answer with a visitor's token is for that visitor alone: no shared cache may keep it. */
export const keepPrivate = (headers: Headers): void => {
  const kept = (headers.get("Cache-Control") ?? "")
    .split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .map((directive) => directive.trim())
    .filter((directive) => directive !== "" && !SHARED_DIRECTIVES.test(directive));
  headers.set("Cache-Control", ["private", ...kept].join(", "));
  for (const name of SHARED_CACHE_HEADERS) headers.delete(name);
};
