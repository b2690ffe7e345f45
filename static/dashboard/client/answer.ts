/** What a call of the operators' API came to: its value, or why not, in one shape for both envelopes. */

export interface ApiFailure {
  readonly ok: false;
  /** 0: no answer came. */
  readonly status: number;
  /** A stable word; `offline` where no answer came. */
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  /** What is wrong with single fields: where, and what. */
  readonly errors: readonly FieldComplaint[];
  readonly retryAfterSeconds: number | null;
}

export interface FieldComplaint {
  readonly where: string;
  readonly detail: string;
}

export interface ApiSuccess<T> {
  readonly ok: true;
  readonly value: T;
  readonly etag: string | null;
  /** What the API said beside its answer. */
  readonly notes: readonly string[];
}

export type CallAnswer<T> = ApiSuccess<T> | ApiFailure;

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json => typeof value === "object" && value !== null;
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const listIn = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

/** Cloudflare's codes are numbers, ours are words. */
const codeIn = (note: Json | undefined): string => {
  const code = note?.["code"];
  return typeof code === "number" ? String(code) : textOf(code);
};

export const offline = (detail: string): ApiFailure => ({
  ok: false,
  status: 0,
  code: "offline",
  title: "The server gave no answer.",
  detail,
  errors: [],
  retryAfterSeconds: null,
});

/** Cloudflare's envelope has `success`; ours is bare. */
const isEnvelope = (body: unknown): body is Json =>
  isRecord(body) && typeof body["success"] === "boolean";

export const successOf = <T>(body: unknown, etag: string | null): ApiSuccess<T> => {
  if (!isEnvelope(body)) return { ok: true, value: body as T, etag, notes: [] };
  const notes = listIn(body["messages"]).map(({ message }) => textOf(message));
  return { ok: true, value: body["result"] as T, etag, notes };
};

export const failureOf = (status: number, body: unknown, retryAfter: string | null): ApiFailure => {
  const seconds = retryAfter === null ? Number.NaN : Number(retryAfter);
  const base = {
    ok: false as const,
    status,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
  };
  if (isEnvelope(body)) {
    const errors = listIn(body["errors"]).map(({ message, source }) => ({
      where: isRecord(source) ? textOf(source["pointer"]) : "",
      detail: textOf(message),
    }));
    const [first] = errors;
    return {
      ...base,
      code: codeIn(listIn(body["errors"])[0]) || String(status),
      title: first?.detail ?? `The server answered ${status}.`,
      detail: "",
      errors,
    };
  }
  const told = isRecord(body) ? body : {};
  return {
    ...base,
    code: textOf(told["code"]) || String(status),
    title: textOf(told["title"]) || `The server answered ${status}.`,
    detail: textOf(told["detail"]),
    errors: listIn(told["errors"]).map((error) => ({
      where: textOf(error["pointer"]) || textOf(error["parameter"]),
      detail: textOf(error["detail"]),
    })),
  };
};

/** One sentence or two for people. */
export const sayFailure = ({ title, detail, errors }: ApiFailure): string => {
  const fields = errors
    .filter((error) => error.detail !== "" && error.detail !== title)
    .map((error) => `${error.where === "" ? "" : `${error.where}: `}${error.detail}`);
  return [title, detail, ...fields].filter((part) => part !== "").join(" ");
};
