/** Signs and verifies tokens. What they say is claims.ts's; where the keys come from is the Registry's. */
import { base64url, compactVerify } from "jose";
import type { SigningKey } from "../../durable/contract.ts";
import { BoundedMap } from "../../core/collections/bounded-map.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";

/** No token of ours is longer; what is longer is not looked at. */
export const TOKEN_LENGTH_MAX = 1_023;
/** Verified tokens that an isolate remembers: at most about 4 MB. */
const VERIFIED_MAX = 4_096;
const SECRET_BYTES_MIN = 16;
const ALGORITHM = "HS256";

export class KeyError extends Error {
  override readonly name = "KeyError";
}

/** Signs with its first key and verifies with all of them (HS256, RFC 7515). */
export class Keyring {
  /** The key that signs, and what every token of it begins with. */
  readonly #signer: { readonly key: CryptoKey; readonly header: string };
  readonly #keys: ReadonlyMap<string, CryptoKey>;
  readonly #verified = new BoundedMap<string, Verified>(VERIFIED_MAX);

  private constructor(keys: ReadonlyMap<string, CryptoKey>) {
    const first = keys.entries().next().value;
    if (first === undefined) throw new KeyError("there is no signing key");
    const [kid, key] = first;
    this.#signer = { key, header: base64url.encode(JSON.stringify({ alg: ALGORITHM, kid })) };
    this.#keys = keys;
  }

  static async of(keys: readonly SigningKey[]): Promise<Keyring> {
    const imported = await Promise.all(
      keys.map(async ({ kid, secret }) => [kid, await importKey(secret)] as const),
    );
    return new Keyring(new Map(imported));
  }

  /** Put together here (RFC 7515, 7.1): with one key and one header, jose's way costs twice as much. */
  sign(claims: object): Promise<string> {
    const text = `${this.#signer.header}.${base64url.encode(bytesOf(JSON.stringify(claims)))}`;
    return this.mac(text).then((mac) => `${text}.${base64url.encode(mac)}`);
  }

  /** A keyed hash of a text, by the first key. */
  async mac(text: string): Promise<Uint8Array> {
    return new Uint8Array(await crypto.subtle.sign("HMAC", this.#signer.key, bytesOf(text)));
  }

  /**
   * What an authentic token says, or null. `parse` must know nothing but the claims: what it made of
   * them is remembered with the token. Whether they still hold is the caller's to say.
   */
  read<T>(token: string, parse: (claims: unknown) => T | null): MaybePromise<T | null> {
    if (token.length > TOKEN_LENGTH_MAX) return null;
    const known = this.#verified.get(token);
    return known === undefined ? this.#verify(token, parse) : parsedBy(parse, known);
  }

  async #verify<T>(token: string, parse: (claims: unknown) => T | null): Promise<T | null> {
    try {
      const { payload } = await compactVerify(token, (header) => this.#keyOf(header.kid), {
        algorithms: [ALGORITHM],
      });
      const claims = JSON.parse(new TextDecoder().decode(payload)) as unknown;
      const verified: Verified = { claims, parsedBy: null, parsed: null };
      this.#verified.set(token, verified);
      return parsedBy(parse, verified);
    } catch {
      // Whatever a client made of a token, it is no token; jose throws for each way of spoiling it.
      return null;
    }
  }

  #keyOf(kid: string | undefined): CryptoKey {
    const key = kid === undefined ? undefined : this.#keys.get(kid);
    if (key === undefined) throw new KeyError("unknown key id");
    return key;
  }
}

const encoder = new TextEncoder();
const scratch = new Uint8Array(2_048);

/** A text's bytes, until the next text is asked for: new buffers are dear (docs/decisions/shared-calls.md). */
const bytesOf = (text: string): Uint8Array => {
  if (text.length * 3 > scratch.length) return encoder.encode(text);
  return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
};

/** An authentic token's claims, and what the last reader made of them. */
interface Verified {
  readonly claims: unknown;
  parsedBy: unknown;
  parsed: unknown;
}

const parsedBy = <T>(parse: (claims: unknown) => T | null, verified: Verified): T | null => {
  if (verified.parsedBy !== parse) {
    verified.parsed = parse(verified.claims);
    verified.parsedBy = parse;
  }
  return verified.parsed as T | null;
};

/** `kid:secret` pairs, comma-separated. Throws a `KeyError` that names the pair, never its secret. */
export const parseSigningKeys = (text: string): readonly SigningKey[] =>
  text
    .split(",")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "")
    .map((pair, index) => {
      const colon = pair.indexOf(":");
      const key = { kid: pair.slice(0, colon).trim(), secret: pair.slice(colon + 1).trim() };
      if (colon < 1 || secretBytes(key.secret).length < SECRET_BYTES_MIN)
        throw new KeyError(`SIGNING_KEYS, pair ${index + 1}: want kid:secret, at least 16 bytes`);
      return key;
    });

/** A secret of 32 bytes or more in base64url is those bytes; any other text is its UTF-8. */
const secretBytes = (secret: string): Uint8Array => {
  try {
    const bytes = base64url.decode(secret);
    if (bytes.length >= 32) return bytes;
  } catch {
    // Not base64url: taken as text.
  }
  return new TextEncoder().encode(secret);
};

const importKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", secretBytes(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);
