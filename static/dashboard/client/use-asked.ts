import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { CallAnswer, ApiFailure } from "./answer.ts";

/** What was heard last, and whether that is still so. */
export interface AskedState<T> {
  readonly value: T | null;
  readonly etag: string | null;
  /** Of the last answer; the value may be older. */
  readonly failure: ApiFailure | null;
  /** When the value came, by this machine's clock. */
  readonly at: number | null;
  readonly again: () => void;
}

const HIDDEN_TIMES = 5;

/** Asks now, and every so often while somebody looks; seldom while the tab is hidden. `key`: another key is another thing. */
export const useAsked = <T>(
  key: string,
  ask: () => Promise<CallAnswer<T>>,
  everyMs: number | null,
): AskedState<T> => {
  const [state, setState] = useState<Omit<AskedState<T>, "again">>(NOTHING);
  const [round, setRound] = useState(0);
  const asking = useRef(ask);
  asking.current = ask;
  useEffect(() => setState(NOTHING), [key]);
  useEffect(() => {
    let isOver = false;
    let timer = 0;
    const next = async (): Promise<void> => {
      const answer = await asking.current();
      if (isOver) return;
      setState((before) =>
        answer.ok
          ? { value: answer.value, etag: answer.etag, failure: null, at: Date.now() }
          : { ...before, failure: answer },
      );
      if (everyMs === null) return;
      const wait = document.hidden ? everyMs * HIDDEN_TIMES : everyMs;
      timer = setTimeout(() => void next(), wait);
    };
    void next();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [key, everyMs, round]);
  const again = useCallback(() => setRound((count) => count + 1), []);
  return { ...state, again };
};

const NOTHING = { value: null, etag: null, failure: null, at: null };
