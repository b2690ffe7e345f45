/// <reference lib="esnext.disposable" />

/** A lock that is held. `await using` gives it back at the end of its scope. */
export interface Lock extends AsyncDisposable {
  readonly namespace: string;
  readonly key: string;
  /** The secret that it is held with. */
  readonly owner: string;
  /** Higher than every earlier holder's: send it along with what you write under the lock. */
  readonly fence: number;
  /** False once it was lost or given back. */
  readonly isHeld: boolean;
  /** Aborted when the lock is lost, before anybody else can get it: hand it to what you do under it. */
  readonly signal: AbortSignal;
  /** Resolves with the reason when the lock is lost; never if it is given back first. */
  readonly lost: Promise<Error>;
  /** Gives it back. Calling it again changes nothing. */
  release(): Promise<void>;
  /**
   * Stops holding without telling the server, as a process that dies would: the lock-delay begins.
   */
  abandon(): void;
}

/** What all kinds of held lock share: held, then either lost or given back, once. */
export class Holding {
  readonly lost: Promise<Error>;
  readonly #loss = new AbortController();
  #tellLost: (reason: Error) => void = () => undefined;
  #state: "held" | "lost" | "over" = "held";

  constructor() {
    this.lost = new Promise((resolve) => {
      this.#tellLost = resolve;
    });
  }

  get isHeld(): boolean {
    return this.#state === "held";
  }

  get signal(): AbortSignal {
    return this.#loss.signal;
  }

  lose(reason: Error): void {
    if (this.#state !== "held") return;
    this.#state = "lost";
    this.#loss.abort(reason);
    this.#tellLost(reason);
  }

  /** True the first time, if it was still held. */
  end(): boolean {
    const wasHeld = this.#state === "held";
    if (wasHeld) this.#state = "over";
    return wasHeld;
  }
}
