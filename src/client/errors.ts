/**
 * Why a lock was not got or kept. `code` is the server's own where it gave one; besides:
 * lock-held (the wait is over), unreachable, lost, bad-answer.
 */
export class LocksError extends Error {
  override readonly name = "LocksError";
  readonly code: string;
  /** Of the HTTP answer, where there was one. */
  readonly status: number | null;
  /** When asking again may help. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: string,
    message: string,
    more: { status?: number; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.code = code;
    this.status = more.status ?? null;
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
  }

  /** May the same request succeed later? */
  get isPassing(): boolean {
    return this.status === null || this.status === 429 || this.status >= 500;
  }
}

/** The answer of a request that was refused: RFC 9457 where it comes from the lock service. */
export const errorFrom = (status: number, retryAfter: string | null, text: string): LocksError => {
  const retryAfterSeconds = Number(retryAfter ?? Number.NaN);
  const more = { status, ...(Number.isFinite(retryAfterSeconds) ? { retryAfterSeconds } : {}) };
  try {
    const { code, title } = JSON.parse(text) as { code?: unknown; title?: unknown };
    if (typeof code === "string") return new LocksError(code, `${code}: ${String(title)}`, more);
  } catch {
    // Something else than the lock service has answered.
  }
  return new LocksError("bad-answer", `the server answered ${status}`, more);
};
