/** Makes and revokes the tokens of operators. */
import type { OperatorToken } from "../../core/access/token.ts";
import type { Author } from "../../core/audit/entry.ts";
import type { InstantMs } from "../../core/time.ts";
import type { TokenReply } from "../contract.ts";
import { tokenAct } from "./acts.ts";
import type { Books } from "./books.ts";

export class OperatorTokens {
  readonly #books: Books;

  constructor(books: Books) {
    this.#books = books;
  }

  /** An isolate may not know yet that the maker's own token was revoked; here it is known. */
  make(given: OperatorToken, by: Author, now: InstantMs): TokenReply {
    const { tokens } = this.#books;
    const isRevoked = by.isToken === true && tokens.find(by.id) === null;
    if (isRevoked) return { ok: false, problem: "revoked" };
    const token = { ...given, madeAt: now, madeBy: by.name };
    const problem = tokens.problemWith(token.name, now);
    if (problem !== null) return { ok: false, problem };
    this.#books.publish(() => {
      tokens.dropExpired(now);
      tokens.put(token);
      this.#books.enter(by, now, () => tokenAct("token-created", token));
    });
    return { ok: true, token };
  }

  /** False: there is none. */
  revoke(id: string, by: Author, now: InstantMs): boolean {
    const token = this.#books.tokens.find(id);
    if (token === null) return false;
    this.#books.publish(() => {
      this.#books.tokens.drop(id);
      this.#books.enter(by, now, () => tokenAct("token-revoked", token));
    });
    return true;
  }
}
