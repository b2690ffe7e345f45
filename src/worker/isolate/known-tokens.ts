/** The tokens of operators as an isolate knows them, and how one is recognised. */
import type { Operator } from "../../core/access/scopes.ts";
import { hasExpired, holderOf, type OperatorToken } from "../../core/access/token.ts";
import { bytesOfHex } from "../../core/hex.ts";
import type { InstantMs } from "../../core/time.ts";

interface KnownToken {
  readonly token: OperatorToken;
  readonly hash: Uint8Array;
}

const utf8 = new TextEncoder();

/** What the Registry keeps of a token instead of it. */
export const hashOfToken = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", utf8.encode(text)));

export class KnownTokens {
  readonly #tokens: readonly KnownToken[];

  constructor(tokens: readonly OperatorToken[]) {
    this.#tokens = tokens.flatMap((token) => {
      const hash = bytesOfHex(token.hash);
      return hash === null ? [] : { token, hash };
    });
  }

  /** Whose it is. Compares with every one of them, so that the time tells nothing. */
  holderOf(hash: Uint8Array, now: InstantMs): Operator | null {
    let found: OperatorToken | null = null;
    for (const known of this.#tokens)
      if (crypto.subtle.timingSafeEqual(known.hash, hash)) found = known.token;
    return found === null || hasExpired(found, now) ? null : holderOf(found);
  }
}
