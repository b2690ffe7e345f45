/** Where a request brings the token of an operator. */
const BEARER = /^Bearer +([^\s]+) *$/i;

/** Cloudflare's older way. The `X-Auth-Email` that its clients send beside it names nobody here. */
const KEY_HEADER = "X-Auth-Key";

/** A browser's socket takes no headers of its own, but names of protocols: one of them has the token. */
const PROTOCOL = /(?:^|,)\s*seiriken\.bearer\.([\w-]{1,2048})\s*(?:,|$)/;

export const bearerOf = (headers: { get(name: string): string | null }): string | undefined =>
  BEARER.exec(headers.get("authorization") ?? "")?.[1];

/** Where there is an `Authorization`, it alone counts; then the key; a socket's protocol comes last. */
export const givenToken = (headers: Headers): string | undefined => {
  if (headers.has("Authorization")) return bearerOf(headers);
  return keyOf(headers) ?? protocolOf(headers);
};

/** An empty key is none: it guesses nothing. */
const keyOf = (headers: Headers): string | undefined =>
  headers.get(KEY_HEADER)?.trim() || undefined;

const protocolOf = (headers: Headers): string | undefined => {
  if (headers.get("Upgrade")?.toLowerCase() !== "websocket") return undefined;
  const [, spelled] = PROTOCOL.exec(headers.get("Sec-WebSocket-Protocol") ?? "") ?? [];
  return spelled === undefined ? undefined : textOf(spelled);
};

/** What is no base64url is a token that nobody has. */
const textOf = (spelled: string): string => {
  try {
    const bytes = atob(spelled.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    return spelled;
  }
};
