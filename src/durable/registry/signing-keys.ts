/** The keys that sign tokens: which signs, and since when another does not any more. */
import type { Author } from "../../core/audit/entry.ts";
import { KEY_KEPT_MS } from "../../core/token-lives.ts";
import { after, type InstantMs } from "../../core/time.ts";
import type { KeysReply } from "../contract.ts";
import { keyAct } from "./acts.ts";
import type { Books } from "./books.ts";
import { newSigningKey } from "./signing-key.ts";

/** Every key goes to every isolate. A new one each day for as long as old ones are kept fits in. */
export const KEYS_MAX = 40;
/**
 * A new key only verifies for so long, until every isolate has fetched it (they keep what they know
 * for 5 s). A key that signed at once would make tickets that other isolates cannot read yet.
 */
const KEY_SIGNS_AFTER_MS = 10_000;

export class SigningKeys {
  readonly #books: Books;

  constructor(books: Books) {
    this.#books = books;
  }

  /** Makes the first key, puts a newer one in front when its time has come, and forgets what is over. */
  mind(now: InstantMs): void {
    const { store } = this.#books;
    const isFirst = store.newestKey() === null;
    const isDue = store.keyToSign(now) !== null || store.hasKeysRetiredBy(keptSince(now));
    if (!isFirst && !isDue) return;
    this.#books.publish(() => {
      if (isFirst) store.putKey(newSigningKey(), now);
      const kid = store.keyToSign(now);
      if (kid !== null) store.letSign(kid, now);
      store.forgetKeysRetiredBy(keptSince(now));
    });
  }

  rotate(now: InstantMs, by?: Author): KeysReply {
    this.mind(now);
    const { store } = this.#books;
    const { keys } = this.#books.known();
    if (keys.length >= KEYS_MAX)
      return { ok: false, problem: "too-many-keys", oldest: store.oldestKey() };
    const key = newSigningKey();
    this.#books.publish(() => {
      store.putKey(key, after(now, KEY_SIGNS_AFTER_MS));
      this.#books.enter(by, now, () => keyAct("key-rotated", key.kid));
    });
    return { ok: true, kids: [key.kid, ...keys.map(({ kid }) => kid)] };
  }

  /** The next key signs at once: nobody would take tokens that the revoked one went on signing. */
  revoke(kid: string, now: InstantMs, by?: Author): KeysReply {
    this.mind(now);
    const { store } = this.#books;
    const { keys } = this.#books.known();
    if (!keys.some((key) => key.kid === kid)) return { ok: false, problem: "no-such-key" };
    this.#books.publish(() => {
      this.#books.enter(by, now, () => keyAct("key-revoked", kid));
      const next = store.newestUnused(kid);
      store.deleteKey(kid);
      if (keys[0]?.kid !== kid) return;
      const fresh = newSigningKey();
      if (next === null) store.putKey(fresh, now);
      store.letSign(next ?? fresh.kid, now);
    });
    return { ok: true, kids: this.#books.known().keys.map((key) => key.kid) };
  }
}

/** Of a key that ceased to sign before this, every token is over. */
const keptSince = (now: InstantMs): InstantMs => after(now, -KEY_KEPT_MS);
