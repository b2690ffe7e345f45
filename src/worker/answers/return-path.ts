/** A path of the same host; one that would name another host is spelled out. */
export const returnPath = (url: URL): string =>
  url.pathname.startsWith("//") ? url.href : `${url.pathname}${url.search}`;
