/**
 * Signing in through Cloudflare Access: it stands before us, and vouches for a person by a token of its
 * own (JWT, RS256) in a header. docs/decisions/tokens.md says what it is trusted with.
 */
import { decodeProtectedHeader, jwtVerify, type JWTPayload } from "jose";
import { SCOPES, type Operator, type Scope } from "../../core/access/scopes.ts";
import { hex } from "../../core/hex.ts";
import { plainText } from "../../core/plain-text.ts";
import { instant } from "../../core/time.ts";
import { isUpgrade, isSafe } from "../arrival/caller.ts";
import { isOwnOrigin } from "../arrival/own-hosts.ts";
import type { Arrival } from "../arrival/arrival.ts";
import type { Isolate } from "../isolate/isolate.ts";
import type { Env } from "../platform/env.ts";

export const ACCESS_HEADER = "Cf-Access-Jwt-Assertion";
const ASSERTION_LENGTH_MAX = 8_192;
const NAME_LENGTH_MAX = 128;
const CLOCK_MAY_DIFFER_SECONDS = 5;

interface AccessSettings {
  readonly issuer: string;
  readonly keysUrl: string;
  readonly audiences: string[];
  readonly scope: Scope;
}

/** Null: Access is not used here; or what is set can't be read, and then it opens nothing. */
export const accessSettings = (env: Env): AccessSettings | null => {
  const team = env.ACCESS_TEAM_URL?.trim().replace(/\/$/, "") ?? "";
  const audiences = (env.ACCESS_AUDIENCE ?? "").split(",").flatMap((text) => text.trim() || []);
  const scope = (env.ACCESS_SCOPE || "read") as Scope;
  const keysUrl = env.ACCESS_CERTS_URL || `${team}/cdn-cgi/access/certs`;
  const isReadable = URL.canParse(team) && URL.canParse(keysUrl) && SCOPES.includes(scope);
  return isReadable && audiences.length > 0 ? { issuer: team, keysUrl, audiences, scope } : null;
};

/**
 * Who Access says that it is. null: nobody that it vouches for. foreign: a page of another site may have
 * sent this in the person's name, as the browser signs in by itself.
 */
export const personOf = async (
  isolate: Isolate,
  arrival: Arrival,
  assertion: string,
): Promise<Operator | "foreign" | null> => {
  const settings = accessSettings(arrival.env);
  if (settings === null || assertion.length > ASSERTION_LENGTH_MAX) return null;
  const claims = await verified(isolate, arrival, settings, assertion);
  if (claims === null) return null;
  const { email, common_name: service, exp, sub } = claims;
  const isPerson = typeof email === "string" && email !== "";
  if (!isPerson && (typeof service !== "string" || service === "")) return null;
  if (isPerson && !isOfOurPage(arrival)) return "foreign";
  const name = isPerson ? email : `service:${String(service)}`;
  return {
    id: await idOf(`${settings.issuer}\n${sub || name}`),
    name: plainText(name, NAME_LENGTH_MAX),
    scope: settings.scope,
    rooms: null,
    expiresAt: instant((exp ?? 0) * 1_000),
  };
};

const verified = async (
  isolate: Isolate,
  arrival: Arrival,
  { issuer, keysUrl, audiences: audience }: AccessSettings,
  assertion: string,
): Promise<JWTPayload | null> => {
  try {
    const { kid } = decodeProtectedHeader(assertion);
    const key = await isolate.accessKeys.find(arrival, keysUrl, kid ?? "");
    if (key === null) return null;
    const { payload } = await jwtVerify(assertion, key, {
      ...{ issuer, audience, algorithms: ["RS256"], requiredClaims: ["exp"] },
      clockTolerance: CLOCK_MAY_DIFFER_SECONDS,
      currentDate: new Date(isolate.ports.now()),
    });
    return payload;
  } catch {
    // Whatever was made of it, it vouches for nobody.
    return null;
  }
};

/** What only looks can be sent by anybody, as nobody else can read the answer; sockets can be read. */
const isOfOurPage = (arrival: Arrival): boolean => {
  const { method, headers } = arrival.request;
  if (isSafe(method) && !isUpgrade(arrival.request)) return true;
  const site = headers.get("Sec-Fetch-Site");
  if (site !== null) return site === "same-origin";
  const origin = headers.get("Origin");
  return origin !== null && isOwnOrigin(arrival, origin);
};

const utf8 = new TextEncoder();

const idOf = async (text: string): Promise<string> =>
  hex(new Uint8Array(await crypto.subtle.digest("SHA-256", utf8.encode(text))).slice(0, 16));
