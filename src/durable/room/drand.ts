/** Fetches drand rounds for a Room, and verifies them. */
import {
  DRAND_RELAYS_MAX,
  ROUND_LENGTH_MAX,
  drandRelays,
  roundFrom,
} from "../../core/draw/drand-relays.ts";
import type { PublicValue } from "../../core/draw/record.ts";
import type { RoundWanted } from "../../core/room/draw-state.ts";
import { logFailure } from "../log.ts";

/** A relay that takes longer is left, and another is asked. */
const RELAY_TIMEOUT_MS = 2_500;

/** The relays of this deployment, asked one after another: one round at a time. */
export class DrandRelays {
  readonly #urls: readonly string[] | null;
  #asked = 0;
  #isAsking = false;

  constructor(urls: string | undefined) {
    this.#urls = drandRelays(urls);
  }

  /** Null where this relay has not given it, or another question is still under way. Never throws. */
  async round(wanted: RoundWanted): Promise<PublicValue | null> {
    if (this.#isAsking) return null;
    this.#isAsking = true;
    try {
      return await this.#ask(wanted);
    } catch (error) {
      logFailure("draw-relay", error);
      return null;
    } finally {
      this.#isAsking = false;
    }
  }

  async #ask({ chain, round }: RoundWanted): Promise<PublicValue> {
    const url = this.#urls?.[this.#asked++ % this.#urls.length];
    if (url === undefined) throw new Error(`DRAND_URL must be 1 to ${DRAND_RELAYS_MAX} URLs`);
    const signal = AbortSignal.timeout(RELAY_TIMEOUT_MS);
    const answer = await fetch(`${url}/${chain.hash}/public/${round}`, { signal });
    const given = answer.ok ? roundFrom(await textOf(answer)) : null;
    if (!answer.ok) await answer.body?.cancel();
    if (given?.round !== round) throw new Error(`no round ${round}, but status ${answer.status}`);
    // Pairings are heavy: they are loaded when the first round is there.
    const { isSigned } = await import("../../core/draw/drand-signature.ts");
    if (!isSigned(chain, given)) throw new Error(`the chain has not signed this round ${round}`);
    return { from: "drand", ...given };
  }
}

/** As much of the body as a round can have, and a little more, by which a longer one is known. */
const textOf = async (answer: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of answer.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > ROUND_LENGTH_MAX) break;
  }
  return text;
};
