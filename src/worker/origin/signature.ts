import { hex } from "../../core/hex.ts";
import { SECOND_MS } from "../../core/time.ts";
import { BoundedMap } from "../../core/collections/bounded-map.ts";

/** What `Seiriken-Signature` vouches for. Absent parts are empty. */
export interface SignedRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly room: string;
  readonly visit: string;
}

/**
 * `t=<seconds>, kid=<key>, v1=<hex>`: HMAC with SHA-256 over the seconds, method, host, path, room
 * and visit, one a line. `secret` is `kid:secret`, or a bare secret with kid `1`.
 */
export const signatureOf = async (
  secret: string,
  signed: SignedRequest,
  now: number,
): Promise<string> => {
  const colon = secret.indexOf(":");
  const kid = colon > 0 ? secret.slice(0, colon) : "1";
  const key = await importedKey(colon > 0 ? secret.slice(colon + 1) : secret);
  const { method, host, path, room, visit } = signed;
  const t = String(Math.floor(now / SECOND_MS));
  const text = [t, method, host, path, room, visit].join("\n");
  const mac = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text));
  return `t=${t}, kid=${kid}, v1=${hex(new Uint8Array(mac))}`;
};

/** Deployments have one secret, and for a while after a change two. */
const imported = new BoundedMap<string, CryptoKey>(4);

const importedKey = async (secret: string): Promise<CryptoKey> => {
  const key = imported.get(secret) ?? (await importKey(secret));
  imported.set(secret, key);
  return key;
};

const importKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
