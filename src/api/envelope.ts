/** Cloudflare's answer envelope: what the official SDKs and the Terraform provider read. */
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { FieldProblem } from "../core/field-problem.ts";
import { pointer } from "../core/json/pointer.ts";

export interface EnvelopeNote {
  readonly code: number;
  readonly message: string;
  readonly source?: { readonly pointer: string };
}

export interface PageInfo {
  readonly page: number;
  readonly per_page: number;
  readonly count: number;
  readonly total_count: number;
  readonly total_pages: number;
}

export interface Envelope {
  readonly success: boolean;
  readonly errors: readonly EnvelopeNote[];
  readonly messages: readonly EnvelopeNote[];
  readonly result: unknown;
  readonly result_info?: PageInfo;
}

/** Stable: clients may switch on them. The first three are Cloudflare's own numbers. */
export const ERROR_CODES = {
  "no-route": 7003,
  authentication: 10000,
  "scope-missing": 9109,
  "not-found": 48001,
  "not-json": 48002,
  invalid: 48003,
  "too-large": 48004,
  "name-taken": 48005,
  "route-taken": 48006,
  "too-many-rooms": 48007,
  "modified-since": 48008,
  unavailable: 48009,
  "too-many-tries": 48010,
  "method-not-allowed": 48011,
  "kept-only": 48100,
  "host-not-kept": 48101,
  "edge-only": 48102,
  "no-way-round": 48103,
  "always-empty": 48104,
} as const;
export type ErrorCode = keyof typeof ERROR_CODES;

const STATUSES = {
  "no-route": 404,
  authentication: 401,
  "scope-missing": 403,
  "not-found": 404,
  "not-json": 400,
  invalid: 400,
  "too-large": 413,
  "name-taken": 409,
  "route-taken": 409,
  "too-many-rooms": 409,
  "modified-since": 412,
  unavailable: 503,
  "too-many-tries": 429,
  "method-not-allowed": 405,
  "kept-only": 200,
  "host-not-kept": 200,
  "edge-only": 200,
  "no-way-round": 200,
  "always-empty": 200,
} as const satisfies Record<ErrorCode, ContentfulStatusCode>;

/** A "no" of the management API. Thrown inside it, answered by its error handler. */
export class ApiRefusal extends Error {
  readonly code: ErrorCode;
  readonly notes: readonly EnvelopeNote[];

  constructor(code: ErrorCode, message: string, notes?: readonly EnvelopeNote[]) {
    super(message);
    this.code = code;
    this.notes = notes ?? [{ code: ERROR_CODES[code], message }];
  }

  get status(): ContentfulStatusCode {
    return STATUSES[this.code];
  }

  /**
   * May the same call succeed later? Only where it came too early, or an object was out of reach.
   */
  get isMendedByTime(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

/** `what`: "The room". */
export const refusedFields = (problems: readonly FieldProblem[], what = "The room"): ApiRefusal =>
  new ApiRefusal(
    "invalid",
    `${what} has problems.`,
    problems.map(({ keys, message }) => ({
      code: ERROR_CODES.invalid,
      message: `${keys.length === 0 ? what : keys.join(".")} ${message}`,
      source: { pointer: pointer(keys) },
    })),
  );

export const succeeded = (
  result: unknown,
  messages: readonly EnvelopeNote[] = [],
  info?: PageInfo,
): Envelope => ({
  success: true,
  errors: [],
  messages,
  result,
  ...(info === undefined ? {} : { result_info: info }),
});

export const failed = (errors: readonly EnvelopeNote[]): Envelope => ({
  success: false,
  errors,
  messages: [],
  result: null,
});
