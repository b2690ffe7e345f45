import type { Env } from "../env.ts";

/**
 * off: the deployment has no ADMIN_TOKEN, so there is nothing to sign in to
 * refused: no bearer token, or a wrong one
 */
export type Admission = "admin" | "refused" | "off";

/** Compares digests, so that neither the time nor the length of a guess tells anything. */
export const admissionOf = async (request: Request, env: Env): Promise<Admission> => {
  if (!env.ADMIN_TOKEN) return "off";
  const given = /^Bearer +([^\s]+) *$/i.exec(request.headers.get("Authorization") ?? "")?.[1];
  if (given === undefined) return "refused";
  const [ours, theirs] = await Promise.all([digestOf(env.ADMIN_TOKEN), digestOf(given)]);
  return crypto.subtle.timingSafeEqual(ours, theirs) ? "admin" : "refused";
};

export const MANAGEMENT_OFF =
  "Management is off. Set the secret ADMIN_TOKEN (wrangler secret put ADMIN_TOKEN, or " +
  "npm start -- --admin-token …) to turn it on.";
export const NOT_SIGNED_IN =
  "The token is missing or wrong. Send the deployment's ADMIN_TOKEN as Authorization: Bearer ….";

const digestOf = (text: string): Promise<ArrayBuffer> =>
  crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
